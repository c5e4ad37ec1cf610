import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { rowsFileOf } from '../workbook/derived.ts';
import { filesIn, type Kata } from '../workbook/katas.ts';
import type { JudgedState } from './kill-record.ts';

/** The folders of the harness that no test of a kata depends on, and the laws, which belong to their katas. */
const APART = ['cli', 'clients', 'kubectl', 'laws', 'page', 'parity', 'serving', 'vitest', 'workbook'];

/** The files of the test runner that decide how a mistake is judged. */
const JUDGES = /^(judge|present|real-time-guard|reporter|stall|stand-in|watchdog)[^.]*\.ts$/;

/**
 * Names the state of a kata and of the harness that it uses. Comments, types and formatting do not count, because
 * they change no verdict.
 *
 * @param root the workbook's folder
 * @param harness the state of the harness, if it is known already. @defaultValue computed, which takes about a second
 */
export function judgedState(root: string, kata: Kata, harness: string = harnessState(root)): JudgedState {
  const folders = [kata.folder, kata.solution, ...lawsOf(root, kata.id)];
  const rows = path.join(root, rowsFileOf(kata.id));
  return { kata: hashOf([rows, ...[...new Set(folders)].flatMap(codeIn)]), harness };
}

/** Names the state of the code that the tests of all katas share: without laws and rows of the component table. */
export function harnessState(root: string): string {
  const harness = path.join(root, 'harness');
  const folders = filesIn(harness).filter((name) => !APART.includes(name) && !name.includes('.'));
  const runner = path.join(harness, 'vitest');
  // Each belongs to one kata, and changes no verdict of another.
  const rows = /[\\/]contracts[\\/]components[\\/](index|\d\d-[^\\/]+)\.ts$/;
  return hashOf([
    // Another version of a generator generates other inputs.
    path.join(root, 'package-lock.json'),
    ...folders.flatMap((name) => codeIn(path.join(harness, name))).filter((file) => !rows.test(file)),
    ...filesIn(runner).flatMap((name) => (JUDGES.test(name) ? [path.join(runner, name)] : [])),
  ]);
}

/** Returns the folder of a kata's laws and the law folders that it imports, directly or indirectly. */
function lawsOf(root: string, id: string): readonly string[] {
  const laws = path.join(root, 'harness/laws');
  const found = new Set([id]);
  for (const name of found) {
    for (const file of codeIn(path.join(laws, name))) {
      const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.\.\/[^']+)'/g);
      for (const [, specifier = ''] of imports) {
        const [folder = '', ...inside] = path
          .relative(laws, path.join(path.dirname(file), specifier))
          .split('/');
        if (folder !== '..' && inside.length > 0) found.add(folder);
      }
    }
  }
  return [...found].map((name) => path.join(laws, name));
}

/**
 * Returns the files below a folder that hold code, tables or screens, without the harness's own tests. Empty if the
 * folder is absent.
 */
function codeIn(folder: string): readonly string[] {
  if (filesIn(folder).length === 0) return [];
  const isOwnTest = folder.includes(`${path.sep}harness${path.sep}`) ? /\.(test|bench)\.ts$/ : /\.bench\.ts$/;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|json|txt)$/.test(entry.name) && !isOwnTest.test(entry.name))
    .filter(({ name }) => name !== 'kills.json' && name !== 'signatures.json')
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
}

function hashOf(files: readonly string[]): string {
  const sum = createHash('sha256');
  for (const file of files) {
    sum.update(`${path.basename(file)}\n${contentOf(file)}\n`);
  }
  return sum.digest('hex').slice(0, 16);
}

function contentOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.ts')) return text;
  return transformSync(text, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' }).code;
}
