import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One kata and its pair in `solutions/`, as found on disk. All paths are absolute. */
export interface Kata {
  /** `21-informer` */
  readonly id: string;
  /** `informer`: what its files are called; empty when the folder holds no stub that could be the subject. */
  readonly noun: string;
  /** `katas/21-informer` */
  readonly folder: string;
  /** `solutions/21-informer` */
  readonly solution: string;
  /** The test files: examples, then properties, then the rest. */
  readonly tests: readonly string[];
}

/** Every kata below `root`, in order of id. */
export function listKatas(root: string): readonly Kata[] {
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

/** The files a reference is made of: those that mistakes and variants may edit, with their text. */
export function readReference({ solution }: Kata): ReadonlyMap<string, string> {
  const names = filesIn(solution).filter(
    (name) => name.endsWith('.ts') && !['mistakes.ts', 'variants.ts'].includes(name),
  );
  return new Map(
    names.map((name) => [path.join(solution, name), readFileSync(path.join(solution, name), 'utf8')]),
  );
}

/** The names in a folder, sorted; none when there is no such folder. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Orders test files as they are taught: `x.test.ts`, `x.properties.test.ts`, then the others. */
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
