/** Narrower terminals get lines of this width. */
const NARROWEST = 60;

/**
 * Columns of the terminal. An output without columns (a file, a terminal that does not know its size) has a fixed number, so
 * that the same failure gives the same screen.
 */
export function screenWidth(): number {
  return Math.max(NARROWEST, process.stdout.columns || 120);
}

/**
 * Breaks a text into lines of at most `width` columns, between words where there are any.
 *
 * @param indent begins each line but the first
 */
export function wrapped(text: string, width: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  // A line has more than its indent, however narrow it is.
  const room = Math.max(width, indent.length + 20);
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room);
    const isBlank = rest.slice(0, space).trim() === '';
    const at = space <= 0 || isBlank ? room : space;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `${indent}${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}
