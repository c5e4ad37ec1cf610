import path from 'node:path';
import type { Plugin } from 'vitest/config';

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
