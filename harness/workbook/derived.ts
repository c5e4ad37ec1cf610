import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, listKatas, listKatasWithoutCode, readReference } from './katas.ts';
import { exportsOf } from './sources.ts';

/** The command that writes {@link derivedFiles}. */
export const INDEX_COMMAND = 'npm run kata -- index';

/**
 * Returns the current text of the committed files that repeat information from the katas' own files. With these files a
 * compiler, a bundler and a browser need no folder listing.
 *
 * - `harness/contracts/components/index.ts` lists the rows of the table of components.
 * - `solutions/components.ts` lists the reference's implementation of each row.
 * - `README.md` has a table with the title and the first line of each kata's README.
 *
 *
 * @returns the text of each file, by its path relative to the workbook
 * @throws Error when no file of a solution exports the subject of a row
 */
export function derivedFiles(root: string): ReadonlyMap<string, string> {
  const rows = listRows(root);
  const readme = readIfThere(path.join(root, 'README.md'));
  const table = TABLE.exec(readme);
  return new Map([
    [`${ROWS}/index.ts`, indexOf(rows)],
    ['solutions/components.ts', referenceOf(root, rows)],
    ...(table ? [['README.md', readme.replace(TABLE, () => tableOf(root))] as const] : []),
  ]);
}

/** Returns the derived files whose text differs from {@link derivedFiles}. */
export function staleFiles(root: string): readonly string[] {
  return [...derivedFiles(root)].flatMap(([file, text]) =>
    readIfThere(path.join(root, file)) === text ? [] : [file],
  );
}

/** Returns the file with a kata's rows in the table of components. */
export const rowsFileOf = (id: string): string => `${ROWS}/${id}.ts`;

const ROWS = 'harness/contracts/components';

/** A row of the table of components, as its file declares it. */
interface Row {
  readonly kata: string;
  readonly part: string;
  readonly subject: string;
}

/** Returns every row, in order of the katas, and within a kata in file order. */
function listRows(root: string): readonly Row[] {
  const katas = filesIn(path.join(root, ROWS)).filter((name) => /^\d\d-.*\.ts$/.test(name));
  return katas.flatMap((name) => {
    const kata = path.basename(name, '.ts');
    const text = readFileSync(path.join(root, rowsFileOf(kata)), 'utf8');
    const declared = text.matchAll(/^export const (\w+): Part<[^;]*?\bsubject: '(\w+)'/gm);
    return [...declared].map(([, part = '', subject = '']) => ({ kata, part, subject }));
  });
}

function indexOf(rows: readonly Row[]): string {
  const names = (kata: string) => rows.filter((row) => row.kata === kata).map(({ part }) => part);
  return [
    ...new Set(rows.map(({ kata }) => importOf(names(kata), `./${kata}.ts`))),
    '',
    `/** Every part of a cluster, in the order of the katas. \`${INDEX_COMMAND}\` writes this file. */`,
    'export const parts = {',
    ...rows.map(({ part }) => `  ${part},`),
    '};',
    '',
  ].join('\n');
}

function referenceOf(root: string, rows: readonly Row[]): string {
  const homes = new Map(rows.map((row) => [row, homeOf(root, row)]));
  const subjects = (home: string) => rows.filter((row) => homes.get(row) === home).map((row) => row.subject);
  return [
    "import type { Components } from '#harness';",
    ...new Set([...homes.values()].toSorted().map((home) => importOf(subjects(home), home))),
    '',
    `/** The reference cluster: the components of the solutions. \`${INDEX_COMMAND}\` writes this file. */`,
    'export const components: Components = {',
    ...rows.map(({ part, subject }) => (part === subject ? `  ${part},` : `  ${part}: ${subject},`)),
    '};',
    '',
  ].join('\n');
}

/** Returns the file of a solution that exports a subject, as `solutions/components.ts` imports it. */
function homeOf(root: string, { kata, part, subject }: Row): string {
  const reference = readReference({ solution: path.join(root, 'solutions', kata) });
  const homes = [...reference].filter(([file, text]) => exportsOf({ file, text }).includes(subject));
  // Prefer the file that is named after the kata: it may re-export the subject.
  const [home] = homes.find(([file]) => kata.endsWith(`-${path.basename(file, '.ts')}`)) ?? homes[0] ?? [];
  if (home !== undefined) return `./${kata}/${path.basename(home)}`;
  throw new Error(
    `Failed to derive solutions/components.ts: no file of solutions/${kata} exports ${subject}, the subject of ${part}.`,
  );
}

/** The longest line that Biome leaves as it is: `lineWidth` in biome.json. */
const LINE_WIDTH = 110;

/** Writes an import with its names in Biome's order: letter by letter, a capital before the same small letter. */
function importOf(names: readonly string[], from: string): string {
  const keyOf = (name: string) => name.replace(/./g, (c) => `${c.toLowerCase()}${Number(!/[A-Z]/.test(c))}`);
  const sorted = names.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const line = `import { ${sorted.join(', ')} } from '${from}';`;
  return line.length <= LINE_WIDTH ? line : `import {\n  ${sorted.join(',\n  ')},\n} from '${from}';`;
}

const TABLE = /(?<=<!-- katas -->\n)[\s\S]*?(?=<!-- \/katas -->)/;

/** Writes a row for each kata: its id, and the title and first line of its README. */
function tableOf(root: string): string {
  const rows = [...listKatas(root), ...listKatasWithoutCode(root)].map(({ id, folder }) => {
    const readme = readIfThere(path.join(folder, 'README.md'));
    const [, title = '', line = ''] = /^# Kata \d\d · (.+)\n\n(.+)\n/.exec(readme) ?? [];
    return `| [${id}](katas/${id}/README.md) | ${title} | ${line} |\n`;
  });
  return `| kata | you build | in a sentence |\n|---|---|---|\n${rows.join('')}`;
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
