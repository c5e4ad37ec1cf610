import { type Change, changesIn } from './present-changes.ts';

/** A failed comparison as Vitest reports it, without colours. */
export interface Comparison {
  /** For example `expected 1 to be 2`, after the message of the test. */
  readonly message: string;
  /** The expected value and the received value, line by line; empty when there is nothing to compare. */
  readonly diff: string;
}

/** Returns the message, and below it the differing lines if they need more than one line or the message was cut short. */
export function compared({ message, diff }: Comparison): string {
  const lines = diff.trim() === '' ? [] : diff.trim().split('\n');
  if (lines.length === 0 || UNREJECTED.test(message)) return settled(message);
  const stated = naming(lines.some(isPartOfText) ? [] : changesIn(lines), message);
  const enough = lines.length <= 5 && !message.includes('…');
  return enough ? stated : `${stated}\n\n${excerpt(lines).join('\n')}`;
}

/** Whether a text with line breaks begins or ends on this line: such lines have no path. */
function isPartOfText(line: string): boolean {
  return (line.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

const UNREJECTED = /promise resolved "([^\n]*)" instead of rejecting$/m;
const UNRESOLVED = /promise rejected "([^\n]*)" instead of resolving$/m;

/** Such a comparison has nothing to compare: Vitest puts an error of its own on one side. */
function settled(message: string): string {
  return message
    .replace(UNREJECTED, 'the promise must reject, but it resolved with $1')
    .replace(UNRESOLVED, 'the promise must resolve, but it rejected with $1');
}

/** More differences than this do not fit into a sentence. */
const NAMED_MAX = 3;

/** Names the differences, because Vitest truncates both sides of a long comparison. */
function naming(changes: readonly Change[], message: string): string {
  const isNamed = changes.length > 0 && changes.length <= NAMED_MAX;
  const words = isNamed
    ? changes.map((each) => inWords(each, changes.length > 1)).join(', ')
    : 'the values differ in the lines marked - and +';
  return message.replace(
    /expected ([^\n]+) to (?:(?:deeply|strictly) equal|match object) ([^\n]+)$/m,
    (whole, received: string, expected: string) => {
      const isCut = received.includes('…') || expected.includes('…');
      return received === expected || (isCut && isNamed) ? words : whole;
    },
  );
}

/** @param isOneOfSeveral - then the expected value stands in parentheses */
function inWords({ path: way, expected, received }: Change, isOneOfSeveral: boolean): string {
  const path = way.replace(/^\[(\d+)\]$/, 'element $1').replace(/^\[(\d+)\]\./, 'element $1: ');
  if (expected === undefined)
    return isOneOfSeveral
      ? `${path} is ${received} (expected none)`
      : `${path} is ${received}, but must be absent`;
  const [, list, index] = /^(.*)\[(\d+)\]$/.exec(way) ?? [];
  if (received === undefined && list !== undefined)
    return `${list || 'the list'} lacks element ${index}, which is ${expected}`;
  if (received === undefined)
    return isOneOfSeveral
      ? `${path} is missing (expected ${expected})`
      : `${path} is missing; expected ${expected}`;
  return isOneOfSeveral
    ? `${path} is ${received} (expected ${expected})`
    : `${path} is ${received}; expected ${expected}`;
}

/** Returns the differing lines and the lines around them, as many as fit on a screen. */
function excerpt(lines: readonly string[]): readonly string[] {
  const linesMax = 24;
  if (lines.length <= linesMax) return lines;
  const around = 3;
  const heading = lines.slice(0, 2);
  const body = lines.slice(2);
  const changed = body.flatMap((line, index) => (/^[-+]/.test(line) ? [index] : []));
  const near = body.flatMap((_, index) =>
    changed.some((at) => Math.abs(at - index) <= around) ? [index] : [],
  );
  const shown = near.flatMap((index, n) => [
    ...(index === (near[n - 1] ?? -1) + 1 ? [] : ['  …']),
    body[index] ?? '',
  ]);
  const cut = shown.length > linesMax ? [...shown.slice(0, linesMax - 1), '  …'] : shown;
  return [...heading, '', ...cut];
}
