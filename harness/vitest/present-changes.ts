/** One difference between an expected value and a received value. */
export interface Change {
  /** The field or element: `metadata.labels.app`, `[2].reason`. Without the outer fields that the diff leaves out. */
  readonly path: string;
  /** The expected value as text; absent for an extra field or element of the received value. */
  readonly expected?: string;
  /** The received value as text; absent if it is missing. */
  readonly received?: string;
}

/**
 * Returns the changes in the lines of a diff, which Vitest indents by two spaces per level. Returns none if an
 * element only moved: the whole order then says more than two lines.
 */
export function changesIn(diff: readonly string[]): readonly Change[] {
  // If one side has no value, the header ends in a colon, and no lines follow that could be compared.
  if (diff[0] !== '- Expected') return [];
  const expected = new Side();
  const received = new Side();
  for (const line of diff.slice(2)) {
    const text = line.slice(2);
    // This hunk starts at line 1, so no lines are left out.
    if (line.startsWith('@@ -1,')) continue;
    if (line.startsWith('@@')) for (const side of [expected, received]) side.skip();
    else {
      if (!line.startsWith('+')) expected.take(text, line.startsWith('-'));
      if (!line.startsWith('-')) received.take(text, line.startsWith('+'));
    }
  }
  if (expected.isLost || received.isLost) return [];
  const wanted = new Set(expected.values.values());
  if ([...received.values.values()].some((text) => wanted.has(text))) return [];
  const changes = between(expected.values, received.values);
  return isShifted(changes) && expected.isWhole && received.isWhole
    ? between(expected.elements, received.elements)
    : changes;
}

function between(expected: Side['values'], received: Side['values']): readonly Change[] {
  const paths = new Set([...expected.keys(), ...received.keys()]);
  return [...paths].flatMap((path): Change[] => {
    const [wanted, came] = [expected.get(path), received.get(path)];
    if (wanted === came) return [];
    const change = { path, ...(wanted !== undefined && { expected: wanted }) };
    return [{ ...change, ...(came !== undefined && { received: came }) }];
  });
}

/**
 * Returns whether a list of plain values lost elements and got others elsewhere. The diff then pairs values of different
 * places; a reader compares them place by place.
 */
function isShifted(changes: readonly Change[]): boolean {
  const lists = new Set(changes.map(({ path }) => /^(.*)\[\d+\]$/.exec(path)?.[1]));
  return (
    lists.size === 1 &&
    !lists.has(undefined) &&
    changes.some(({ expected }) => expected === undefined) &&
    changes.some(({ received }) => received === undefined)
  );
}

/** One side of a comparison. */
class Side {
  /** The values on changed lines, by their path. */
  readonly values = new Map<string, string>();
  /** The elements on lines of their own, changed or not, by their path. */
  readonly elements = new Map<string, string>();
  /** Whether no line is left out, and no changed value has several lines. */
  isWhole = true;
  /** Whether a changed value is in an array whose place the diff leaves out. */
  isLost = false;
  #isPartial = false;
  /** The field or element at each indent on the path to the current line. */
  #labels: string[] = [];
  /** The number of elements so far of the array whose elements have this indent. */
  #counts: number[] = [];
  /** A multi-line value that has not ended. */
  #open: { readonly indent: number; readonly path: string; readonly lines: string[] } | undefined;

  /** Skips omitted lines: the path to the next line is unknown. */
  skip(): void {
    this.#labels = [];
    this.#counts = [];
    this.#isPartial = true;
    this.isWhole = false;
  }

  take(line: string, isChanged: boolean): void {
    const text = line.trim();
    const indent = line.length - line.trimStart().length;
    const open = this.#open;
    if (open) {
      open.lines.push(text);
      if (indent > open.indent) return;
      this.values.set(open.path, tidy(open.lines.join(' ')));
      this.#open = undefined;
      return;
    }
    if (/^[}\]]/.test(text)) return;
    const path = this.#pathTo(text, indent);
    const value = text.replace(KEY, '');
    const hasMore = /[{[]$/.test(value);
    if (!hasMore && path.endsWith(']')) this.elements.set(path, tidy(value));
    if (!isChanged) return;
    if (this.#isPartial && /^\[\d/.test(path)) this.isLost = true;
    if (hasMore) {
      this.isWhole = false;
      this.#open = { indent, path, lines: [value] };
    } else this.values.set(path, tidy(value));
  }

  #pathTo(text: string, indent: number): string {
    const [, key] = KEY.exec(text) ?? [];
    const index = this.#counts[indent];
    const label = key !== undefined ? nameOf(key) : index !== undefined ? `[${index}]` : '';
    this.#labels.length = Math.min(this.#labels.length, indent);
    this.#labels[indent] = label;
    this.#counts = this.#counts.slice(0, indent + 1);
    if (index !== undefined) this.#counts[indent] = index + 1;
    if (text.endsWith('[')) this.#counts[indent + INDENT] = 0;
    return this.#labels.join('').replace(/^\./, '') || 'the value';
  }
}

const INDENT = 2;
const KEY = /^"([^"]*)": /;

function nameOf(key: string): string {
  return /^[\w$]+$/.test(key) ? `.${key}` : `["${key}"]`;
}

/** Formats a value on one line of at most 80 characters, with field names as in JavaScript. */
function tidy(text: string): string {
  const flat = text
    .replace(/,$/, '')
    .replace(/, ([}\]])/g, ' $1')
    .replace(/"([A-Za-z_$][\w$]*)": /g, '$1: ');
  return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
}
