import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A kata and its counterpart in `solutions/`, as found on disk. All paths are absolute. */
export interface Kata {
  /** `21-informer` */
  readonly id: string;
  /** `informer`: the name of its files; empty if the folder has no stub. */
  readonly noun: string;
  /** `katas/21-informer` */
  readonly folder: string;
  /** `solutions/21-informer` */
  readonly solution: string;
  /** The test files to run: examples, then properties, then the rest. The examples import their levels. */
  readonly tests: readonly string[];
}

/** Returns every kata below `root` that the learner writes code for, in order of id. */
export function listKatas(root: string): readonly Kata[] {
  return foldersOf(root).filter((kata) => !isWithoutCode(kata));
}

/** Returns the katas without code below `root`, in order of id: their laws run the components of other katas. */
export function listKatasWithoutCode(root: string): readonly Kata[] {
  return foldersOf(root).filter(isWithoutCode);
}

/** Returns whether a kata has laws, and neither a stub nor examples. */
function isWithoutCode({ noun, tests }: Kata): boolean {
  return noun === '' && tests.length > 0 && tests.every((file) => file.endsWith('.properties.test.ts'));
}

function foldersOf(root: string): readonly Kata[] {
  return numberedIn(path.join(root, 'katas')).map((id) => {
    const folder = path.join(root, 'katas', id);
    const files = filesIn(folder);
    const tests = files.filter((name) => name.endsWith('.test.ts'));
    const noun = files
      .filter((name) => name.endsWith('.ts') && !tests.includes(name))
      .map((name) => path.basename(name, '.ts'))
      .find((name) => tests.includes(`${name}.test.ts`));
    return {
      id,
      noun: noun ?? '',
      folder,
      solution: path.join(root, 'solutions', id),
      tests: [...tests].sort(byTeachingOrder).map((name) => path.join(folder, name)),
    };
  });
}

/**
 * Returns the kata for a judge: a kata, or a reference without a kata, whose tests and code share one folder. Undefined
 * if neither exists.
 */
export function judgedKata(root: string, id: string): Kata | undefined {
  const folder = path.join(root, 'solutions', id);
  const tests = filesIn(folder).filter((name) => name.endsWith('.test.ts'));
  const reference: Kata = {
    id,
    noun: '',
    folder,
    solution: folder,
    tests: [...tests].sort(byTeachingOrder).map((name) => path.join(folder, name)),
  };
  return listKatas(root).find((kata) => kata.id === id) ?? (tests.length > 0 ? reference : undefined);
}

/** A folder below `solutions/`. */
interface Solution {
  /** `25-garbage-collector` */
  readonly id: string;
  readonly hasKata: boolean;
  /** The names of its files. */
  readonly files: readonly string[];
  /** The text of its README; empty if it has none. */
  readonly readme: string;
}

/** Returns every solution below `root`, in order of id. */
export function listSolutions(root: string): readonly Solution[] {
  const katas = new Set(numberedIn(path.join(root, 'katas')));
  return numberedIn(path.join(root, 'solutions')).map((id) => {
    const folder = path.join(root, 'solutions', id);
    const files = filesIn(folder);
    const readme = files.includes('README.md') ? readFileSync(path.join(folder, 'README.md'), 'utf8') : '';
    return { id, hasKata: katas.has(id), files, readme };
  });
}

/**
 * Returns the problems of a solution, as sentences. A solution needs no kata, so that whole clusters are complete
 * before all katas are written. Then its README says so under the heading "Without a kata", and it has its own tests.
 * If it has a kata, the tests belong to the kata.
 */
export function solutionProblems({ id, hasKata, files, readme }: Solution): readonly string[] {
  const saysSo = /^#+ +Without a kata *$/m.test(readme);
  const tested = files.some((name) => name.endsWith('.test.ts'));
  if (hasKata) {
    return [
      ...(saysSo ? [`solutions/${id} has a kata, but its README says that it has none`] : []),
      ...(tested ? [`solutions/${id} has a kata: its tests belong in katas/${id}`] : []),
    ];
  }
  return [
    ...(saysSo ? [] : [`solutions/${id} has no kata, but no README that says so under "Without a kata"`]),
    ...(tested ? [] : [`solutions/${id} has no kata, and no tests`]),
  ];
}

/** Returns the files of a reference, with their text: mistakes and variants may edit these. */
export function readReference({ solution }: Pick<Kata, 'solution'>): ReadonlyMap<string, string> {
  const names = filesIn(solution).filter(
    (name) => /^[^.]+\.ts$/.test(name) && !['first-draft.ts', 'mistakes.ts', 'variants.ts'].includes(name),
  );
  return new Map(
    names.map((name) => [path.join(solution, name), readFileSync(path.join(solution, name), 'utf8')]),
  );
}

/**
 * Returns the titles of the levels in a file of examples, including the files that it imports from `levels/`:
 * `Level 2 · Taints`. In order, each once; empty if the file does not exist.
 *
 * @param examples - `katas/NN-name/<noun>.test.ts`, absolute
 */
export function levelsIn(examples: string): readonly string[] {
  const files = [examples, ...levelFilesOf(examples)].filter((file) => existsSync(file));
  const titles = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^describe\(\s*(['"`])(Level \d+\b.*?)\1/gm)].map(
      ([, , title = '']) => title,
    ),
  );
  return [...new Set(titles)];
}

/** Returns whether a kata counts as done without the tests of this title. */
export function isOptional(title: string): boolean {
  return title.includes('★');
}

/** Returns the files that a file of examples imports from `levels/`, in import order. */
export function levelFilesOf(examples: string): readonly string[] {
  if (!existsSync(examples)) return [];
  const imports = readFileSync(examples, 'utf8').matchAll(/^import '(\.\/levels\/[^']+)';\r?$/gm);
  return [...imports].map(([, specifier = '']) => path.join(path.dirname(examples), specifier));
}

/** Returns the names in a folder, sorted; empty if the folder does not exist. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Orders test files for teaching: `x.test.ts`, `x.properties.test.ts`, then the others. */
export function byTeachingOrder(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(file: string): number {
  const name = path.basename(file, '.test.ts');
  if (name.endsWith('.properties')) return 1;
  return name.includes('.') ? 2 : 0;
}

function numberedIn(folder: string): readonly string[] {
  return filesIn(folder).filter((name) => /^\d\d-/.test(name));
}
