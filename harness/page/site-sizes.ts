import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of the built page. Sizes are in bytes. */
interface FileSize {
  /** Relative to the folder of the site. */
  readonly name: string;
  readonly raw: number;
  readonly gzip: number;
  /** Whether a visitor loads the file at once. An editor comes when it is opened. */
  readonly isFirst: boolean;
}

/** Chunks that the page loads later, by the start of their names: the editor, diagrams, tests to paste, and failing laws. */
const LATER = /^assets\/(?:editor|manifest-editor|sequence-drawer|sequence-diagram|scenario|show-failure)-/;

/** Returns the size of each file of a site, the largest first. */
export function siteSizes(folder: string): readonly FileSize[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, file).split(path.sep).join('/');
      const bytes = readFileSync(file);
      return { name, raw: bytes.length, gzip: gzipSync(bytes).length, isFirst: !LATER.test(name) };
    })
    .sort((a, b) => b.raw - a.raw);
}

/** Renders a line for each file, and one for everything that a visitor loads first. */
export function sizeLines(files: readonly FileSize[]): readonly string[] {
  const first = files.filter(({ isFirst }) => isFirst);
  const sum = (of: 'raw' | 'gzip'): number => first.reduce((total, file) => total + file[of], 0);
  const rows = [...files, { name: 'the first load', raw: sum('raw'), gzip: sum('gzip') }];
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(
    ({ name, raw, gzip }) => `${name.padEnd(width)}  ${kilobytes(raw)}  gzip ${kilobytes(gzip)}`,
  );
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1).padStart(7)} KB`;
