import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { laddersIn } from '../cli/hints.ts';
import type { Mistake, Variant } from '../testing/mistakes.ts';
import { applyEdits, missingImports } from '../testing/mistakes.ts';
import { readVariant } from '../vitest/judge-subjects.ts';
import { leftToAuthors } from './authors.ts';
import {
  filesIn,
  isOptional,
  type Kata,
  levelFilesOf,
  levelsIn,
  listKatas,
  listKatasWithoutCode,
  listSolutions,
  readReference,
  solutionProblems,
} from './katas.ts';
import { screenProblems } from './screens.ts';
import { exportsOf, listSources, root, withoutComments } from './sources.ts';
import { todosIn } from './stub.ts';

const all = listKatas(root);

/** `npm run kata -- check 24` checks a single kata. */
const katas = all.filter(({ id }) => id.startsWith(process.env.KATA_ONLY ?? ''));

test('The workbook has a kata', () => expect(all.length).toBeGreaterThanOrEqual(1));

test('Every kata has a solution and a unique number', () => {
  expect(all.filter(({ solution }) => !existsSync(solution)).map(({ id }) => id)).toEqual([]);
  expect(new Set(all.map(({ id }) => id.slice(0, 2))).size).toBe(all.length);
});

test('Every solution has a kata, or declares that it has none and has its own tests', () => {
  const solutions = listSolutions(root);
  expect(solutions.map(({ id }) => id)).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
  expect(solutions.flatMap(solutionProblems)).toEqual([]);
  expect(new Set(solutions.map(({ id }) => id.slice(0, 2))).size).toBe(solutions.length);
});

describe('A solution', () => {
  const files = ['README.md', 'web.ts'];
  const tested = [...files, 'web.test.ts'];
  const readme = '# Web\n\n## Without a kata\n';

  test.each([
    ['without a kata, with the note and with tests', { hasKata: false, files: tested, readme }, 0],
    ['without a kata and without the note', { hasKata: false, files: tested, readme: '# Web' }, 1],
    ['without a kata and without tests', { hasKata: false, files, readme }, 1],
    ['without a kata, the note and tests', { hasKata: false, files: ['web.ts'], readme: '' }, 2],
    ['with a kata', { hasKata: true, files, readme: '# Web' }, 0],
    ['with a kata, but with its own tests', { hasKata: true, files: tested, readme: '# Web' }, 1],
    ['with a kata, but with the note', { hasKata: true, files, readme }, 1],
  ])('%s', (_, solution, problems) =>
    expect(solutionProblems({ id: '99-web', ...solution })).toHaveLength(problems),
  );
});

