import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Mistake, speaksOf } from '../testing/mistakes.ts';
import { readKillRecord } from '../vitest/kill-record.ts';
import { placeOf } from './declarations.ts';
import { type Kata, listKatas, readReference } from './katas.ts';
import { helpersOf, linesOf, readFirstDraft, type ShortWay, shortWayOf } from './short-way.ts';
import { listSources, root } from './sources.ts';
import { todosIn } from './stub.ts';

const katas = listKatas(root).filter(({ id }) => id.startsWith(process.env.KATA_ONLY ?? ''));

/** The limits of a short way: 45 minutes for someone who programs well. */
const LINES = { min: 40, max: 90 };
const WORDS_MAX = 600;
const FUNCTIONS = { min: 3, max: 5 };

describe.each(katas)('The short way into $id', (kata) => {
  const short = shortWayOf(kata);

  test('has a page with a figure, a law and a first draft', () => {
    expect(short).toBeDefined();
    expect(short?.figures).toBeGreaterThanOrEqual(1);
    expect(short?.words).toBeLessThanOrEqual(WORDS_MAX);
    expect(readFirstDraft(kata)).toBeDefined();
    expect(lawNames(kata).filter((name) => speaksOf(short?.law ?? '', name))).not.toEqual([]);
  });

  test('leaves a few functions of the stub to the learner', () => {
    const known = new Set(todosOf(kata).flatMap((symbol) => [symbol, symbol.split('.')[0] ?? '']));
    expect(short?.functions.filter((name) => !known.has(name))).toEqual([]);
    expect(short?.functions.length).toBeGreaterThanOrEqual(FUNCTIONS.min);
    expect(short?.functions.length).toBeLessThanOrEqual(FUNCTIONS.max);
    const lines = short ? linesOf(kata, short) : 0;
    expect(lines).toBeGreaterThanOrEqual(LINES.min);
    expect(lines).toBeLessThanOrEqual(LINES.max);
  });

  test('has laws that kill every visible mistake in its functions', async () => {
    const { kills } = readKillRecord(kata);
    const visible = short ? await visibleMistakes(kata, short) : [];
    expect(visible.length).toBeGreaterThan(0);
    const isKilled = ({ id }: Mistake): boolean =>
      (kills[id] ?? []).some((kill) => !/^Level /.test(kill.test));
    expect(visible.filter((mistake) => !isKilled(mistake)).map(({ id }) => id)).toEqual([]);
  });
});

test.skipIf(process.env.KATA_ONLY)('docs/workshop/short-ways.md lists the short ways', async () => {
  const rows = await Promise.all(katas.map(rowOf));
  const table = [
    '| kata | block | you write | lines | words | the first draft falls to | mistakes |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
  const text = `# The short ways

Each kata has a short way: \`npm run kata -- start 23 --short\` leaves you a few functions, and fills in the rest. Read only its
\`SHORT.md\`. Then the levels and the laws decide, as always. This table lists the functions, the lines that the reference has for them,
the words of the page, the law that a typical first draft breaks, and the number of known mistakes in these functions. The laws kill all
of these mistakes without the levels.

${table.join('\n')}
`;
  await expect(text).toMatchFileSnapshot(path.join(root, 'docs/workshop/short-ways.md'));
});

async function rowOf(kata: Kata): Promise<string> {
  const short = shortWayOf(kata);
  if (!short) return `| ${kata.id} | – | – | – | – | – | – |`;
  const visible = await visibleMistakes(kata, short);
  const cells = [
    `[${kata.id}](../../katas/${kata.id}/SHORT.md)`,
    existsSync(path.join(kata.solution, 'workshop.md'))
      ? `[block](../../solutions/${kata.id}/workshop.md)`
      : '–',
    short.functions.map((name) => `\`${name}\``).join(', '),
    linesOf(kata, short),
    short.words,
    `*${short.law}*`,
    visible.length,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Returns the mistakes that change the functions of a short way, or their helpers, and show in a cluster. */
async function visibleMistakes(kata: Kata, short: ShortWay): Promise<readonly Mistake[]> {
  const file = path.join(kata.solution, 'mistakes.ts');
  const { mistakes } = (await import(file)) as { readonly mistakes: readonly Mistake[] };
  const sources = [...readReference(kata).values()];
  const names = [...short.functions, ...helpersOf(kata, short)];
  const isInside = (place: string): boolean =>
    names.some((name) => place === name || place.startsWith(`${name}.`));
  return mistakes.filter(
    ({ hidden, edits }) =>
      hidden === undefined &&
      edits.some(([from]) => sources.some((text) => isInside(placeOf(text, text.indexOf(from))))),
  );
}

const todosOf = ({ id, noun }: Kata): readonly string[] =>
  listSources(`katas/${id}`, '.ts')
    .filter(({ file }) => file.endsWith(`/${noun}.ts`))
    .flatMap(({ text }) => todosIn(text).map(({ symbol }) => symbol));

/** Returns the names of the kata's laws. */
const lawNames = ({ id }: Kata): readonly string[] =>
  listSources(`katas/${id}`, '.properties.test.ts').flatMap(({ text }) =>
    [...text.matchAll(/\btest\(\s*(['"`])(.+?)\1/g)].map(([, , name = '']) => name),
  );
