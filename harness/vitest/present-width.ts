/** The minimum width of lines, also on narrower terminals. */
const NARROWEST = 60;

/**
 * Returns the number of columns of the terminal. An output without columns (a file, a terminal of unknown size) has a
 * fixed number, so that the same failure gives the same screen.
 */
export function screenWidth(): number {
  return Math.max(NARROWEST, process.stdout.columns || 120);
}

/**
 * Breaks a text into lines of at most `width` columns, between words if possible.
 *
 * @param indent begins each line but the first
 */
export function wrapped(text: string, width: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  // A line has at least 20 columns after its indent.
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