describe.each(katas)('$id', (kata) => {
  const { id, noun, folder, solution } = kata;
  const readme = () => read(path.join(folder, 'README.md'));

  test('has a stub, examples, properties, hints and a README', () => {
    expect(noun, `no <noun>.ts with a <noun>.test.ts in katas/${id}`).not.toBe('');
    expect(filesIn(folder)).toEqual(
      expect.arrayContaining([
        'HINTS.md',
        'README.md',
        `${noun}.properties.test.ts`,
        `${noun}.test.ts`,
        `${noun}.ts`,
      ]),
    );
  });

  test('has no AUTHOR: mark left', () => {
    const folders = [`katas/${id}`, `harness/laws/${id}`, `solutions/${id}`];
    const sources = folders.flatMap((one) => listSources(one, '.ts', '.md'));
    expect(sources.flatMap(leftToAuthors)).toEqual([]);
  });

  test('has a solution, mistakes and variants', () => {
    expect(filesIn(solution)).toEqual(
      expect.arrayContaining(['README.md', `${noun}.ts`, 'mistakes.ts', 'variants.ts']),
    );
  });

  test('exports the same names from its stub and its solution', () => {
    const exported = (file: string) => exportsOf({ file, text: read(file) });
    const names = exported(path.join(solution, `${noun}.ts`));
    expect(names.length).toBeGreaterThan(0);
    expect(exported(path.join(folder, `${noun}.ts`))).toEqual(names);
  });

  test('has a README with these parts, in this order', () => {
    expect(readme(), 'the table of katas has its title and first line').toMatch(/^# Kata \d\d · .+\n\n.+\n/);
    const parts = [...readme().matchAll(/^## +(.+?) *$/gm)].map(([, heading = '']) => heading);
    expect(parts).toEqual([
      'What you will see in a cluster',
      'The idea',
      'What you build',
      'Levels',
      'Laws',
      'How Kubernetes does it',
      'Size',
    ]);
  });

  test('has three hints for each level, and for each law either three hints or the levels to look at', () => {
    const ladders = laddersIn(read(path.join(folder, 'HINTS.md')));
    const levels = levelsOf(kata);
    expect(ladders.map(({ name }) => name)).toEqual([...levels, ...lawsOf(kata)]);
    const short = ladders.filter(({ name, steps, see }) => {
      const pointing = see.length > 0 && see.every((level) => levels.includes(level));
      return steps.length < 3 && (levels.includes(name) || !pointing);
    });
    expect(short.map(({ name }) => name)).toEqual([]);
  });

  test('states its correct size', () => {
    const { functions, lines } = sizeOf(kata);
    const [, said = ''] = /^## Size\n([\s\S]*)/m.exec(readme()) ?? [];
    const [, saidFunctions] = /(\d+) functions/.exec(said) ?? [];
    const [, saidLines] = /(\d+)\s+lines/.exec(said) ?? [];
    expect(Number(saidFunctions), said).toBe(functions);
    // Rounded, so that it need not change with every line.
    expect(Math.abs(Number(saidLines) - lines), `it is ${lines} lines`).toBeLessThanOrEqual(lines / 8);
  });

  test('has a heading for each of its levels, as hints and stubs expect', () => {
    const levels = levelsOf(kata);
    const pointed = [
      ...read(path.join(folder, `${noun}.ts`)).matchAll(/todo\([^)]*,\s*'([^']+)'\s*,?\s*\)/g),
    ];
    const wanted = new Set([...levels, ...pointed.map(([, heading = '']) => heading)]);
    expect(levels.length).toBeGreaterThan(0);
    const headings = headingsOf(readme());
    const missing = [...wanted].filter((one) => !headings.some((heading) => startsWithWords(heading, one)));
    expect(missing).toEqual([]);
  });

  test('numbers its levels from 1, in order', () => {
    expect(levelsOf(kata)).toEqual(levelsOf(kata).map((_, index) => `Level ${index + 1}`));
  });

  test('has at least three golden screens, one of them of a law', () => {
    expect(screenProblems(root, kata)).toEqual([]);
  });

  test('runs all of its level files', () => {
    const levels = path.join(folder, 'levels');
    const tests = filesIn(levels).filter((name) => name.endsWith('.test.ts'));
    const run = levelFilesOf(path.join(folder, `${noun}.test.ts`));
    expect([...run].sort()).toEqual(tests.map((name) => path.join(levels, name)));
  });

  test('states each of its laws in the README', () => {
    const laws = lawsOf(kata);
    expect(laws.length).toBeGreaterThan(0);
    const text = readme();
    expect(laws.filter((law) => !text.includes(law))).toEqual([]);
  });

  test('has at least twelve mistakes, whose edits apply to the reference', async () => {
    const { mistakes } = (await import(path.join(solution, 'mistakes.ts'))) as {
      readonly mistakes: readonly Mistake[];
    };
    expect(mistakes.length).toBeGreaterThanOrEqual(12);
    expect(new Set(mistakes.map((mistake) => mistake.id)).size).toBe(mistakes.length);
    const reference = readReference(kata);
    for (const mistake of mistakes) {
      const changed = applyEdits(reference, mistake);
      expect(changed.size, mistake.id).toBeGreaterThan(0);
      expect(missingImports(reference, changed), mistake.id).toEqual([]);
    }
  });

  test('has at least two variants, which edit the reference or replace it', async () => {
    const { variants } = (await import(path.join(solution, 'variants.ts'))) as {
      readonly variants: readonly Variant[];
    };
    expect(variants.length).toBeGreaterThanOrEqual(2);
    expect(new Set(variants.map((variant) => variant.id)).size).toBe(variants.length);
    const reference = readReference(kata);
    for (const variant of variants) {
      const whole = variant.file !== undefined && existsSync(path.join(solution, variant.file));
      const changed = applyEdits(reference, variant);
      expect(whole || changed.size > 0, variant.id).toBe(true);
      expect(missingImports(reference, changed), variant.id).toEqual([]);
      const sources = readVariant(kata, variant);
      for (const { why, edits } of variant.mutants ?? []) {
        const mutant = applyEdits(sources, { id: variant.id, edits });
        expect(missingImports(sources, mutant), why).toEqual([]);
      }
    }
  });
});

describe.each(listKatasWithoutCode(root))('$id, which has no code', ({ id, folder, solution, tests }) => {
  test('has only laws and a README, and a solution without a component', () => {
    expect(filesIn(folder).filter((name) => !name.endsWith('.properties.test.ts'))).toEqual(['README.md']);
    expect(filesIn(solution)).toEqual(['README.md']);
  });

  test('has a README with these parts, in this order', () => {
    const readme = read(path.join(folder, 'README.md'));
    expect(readme, 'the table of katas has its title and first line').toMatch(/^# Kata \d\d · .+\n\n.+\n/);
    const parts = [...readme.matchAll(/^## +(.+?) *$/gm)].map(([, heading = '']) => heading);
    expect(parts).toEqual(expect.arrayContaining(['What you will see in a cluster', 'The idea', 'Laws']));
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_800);
  });

  test('states each of its laws in the README', () => {
    const readme = read(path.join(folder, 'README.md'));
    const laws = tests.flatMap(lawsIn);
    expect(laws.length, id).toBeGreaterThan(0);
    expect(laws.filter((law) => !readme.includes(`**${law}**`))).toEqual([]);
  });
});

/** Returns `Level n` for each level, in order of the examples. */
function levelsOf({ folder, noun }: Kata): readonly string[] {
  return levelsIn(path.join(folder, `${noun}.test.ts`)).map((title) => title.replace(/^(Level \d+).*/, '$1'));
}

/**
 * Returns the size of a learner's work: the number of functions, and the lines that the reference needs for them,
 * without comments and imports.
 */
function sizeOf(kata: Kata): { readonly functions: number; readonly lines: number } {
  const stub = read(path.join(kata.folder, `${kata.noun}.ts`));
  const functions = todosIn(stub).length;
  const reference = [...readReference(kata).values()].map(codeLines);
  const given = codeLines(stub) - functions;
  return { functions, lines: reference.reduce((sum, lines) => sum + lines, 0) - given };
}

function codeLines(text: string): number {
  return withoutComments(text)
    .replace(/^(?:import|export)\s[^;=()]*?\sfrom\s+'[^']+';$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length;
}

/** Returns the names of the laws: the part before the colon in the titles of the properties. */
function lawsOf({ folder, noun }: Kata): readonly string[] {
  return lawsIn(path.join(folder, `${noun}.properties.test.ts`));
}

function lawsIn(file: string): readonly string[] {
  const text = read(file);
  return [...text.matchAll(/^\s*(?:it|test)\(\s*['"`]([^:'"`]+)/gm)].map(([, law = '']) => law);
}

function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => heading);
}

function startsWithWords(heading: string, words: string): boolean {
  return heading.startsWith(words) && !/^\w/.test(heading.slice(words.length));
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

test('Optional laws (★) that name levels name only optional levels', () => {
  const named = all.flatMap((kata) => {
    const optional = levelsIn(path.join(kata.folder, `${kata.noun}.test.ts`)).filter(isOptional);
    const numbers = optional.map((title) => Number(/^Level (\d+)/.exec(title)?.[1]));
    const titles = [
      ...readFileSync(path.join(kata.folder, `${kata.noun}.properties.test.ts`), 'utf8').matchAll(
        /^describe\('(★.*\(Levels? (\d+)(?: to (\d+))?\))'/gm,
      ),
    ];
    return titles.map(([, title, from, to = from]) => ({
      title: `${kata.id}: ${title}`,
      known: numbers.includes(Number(from)) && numbers.includes(Number(to)),
    }));
  });
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ known }) => !known).map(({ title }) => title)).toEqual([]);
});
