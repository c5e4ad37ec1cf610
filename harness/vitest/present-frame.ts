import { readFileSync } from 'node:fs';
import type { Position } from './present.ts';
import { screenWidth, wrapped } from './present-width.ts';

/** Columns before each line of a frame on the screen. */
const INDENT = 5;

/**
 * Returns the line at `position`, marked, with two lines before and after it, wrapped at the width of the terminal.
 * Empty when the file cannot be read: it may have been deleted since.
 */
export function codeFrame({ file, line }: Position): readonly string[] {
  const around = 2;
  const lines = readLines(file);
  const first = Math.max(1, line - around);
  const digits = String(line + around).length;
  return lines.slice(first - 1, line + around).flatMap((text, index) => {
    const number = first + index;
    const isMarked = number === line;
    const margin = `${isMarked ? '>' : ' '} ${String(number).padStart(digits)} │`;
    const indent = `${/^ */.exec(text)?.[0] ?? ''}    `;
    // The surrounding lines only show the place, so their ends can be cut.
    const parts = wrapped(text, screenWidth() - INDENT - margin.length - 1, indent);
    return (isMarked ? parts : parts.slice(0, 1)).map((part, n) =>
      `${n === 0 ? margin : `${margin[0]} ${' '.repeat(digits)} │`} ${part}`.trimEnd(),
    );
  });
}

/** Returns the lines of a file; empty when it cannot be read. */
export function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
