import path from 'node:path';
import type { Plugin } from 'vitest/config';
import { takenFiles } from '../workbook/taken.ts';

/** A learner's files, relative to the workbook, and the functions in each that still call `todo`. */
type OwnFiles = Readonly<Record<string, readonly string[]>>;

const ID = '\0own-components';

/**
 * Replaces `#components` by a list with the learner's components, for the tests of a later kata. The other components
 * are the reference components.
 *
 * @param root the workbook's folder
 */
export function ownComponents(root: string, files: OwnFiles): Plugin {
  return {
    name: 'own-components',
    enforce: 'pre',
    resolveId: (source) => (source === '#components' ? ID : null),
    load: (id) => (id === ID ? moduleOf(root, files) : null),
  };
}

const BY_KATA = '\0own-components-by-kata';

/**
 * Replaces `#own-components` by the learner's finished components of each kata, for the tests of a kata without code.
 *
 * @param files the files of {@link ownComponents}. @defaultValue the files that `--mine` takes when the tests are loaded
 */
export function ownComponentsByKata(root: string, files?: OwnFiles): Plugin {
  return {
    name: 'own-components-by-kata',
    enforce: 'pre',
    resolveId: (source) => (source === '#own-components' ? BY_KATA : null),
    load: (id) => (id === BY_KATA ? moduleByKata(root, files ?? takenFiles(root)) : null),
  };
}

/** Returns the text of the module that replaces `#own-components`. It prints whose components run. */
export function moduleByKata(root: string, files: OwnFiles): string {
  const at = (file: string): string => JSON.stringify(path.join(root, file));
  const katas = Object.entries(files).map(([file, unwritten], index) => {
    const [, kata] = file.split('/');
    return `['${kata}', componentsIn('${kata}', own${index}, { unwritten: ${JSON.stringify(unwritten)} })]`;
  });
  return [
    "import { componentsIn, sayOwners } from '#harness/testing';",
    `import { components as reference } from ${at('solutions/components.ts')};`,
    ...Object.keys(files).map((file, index) => `import * as own${index} from ${at(file)};`),
    'export { reference };',
    `export const own = new Map([${katas.join(', ')}]);`,
    'console.log(sayOwners([...own.values()].flatMap((parts) => Object.keys(parts))));',
  ].join('\n');
}

/** Returns the text of the module that replaces `#components`. */
export function moduleOf(root: string, files: OwnFiles): string {
  const at = (file: string): string => JSON.stringify(path.join(root, file));
  const own = Object.entries(files);
  const parts = own.map(([file, unwritten], index) => {
    const [, kata] = file.split('/');
    return `...componentsIn('${kata}', own${index}, { unwritten: ${JSON.stringify(unwritten)} })`;
  });
  return [
    "import { componentsIn } from '#harness/testing';",
    `import { components as reference } from ${at('solutions/components.ts')};`,
    ...own.map(([file], index) => `import * as own${index} from ${at(file)};`),
    `export const components = { ${['...reference', ...parts].join(', ')} };`,
  ].join('\n');
}
