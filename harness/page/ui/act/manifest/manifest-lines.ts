/** A step of a path in an object: a field, or the index of an item. */
export type PathStep = string | number;

/** A line of a manifest that has a field or an item. */
export interface ManifestLine {
  /** From 0. */
  readonly line: number;
  /** The position of its document, from 0. */
  readonly document: number;
  /** The path of its last field or item: `spec`, `containers`, 0, `image`. */
  readonly path: readonly PathStep[];
  /** The text behind the colon or the dash, without quotes and comments; may be empty. */
  readonly value: string;
}

/** A place where fields are added. */
export interface Container {
  readonly document: number;
  /** The path of the object. */
  readonly path: readonly PathStep[];
}

interface Level {
  readonly indent: number;
  step: PathStep;
}

/** A field at the beginning of a text: its name, plain or quoted, and its value. */
const FIELD = /^("[^"]*"|'[^']*'|[^\s"'#{[\]},&*!|>%@`-][^\s]*?|-[^\s:]+):(?:\s+(.*))?$/;

/**
 * Reads the block style of YAML line by line, as far as it can be read: half-typed text is the usual case in an editor.
 * Flow style (`{a: 1}`) counts as a value.
 */
export function manifestLines(text: string): readonly ManifestLine[] {
  return read(text.split('\n')).lines;
}

/**
 * Returns the object around a field that begins on this line, at this column. Dashes before it begin a new item.
 *
 * @param line from 0
 * @param before the text of the line before the field
 */
export function containerAt(text: string, line: number, before: string): Container {
  const earlier = text.split('\n').slice(0, line);
  const { levels, document } = read(earlier);
  descend(levels, before, before.length);
  return { document, path: levels.map(({ step }) => step) };
}

function read(lines: readonly string[]): {
  readonly lines: readonly ManifestLine[];
  readonly levels: Level[];
  readonly document: number;
} {
  const found: ManifestLine[] = [];
  const levels: Level[] = [];
  let document = 0;
  /** The indentation of the field whose value is a block of text. */
  let textIndent: number | undefined;
  for (const [line, raw] of lines.entries()) {
    const content = raw.trim();
    const indent = raw.length - raw.trimStart().length;
    if (textIndent !== undefined && (content === '' || indent > textIndent)) continue;
    textIndent = undefined;
    if (/^(---|\.\.\.)(\s|$)/.test(raw)) {
      if (raw.startsWith('---') && (found.length > 0 || document > 0)) document++;
      levels.length = 0;
      continue;
    }
    if (content === '' || content.startsWith('#')) continue;
    const [, dashes = ''] = /^(\s*(?:-\s+|-$)*)/.exec(raw) ?? [];
    const rest = raw.slice(dashes.length);
    const hasItem = descend(levels, dashes, dashes.length);
    const [, name, value = ''] = FIELD.exec(withoutComment(rest)) ?? [];
    if (name !== undefined) {
      levels.push({ indent: dashes.length, step: unquoted(name) });
      if (/^[|>][+-]?\d*$/.test(value)) textIndent = dashes.length;
    } else if (!hasItem) continue;
    const path = levels.map(({ step }) => step);
    found.push({ line, document, path, value: unquoted(name === undefined ? withoutComment(rest) : value) });
  }
  return { lines: found, levels, document };
}

/**
 * Leaves the levels that end before this line, and enters the items that its dashes begin.
 *
 * @param column the column of the text behind the dashes
 * @returns whether there is an item
 */
function descend(levels: Level[], before: string, column: number): boolean {
  const dashes = [...before.matchAll(/-/g)].map(({ index }) => index);
  for (const [position, at] of dashes.entries()) {
    while ((levels.at(-1)?.indent ?? -1) > at) levels.pop();
    const last = levels.at(-1);
    if (last?.indent === at && typeof last.step === 'number') last.step++;
    else levels.push({ indent: at, step: 0 });
    if (position === dashes.length - 1) return true;
  }
  while ((levels.at(-1)?.indent ?? -1) >= column) levels.pop();
  return false;
}

function withoutComment(text: string): string {
  return text.replace(/(^|\s)#.*$/, '').trimEnd();
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}
