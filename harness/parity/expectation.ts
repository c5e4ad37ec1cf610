/** A part of a result that differs. */
export interface Mismatch {
  /** The place in the result: `body.status.phase`. */
  readonly path: string;
  readonly expected: string;
  readonly observed: string;
}

/** An unexpected result of a request or a command, its subject. */
abstract class Unexpected extends Error {
  readonly subject: string;
  readonly mismatches: readonly Mismatch[];

  constructor(subject: string, mismatches: readonly Mismatch[]) {
    super(
      `${subject}: ${mismatches.map(({ path, expected, observed }) => `${path} is ${observed}, not ${expected}`).join('; ')}`,
    );
    this.subject = subject;
    this.mismatches = mismatches;
  }
}

/** Reports that a cluster behaves differently. */
export class Difference extends Unexpected {
  override readonly name = 'Difference';
}

/** Reports that an awaited result has not come in time, and may still come. */
export class Undecided extends Unexpected {
  override readonly name = 'Undecided';
}

/** An expectation about one value, with its description. */
export class Matcher {
  readonly text: string;
  readonly holds: (observed: unknown) => boolean;
  /** Returns the differences of a value that does not match. @defaultValue the value as a whole */
  readonly explain: ((observed: unknown, path: string) => readonly Mismatch[]) | undefined;

  constructor(text: string, holds: Matcher['holds'], explain?: Matcher['explain']) {
    this.text = text;
    this.holds = holds;
    this.explain = explain;
  }
}

/** Matches a value that the answer does not have. */
export const absent = new Matcher('no value', (observed) => observed === undefined);

/** Matches any value. */
export const present = new Matcher('a value', (observed) => observed !== undefined);

/** Matches a list that contains, for each of the elements, an element that matches it. */
export function has(...elements: readonly unknown[]): Matcher {
  const text = `a list with ${elements.map(show).join(' and ')}`;
  const missing = (list: unknown): readonly unknown[] =>
    elements.filter((one) => !Array.isArray(list) || !list.some((each) => matches(one, each)));
  return new Matcher(
    text,
    (list) => missing(list).length === 0,
    (list, path) => missing(list).flatMap((one) => closest(one, list, path)),
  );
}

/** Returns the differences of the most similar element of a list. */
function closest(expected: unknown, list: unknown, path: string): readonly Mismatch[] {
  const among = (Array.isArray(list) ? list : []).map((each, at) => compare(expected, each, `${path}.${at}`));
  const [first] = among.toSorted((a, b) => a.length - b.length);
  return first ?? [{ path, expected: show(expected), observed: show(list) }];
}

/** Matches a list without an element like this one. Also matches an absent list. */
export function lacks(element: unknown): Matcher {
  const text = `no element like ${show(element)}`;
  return new Matcher(
    text,
    (list) => list === undefined || (Array.isArray(list) && !list.some((each) => matches(element, each))),
  );
}

/** Matches a list of this length. */
export function sized(length: number): Matcher {
  return new Matcher(`a list of ${length}`, (list) => (Array.isArray(list) ? list : []).length === length);
}

/** Matches a number in a range, both ends included. */
export function between(min: number, max: number): Matcher {
  return new Matcher(
    `a number from ${min} to ${max}`,
    (observed) => typeof observed === 'number' && observed >= min && observed <= max,
  );
}

/** Matches a value that matches one of these. */
export function oneOf(...expected: readonly unknown[]): Matcher {
  return new Matcher(expected.map(show).join(' or '), (observed) =>
    expected.some((each) => matches(each, observed)),
  );
}

/** Returns whether a value is as expected: see {@link compare}. */
export function matches(expected: unknown, observed: unknown): boolean {
  return compare(expected, observed).length === 0;
}

/**
 * Returns the places where a value is not as expected. An object may have further fields, a list no further elements. A
 * regular expression matches the text that it finds.
 */
export function compare(expected: unknown, observed: unknown, path = ''): readonly Mismatch[] {
  const differs = [{ path: path || 'value', expected: show(expected), observed: show(observed) }];
  if (expected instanceof Matcher) {
    if (expected.holds(observed)) return [];
    return expected.explain?.(observed, path) ?? differs;
  }
  if (expected instanceof RegExp) {
    return typeof observed === 'string' && expected.test(observed) ? [] : differs;
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, observed) ? [] : differs;
  if (typeof observed !== 'object' || observed === null) return differs;
  if (Array.isArray(expected) && (!Array.isArray(observed) || expected.length !== observed.length)) {
    return differs;
  }
  const separator = path === '' ? '' : '.';
  return Object.entries(expected).flatMap(([key, value]) =>
    compare(value, fieldOf(observed, key), `${path}${separator}${key}`),
  );
}

/** Returns the value at a path of field names and indices, `spec.ports.0.nodePort`; undefined if a part is missing. */
export function valueAt(object: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => fieldOf(value, key), object);
}

function fieldOf(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Enough to see the difference. */
const SHOWN_MAX = 600;

/** Prints a value or an expectation on one line. */
export function show(value: unknown): string {
  if (value === undefined) return 'no value';
  const text = JSON.stringify(printable(value));
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

/** Replaces the expectations in a value by their descriptions. */
function printable(value: unknown): unknown {
  if (value instanceof Matcher) return `<${value.text}>`;
  if (value instanceof RegExp) return `${value}`;
  if (Array.isArray(value)) return value.map(printable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, printable(each)]));
}
