import { componentTable } from '../../cluster/component-table.ts';
import { componentsIn, type Exports } from '../../cluster/own-components.ts';
import type { Components } from '../../contracts/component.ts';
import type { OwnFile } from '../protocol/own.ts';
import type { PartName } from '../run/parts.ts';

/**
 * Imports the present text of a module.
 *
 * @param version makes it another module than the versions before
 * @throws Error with the reason for a reader: a syntax error with its place, an error that the module throws
 */
export type ImportModule = (url: string, version: number) => Promise<Exports>;

/** A kata's file and its versions. */
interface Loaded {
  file: OwnFile;
  readonly versions: Partial<Components>[];
  error: string | undefined;
}

/** The learner's files, in all versions that this page has loaded. */
export class OwnParts {
  readonly #import: ImportModule;
  readonly #loaded = new Map<string, Loaded>();

  constructor(importModule: ImportModule) {
    this.#import = importModule;
  }

  /** The files that the page offers, in the order of the katas. */
  get files(): readonly (OwnFile & Pick<Loaded, 'error'> & { readonly version: number })[] {
    return [...this.#loaded.values()].map(({ file, error, versions }) => ({
      ...file,
      error,
      version: versions.length,
    }));
  }

  /** Offers files, without loading them. */
  offer(files: readonly OwnFile[]): void {
    for (const file of files) {
      const known = this.#loaded.get(file.kata);
      if (known) known.file = file;
      else this.#loaded.set(file.kata, { file, versions: [], error: undefined });
    }
  }

  /**
   * Loads the file of a kata as it is now. The versions before stay usable.
   *
   * @returns the number of the new version, and its parts
   * @throws Error when it cannot be loaded, or exports no part
   */
  async load(kata: string): Promise<{ readonly version: number; readonly parts: readonly PartName[] }> {
    const loaded = this.#loaded.get(kata);
    if (!loaded) throw new Error(`Failed to load ${kata}: this page has no file of it.`);
    const { file, versions } = loaded;
    try {
      const exports = await this.#import(file.url, versions.length + 1);
      const components = componentsIn(kata, exports, { unwritten: file.unwritten });
      const parts = Object.keys(components) as PartName[];
      if (parts.length === 0)
        throw new Error(`it does not export ${subjectsOf(kata).join(' or ')}. Export it.`);
      loaded.error = undefined;
      return { version: versions.push(components), parts };
    } catch (error) {
      loaded.error = error instanceof Error ? error.message : String(error);
      throw new Error(`Failed to load ${file.file}: ${loaded.error}`, { cause: error });
    }
  }

  /** Returns a part of a version. @throws Error when this page never loaded it */
  readonly own = <K extends PartName>(part: K, version: number): Components[K] => {
    const { kata } = componentTable[part];
    const component = this.#loaded.get(kata)?.versions[version - 1]?.[part];
    if (component) return component as Components[K];
    throw new Error(`Failed to use your ${part}: version ${version} of ${kata} was not loaded in this page.`);
  };
}

/** Returns the exports that a kata's parts have. */
function subjectsOf(kata: string): readonly string[] {
  return Object.values(componentTable).flatMap((row) => (row.kata === kata ? [row.subject] : []));
}
