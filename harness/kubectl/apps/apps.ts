import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Manifested, objectsIn } from '../projects/projects.ts';

/** A file that users apply: an application in the shape of a public example, or a rendered chart. */
export interface App {
  readonly name: string;
  /** The path of its file. */
  readonly file: string;
  readonly objects: readonly Manifested[];
  /** The namespace for objects that name none. */
  readonly namespace: string;
  /** Whether the objects name their namespaces themselves, so that kubectl selects none. */
  readonly ownNamespaces: boolean;
}

/** The applications and the charts, in the order of their names. */
export const apps: readonly App[] = ['manifests', 'charts'].flatMap((folder) => {
  const files = readdirSync(path.join(import.meta.dirname, folder)).sort();
  return files.map((file) => appIn(path.join(import.meta.dirname, folder, file), folder === 'charts'));
});

function appIn(file: string, isChart: boolean): App {
  const base = path.basename(file, '.yaml');
  const name = isChart ? `chart ${base}` : base;
  const objects = objectsIn(file);
  return {
    ...{ name, file, objects },
    namespace: isChart ? `chart-${base}` : `app-${base}`,
    ownNamespaces: objects.some(({ metadata }) => metadata.namespace !== undefined),
  };
}

/** Returns the application of this name. */
export function appCalled(name: string): App {
  const found = apps.find((each) => each.name === name);
  if (!found) throw new Error(`Failed to find the application ${name}: no file has this name.`);
  return found;
}
