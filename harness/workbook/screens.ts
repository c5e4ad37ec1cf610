import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, type Kata } from './katas.ts';

/** A golden screen: the output for a learner with this mistake, when these tests run. */
export interface MistakeScreen {
  /** `24-deployment` */
  readonly kata: string;
  /** The file with the screen: `harness/laws/24-deployment/golden/surge-rounds-down--level-2.txt`. */
  readonly golden: string;
  /** The id of the mistake, from the kata's `mistakes.ts`. */
  readonly mistake: string;
  /** The test file of the level or of the law. */
  readonly file: string;
  /** Part of the names of the tests that run: `Level 2`, or the name of a law. */
  readonly tests: string;
}

/**
 * Returns the golden screens of one kata: the rows of `harness/laws/NN-name/golden/screens.json`; empty without that
 * file.
 */
export function screensOf(root: string, { id, noun }: Pick<Kata, 'id' | 'noun'>): readonly MistakeScreen[] {
  const folder = path.join(root, placeOf(id));
  if (!filesIn(folder).includes(LIST)) return [];
  const rows = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as Pick<
    MistakeScreen,
    'mistake' | 'tests'
  >[];
  return rows.map(({ mistake, tests }) => ({
    kata: id,
    golden: `${placeOf(id)}/${mistake}--${tests.toLowerCase().replace(/\W+/g, '-')}.txt`,
    mistake,
    file: `${noun}${isLevel(tests) ? '' : '.properties'}.test.ts`,
    tests,
  }));
}

/**
 * Returns the faults of a kata's golden screens, as sentences. A kata needs three screens, one of them of a law, and one file for
 * each row.
 */
export function screenProblems(root: string, kata: Pick<Kata, 'id' | 'noun'>): readonly string[] {
  const screens = screensOf(root, kata);
  const place = placeOf(kata.id);
  const wanted = [LIST, ...screens.map(({ golden }) => path.basename(golden))];
  const kept = filesIn(path.join(root, place));
  return [
    ...(screens.length < 3 ? [`${place}/${LIST} lists ${screens.length} screens instead of at least 3`] : []),
    ...(screens.every(({ tests }) => isLevel(tests)) ? [`${place}/${LIST} lists no screen of a law`] : []),
    ...wanted
      .filter((file) => !kept.includes(file))
      .map((file) => `${place}/${file} is missing: npm run judge -- ${kata.id.slice(0, 2)} writes it`),
    ...kept.filter((file) => !wanted.includes(file)).map((file) => `${place}/${file} has no row in ${LIST}`),
  ];
}

const LIST = 'screens.json';

const isLevel = (tests: string): boolean => /^Level \d/.test(tests);

const placeOf = (kata: string): string => `harness/laws/${kata}/golden`;
