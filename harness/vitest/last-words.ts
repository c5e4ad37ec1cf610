import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunnerTestCase, TaskMeta, TestError } from 'vitest';
import type { Stall } from './stall.ts';

/**
 * A note that a worker writes immediately to a file, so that it survives the worker's death. The pool of a dead
 * worker reads the notes, and derives from them which test failed, and why.
 */
export type LastWord =
  | { readonly says: 'begins'; readonly test: string }
  | {
      readonly says: 'ended';
      readonly test: string;
      readonly result: RunnerTestCase['result'];
      readonly meta: TaskMeta;
    }
  /** The test has already failed with this error, whatever happens later. */
  | { readonly says: 'offended'; readonly error: TestError }
  | { readonly says: 'stalled'; readonly stall: Stall }
  /** A simulation of this scenario begins; without a scenario, the simulation is over. */
  | { readonly says: 'simulates'; readonly scenario?: string };

/** The environment variable that enables last words in a worker. */
export const LAST_WORDS = 'KATA_LAST_WORDS';

/**
 * Returns the file with the last words of a process. Its pool removes the file before the process runs a test and
 * after it has ended.
 */
export function lastWordsOf(pid: number): string {
  return path.join(tmpdir(), `kubernetes-katas-${pid}.jsonl`);
}

/** This process's own file; `undefined` if last words are disabled. */
export const ownLastWords = process.env[LAST_WORDS] ? lastWordsOf(process.pid) : undefined;

/** Writes a last word. */
export function note(word: LastWord): void {
  if (ownLastWords !== undefined) appendFileSync(ownLastWords, `${JSON.stringify(word)}\n`);
}

/** Returns a serializable copy of an error, with its own properties. */
export function plain(error: Error): TestError {
  const { name, message, stack = '', cause: _, ...own } = error;
  return { ...own, name, message, stack };
}

/** Reads the last words in a file; empty if the file is absent. The last line may be truncated. */
export function readLastWords(file: string): readonly LastWord[] {
  return linesOf(file).flatMap((line) => {
    try {
      return [JSON.parse(line) as LastWord];
    } catch {
      return [];
    }
  });
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
