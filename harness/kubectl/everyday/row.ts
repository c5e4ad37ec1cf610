import type { Expectation } from '../script.ts';

/** One command that people type, and how it does here. */
export interface Row extends Expectation {
  readonly command: string;
  /** What is missing of it, as a sentence: it works partly. */
  readonly lacks?: string;
  /** Why it does not work, as a sentence: then it must fail. */
  readonly why?: string;
  /** It only prepares or tidies up, and is not shown. @defaultValue false */
  readonly hidden?: boolean;
}

/** Commands on one subject, in the order in which they run. */
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A command that works as on a real cluster. */
export function works(command: string, expected: Expectation = {}): Row {
  return { command, ...expected };
}

/** A command that works, but for something. */
export function partly(command: string, lacks: string, expected: Expectation = {}): Row {
  return { command, lacks, ...expected };
}

/** A command that does not work. */
export function not(command: string, why: string, expected: Expectation = {}): Row {
  return { command, why, code: 'fails', ...expected };
}

/** A command that prepares the others. */
export function prepare(command: string, expected: Expectation = {}): Row {
  return { command, hidden: true, ...expected };
}
