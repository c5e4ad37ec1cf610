import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, type Kata } from './katas.ts';

/** What a learner with a mistake sees; the screen itself is kept in `harness/laws/NN-name/golden/<mistake>.txt`. */
export interface MistakeScreen {
  /** `24-deployment` */
  readonly kata: string;
  /** The id of the mistake, from the kata's `mistakes.ts`. */
  readonly mistake: string;
  /** The test file that it is shown to: that of the level or of the law. */
  readonly file: string;
  /** Part of the names of the tests that are run: `Level 2`, or the name of a law. */
  readonly tests: string;
}

/** The golden screens of one kata: the rows of `harness/laws/NN-name/golden/screens.json`; none where it keeps no list. */
export function screensOf(root: string, { id, noun }: Pick<Kata, 'id' | 'noun'>): readonly MistakeScreen[] {
  const folder = goldenOf(root, id);
  if (!filesIn(folder).includes(LIST)) return [];
  const rows = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as Pick<
    MistakeScreen,
    'mistake' | 'tests'
  >[];
  return rows.map(({ mistake, tests }) => ({
    kata: id,
    mistake,
    file: `${noun}${isLevel(tests) ? '' : '.properties'}.test.ts`,
    tests,
  }));
}

/**
 * What is wrong with the golden screens of a kata, as sentences: there must be three, one of them of a law, and as many
 * texts as rows.
 */
export function screenProblems(root: string, kata: Pick<Kata, 'id' | 'noun'>): readonly string[] {
  const screens = screensOf(root, kata);
  const place = `harness/laws/${kata.id}/golden`;
  const wanted = [LIST, ...screens.map(({ mistake }) => `${mistake}.txt`)];
  const kept = filesIn(goldenOf(root, kata.id));
  return [
    ...(screens.length < 3 ? [`${place}/${LIST} names ${screens.length} screens of at least 3`] : []),
    ...(screens.every(({ tests }) => isLevel(tests)) ? [`${place}/${LIST} names no screen of a law`] : []),
    ...wanted.filter((file) => !kept.includes(file)).map((file) => `${place}/${file} is missing`),
    ...kept.filter((file) => !wanted.includes(file)).map((file) => `${place}/${file} has no row in ${LIST}`),
  ];
}

const LIST = 'screens.json';

const isLevel = (tests: string): boolean => /^Level \d/.test(tests);

function goldenOf(root: string, kata: string): string {
  return path.join(root, 'harness/laws', kata, 'golden');
}
