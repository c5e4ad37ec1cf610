import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The name of a new kata. */
interface SkeletonOptions {
  /** `41-kubelet` */
  readonly id: string;
  /** The name of its files: `kubelet`. In camel case it is the name of the exported component. */
  readonly noun: string;
}

/**
 * A kata that runs as it is: a controller that counts the keys of ConfigMaps. `NN-name` and `noun` in paths are
 * placeholders.
 */
const TEMPLATE = path.join(import.meta.dirname, 'skeleton');

/**
 * Returns the files of a new kata, by path. The kata is small and runs as it is. `AUTHOR:` marks each place for its
 * author to write, with a short description. The workbook's tests fail until the last mark is removed.
 */
export function skeletonOf({ id, noun }: SkeletonOptions): ReadonlyMap<string, string> {
  const values = {
    id,
    noun,
    number: id.slice(0, 2),
    subject: noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  };
  const templates = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = templates.map(({ parentPath, name }) => {
    const template = path.join(parentPath, name);
    const file = path.relative(TEMPLATE, template).split(path.sep).join('/');
    return [
      file
        .replaceAll('NN-name', id)
        .replace('/noun.', `/${noun}.`)
        .replace(/\.txt$/, ''),
      readFileSync(template, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, key: keyof typeof values) => values[key]),
    ] as const;
  });
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
