import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunnerTestCase, TaskMeta, TestError } from 'vitest';
import type { Stall } from './stall.ts';

/**
 * What a worker notes before it may be too late: written at once, so that it is there however the worker ends. Its pool reads it
 * when the worker has died, and tells from it which test is red, and why.
 */
export type LastWord =
  | { readonly says: 'begins'; readonly test: string }
  | {
      readonly says: 'ended';
      readonly test: string;
      readonly result: RunnerTestCase['result'];
      readonly meta: TaskMeta;
    }
  /** The test is red with this already, whatever else becomes of it. */
  | { readonly says: 'offended'; readonly error: TestError }
  | { readonly says: 'stalled'; readonly stall: Stall }
  /** A simulation of this scenario begins; of none: it is over. */
  | { readonly says: 'simulates'; readonly scenario?: string };

/** The environment variable that asks a worker for them. Without it, nothing is noted. */
export const LAST_WORDS = 'KATA_LAST_WORDS';

/** Where the process with this id notes them. Its pool removes the file before it runs a test and after it has ended. */
export function lastWordsOf(pid: number): string {
  return path.join(tmpdir(), `kubernetes-katas-${pid}.jsonl`);
}

/** Where this process notes them; `undefined` if it was not asked to. */
export const ownLastWords = process.env[LAST_WORDS] ? lastWordsOf(process.pid) : undefined;

/** Notes a word. */
export function note(word: LastWord): void {
  if (ownLastWords !== undefined) appendFileSync(ownLastWords, `${JSON.stringify(word)}\n`);
}

/** An error as it travels: with what it has of its own. */
export function plain(error: Error): TestError {
  const { name, message, stack = '', cause: _, ...own } = error;
  return { ...own, name, message, stack };
}

/** What was noted in a file; nothing when there is none. The last line may be cut short. */
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
