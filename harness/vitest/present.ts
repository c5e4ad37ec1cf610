import type { TestError } from 'vitest';
import { compared } from './present-difference.ts';
import { readable } from './readable.ts';
import { isUnderTest, isWorkbookFile } from './workbook-file.ts';

/** The explanation of a failed test for the learner: the failure, its reason, and its place. */
export interface Explanation {
  /** The error's name, where it says more than "Error". */
  readonly kind: string;
  /** Whole sentences; several lines for a property or a comparison. */
  readonly message: string;
  /** The violated rule and the next step, if the message does not contain them. */
  readonly advice?: string;
  /** Set when a stub is not implemented yet, which is not a mistake. */
  readonly unwritten?: Unwritten;
  /**
   * The scenario that ran when the code was stopped, in words. All laws share it, and none of them has been violated.
   */
  readonly scenario?: string;
  /** The innermost source-mapped frame in a kata, solution or test; absent if there is no such frame. */
  readonly position?: Position;
}

/** The details that a stub reports when it is called. */
export interface Unwritten {
  readonly kata: string;
  /** The function to write, as `Type.method` or `name`. */
  readonly symbol: string;
  /** The section of the kata's README to read; absent when the stub names none. */
  readonly heading?: string;
}

/** A place in a source file; line and column are 1-based. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly method: string;
}

/** Explains the error that a learner should see first, of all errors of one test. */
export function explain(errors: readonly TestError[]): Explanation | undefined {
  const [error] = [...errors].sort((a, b) => urgency(a) - urgency(b));
  if (!error) return undefined;
  const position = positionOf(error);
  const unwritten = unwrittenIn(error);
  return {
    ...describe(error),
    ...(unwritten && { unwritten }),
    ...(typeof error.scenario === 'string' && { scenario: error.scenario }),
    ...(position && { position }),
  };
}

/** A cause comes before its effects: after a stub has thrown, an assertion explains nothing. */
const order = [
  'NotImplemented',
  'NeverYielded',
  'MemoryUsedUp',
  'RealTimeUsed',
  'ProcessEnded',
  'NeverEnded',
];

function urgency({ name }: TestError): number {
  const rank = order.indexOf(name ?? '');
  return rank < 0 ? order.length : rank;
}

function describe(error: TestError): Pick<Explanation, 'kind' | 'message' | 'advice'> {
  const kind = error.name ?? '';
  const text = stripAnsi(readable(String(error.message)));
  const diff = inVirtualTime(stripAnsi(readable(error.diff ?? '')));
  const message = compared({ message: inVirtualTime(inOwnWords(text)), diff });
  if (isFrozen(message)) return { kind: 'Changed a shared object', message, advice: sharedIsReadOnly };
  if (kind === 'NeverEnded') return { kind, message, advice: settleEverything };
  // A thrown value that is not an object arrives here only as its text.
  if (kind === '' && error.stack === undefined) {
    return {
      kind: '',
      message: `A value that is not an Error was thrown: ${message}`,
      advice: throwErrors,
    };
  }
  return { kind: /^(Error|AssertionError|PropertyFailed|Undecided)$/.test(kind) ? '' : kind, message };
}

const sharedIsReadOnly = `Objects in caches and stores are shared and read-only. Copy before you change: structuredClone(object), or
{ ...object, status }. Real Kubernetes would not stop you: it would silently corrupt every other reader.`;

const settleEverything = `Every promise must settle, also when the signal is aborted, a stream ends or an item is dropped.
The tests after this one in the same file were skipped.`;

const throwErrors = 'Throw an Error (and reject with one): only an Error knows where it came from.';

/** Removes the words that only Vitest's documentation explains. */
function inOwnWords(message: string): string {
  if (message === '') return 'An error without a message was thrown.';
  return message
    .replace(/ *\/\/ Object\.is equality/g, '')
    .replace(/(?<![\w.+])\+0(?![\w.])/g, '0')
    .replace(
      /(^|: )expected ('nothing was thrown'|'it did not fail') not to be \2/gm,
      '$1an error must be thrown, but none was',
    );
}

/** Simulations and levels begin at midnight or at noon of a fixed day. */
const HALF_A_DAY_MS = 12 * 3_600_000;

/** Formats times of a virtual clock as timelines do (`t=21s`): milliseconds since 1970 mean nothing to a reader. */
function inVirtualTime(text: string): string {
  return text.replace(/\b1[67]\d{11}\b/g, (ms) => `t=${(Number(ms) % HALF_A_DAY_MS) / 1_000}s`);
}

/** Is it one of V8's messages about a write to a frozen object, perhaps inside another message? */
function isFrozen(message: string): boolean {
  return /Cannot (assign to read only property|add property .* object is not extensible|delete property|define property .* not extensible|redefine property)/.test(
    message,
  );
}

function unwrittenIn(error: TestError): Unwritten | undefined {
  if (error.name !== 'NotImplemented') return undefined;
  const { kata, symbol, heading } = error;
  if (typeof kata !== 'string' || typeof symbol !== 'string') return undefined;
  return { kata, symbol, ...(typeof heading === 'string' && { heading }) };
}

/**
 * Returns the position of an error. Frames of libraries and of the harness mean nothing to a learner; a frame of a
 * test is used only if the learner's code has none.
 */
function positionOf(error: TestError): Position | undefined {
  return positionUnderTest(error) ?? framesOf(error).find(({ file }) => isWorkbookFile(file));
}

/** Returns the innermost frame in code under test. */
export function positionUnderTest(error: Pick<TestError, 'stack' | 'stacks'>): Position | undefined {
  return framesOf(error).find(({ file }) => isUnderTest(file));
}

/**
 * Returns the frames of an error. Vitest parses the stacks of test errors; the stacks of uncaught errors arrive as
 * text.
 */
function framesOf({ stacks, stack }: Pick<TestError, 'stack' | 'stacks'>): readonly Position[] {
  const parsed = stacks?.map(({ file, line, column, method }) => ({ file, line, column, method }));
  const written = [
    ...(stack ?? '').matchAll(/^ +at (?:(.*?) \()?(?:file:\/\/)?(\/[^()]*?):(\d+):(\d+)\)?$/gm),
  ].map(([, method = '', file = '', line, column]) => ({
    file,
    line: Number(line),
    column: Number(column),
    method,
  }));
  const frames = parsed && parsed.length > 0 ? parsed : written;
  return frames.map((frame) => ({ ...frame, file: frame.file.replace(/\?.*$/, '') }));
}

function stripAnsi(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression matches the escape character.
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
