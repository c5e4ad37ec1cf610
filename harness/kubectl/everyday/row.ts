import type { Expectation } from '../script.ts';

/** A command of everyday use, and its result here. */
export interface Row extends Expectation {
  readonly command: string;
  /** The limitation, as a sentence, if the command works partly. */
  readonly lacks?: string;
  /** The reason, as a sentence, if the command does not work: then it must fail. */
  readonly why?: string;
  /** Whether it only prepares or cleans up: then the table omits it. @defaultValue false */
  readonly hidden?: boolean;
}

/** Commands on one subject, in execution order. */
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A command that works as on a real cluster. */
export function works(command: string, expected: Expectation = {}): Row {
  return { command, ...expected };
}

/** A command that works with a limitation. */
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
