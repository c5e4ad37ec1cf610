/** The number of unchanged lines around a change. */
const CONTEXT = 3;

/** A line of a diff: of both texts, or of one. */
interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Returns the hunks of a unified diff of two texts, as `diff -u` prints them; no lines for equal texts. Each text ends with a
 * newline, or is empty.
 */
export function unifiedDiff(from: string, to: string): readonly string[] {
  const lines = changesOf(linesOf(from), linesOf(to));
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const printed: string[] = [];
  let [before, after] = [0, 0];
  for (let at = 0; at < lines.length; ) {
    const end = near.indexOf(!near[at], at);
    const hunk = lines.slice(at, end < 0 ? lines.length : end);
    const [removed, added] = (['-', '+'] as const).map(
      (sign) => hunk.filter((line) => line.sign === sign || line.sign === ' ').length,
    ) as [number, number];
    if (near[at]) {
      printed.push(`@@ -${rangeOf(before, removed)} +${rangeOf(after, added)} @@`);
      printed.push(...hunk.map(({ sign, text }) => `${sign}${text}`));
    }
    before += removed;
    after += added;
    at += hunk.length;
  }
  return printed;
}

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** `5,3`: three lines from line 5 on. `5` is one line, and `4,0` no line after line 4. */
function rangeOf(before: number, count: number): string {
  const start = count === 0 ? before : before + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}

/** Returns the lines of both texts with the fewest changes; removed lines precede the added ones. */
function changesOf(from: readonly string[], to: readonly string[]): readonly Line[] {
  const common = longestCommon(from, to);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [one, other] = [from[i], to[j]];
    if (one !== undefined && one === other) {
      lines.push({ sign: ' ', text: one });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push({ sign: '-', text: one });
      i += 1;
    } else {
      lines.push({ sign: '+', text: other as string });
      j += 1;
    }
  }
  return lines;
}

const at = (table: readonly (readonly number[])[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Returns the length of the longest common subsequence of the lines from `i` and from `j` on, for all `i` and `j`. */
function longestCommon(from: readonly string[], to: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      (table[i] as number[])[j] =
        from[i] === to[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}
