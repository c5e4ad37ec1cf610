import { readFileSync } from 'node:fs';
import type { Position } from './present.ts';

/**
 * The line at `position` with two lines either side and a mark before it, indented for the screen.
 * Empty when the file cannot be read: it may have been deleted since.
 */
export function codeFrame({ file, line }: Position): readonly string[] {
  const around = 2;
  const widthMax = 100;
  const lines = readLines(file);
  const first = Math.max(1, line - around);
  const shown = lines.slice(first - 1, line + around);
  const digits = String(line + around).length;
  return shown.map((text, index) => {
    const number = first + index;
    return `${number === line ? '>' : ' '} ${String(number).padStart(digits)} │ ${text}`
      .slice(0, widthMax)
      .trimEnd();
  });
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
