/** The texts of the panel with the learner's parts. */
export const ownTexts = {
  title: 'Your parts',
  intro:
    'Put your own code into this cluster. When you save a file that runs here, its part is replaced in place, and its processes restart.',
  none: 'This page has no files of yours. In a clone of the workbook, npm run page opens it with them.',
  columns: { kata: 'Kata', parts: 'Parts', code: 'Code', state: 'State' },
  reference: 'reference',
  yours: 'yours',
  choose: (kata: string): string => `Code of ${kata}`,
  state: {
    unwritten: (functions: readonly string[]): string =>
      functions.length === 1
        ? `${functions[0]} is not written yet`
        : `${functions.length} functions are not written yet`,
    done: 'its laws hold',
    open: 'written; its laws have not all held',
    version: (version: number): string => `loaded ${version === 1 ? 'once' : `${version} times`}`,
  },
} as const;
