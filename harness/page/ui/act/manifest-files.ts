/** A command and the text of its files. */
export interface WithFiles {
  readonly line: string;
  /** The texts of all files of the line, for `-f -`. */
  readonly manifest?: string;
  /** The first file that does not exist. */
  readonly missing?: string;
}

/** A flag `-f NAME`, `-fNAME`, `--filename=NAME` with its value. */
const FLAG = /(^|\s)(?:-f\s*=?\s*|--filename(?:=|\s+))("[^"]*"|'[^']*'|[^\s-][^\s]*)/g;

/**
 * Replaces the files of a command with `-f -` and their texts, because a run knows only texts.
 *
 * @param files the texts by name
 */
export function withFiles(line: string, files: ReadonlyMap<string, string>): WithFiles {
  if (!takesFiles(line)) return { line };
  const names = [...line.matchAll(FLAG)].map(([, , name = '']) => name.replace(/^["']|["']$/g, ''));
  if (names.length === 0) return { line };
  const texts = names.map((name) => files.get(name.replace(/^(.*\/)?/, '')));
  const missing = names.find((_, index) => texts[index] === undefined);
  if (missing !== undefined) return { line, missing };
  const rest = line.replace(FLAG, '$1').replace(/\s+/g, ' ').trim();
  return { line: `${rest} -f -`, manifest: texts.join('---\n') };
}

/** Returns whether the line reads a manifest from its input. */
export function readsInput(line: string): boolean {
  return takesFiles(line) && /(^|\s)(-f\s*=?\s*|--filename(=|\s+))-(\s|$)/.test(line);
}

/** Returns whether the last word of a half-typed line is the name of a file; then its beginning. */
export function begunFile(line: string): string | undefined {
  if (!takesFiles(line)) return undefined;
  return /(?:^|\s)(?:-f\s+|-f=|--filename=|--filename\s+)(\S*)$/.exec(line)?.[1];
}

/** In `logs -f` the flag means "follow". */
function takesFiles(line: string): boolean {
  const [own = ''] = line.split(/\s--\s/);
  return !/(^|\s)(logs|attach|exec)(\s|$)/.test(own);
}
