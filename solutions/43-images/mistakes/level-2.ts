import type { Mistake } from '#harness/testing';

/** Level 2 · When to pull */
export const level2: readonly Mistake[] = [
  {
    id: 'latest-from-the-disk',
    why: 'Every image has the policy IfNotPresent: latest stays the version of the first pull.',
    origin: 'common',
    law: 'Follows policy',
    edits: [
      [
        `parseImageName(image).tag === 'latest' ? 'Always' : 'IfNotPresent'`,
        `parseImageName(image).tag === '' ? 'Always' : 'IfNotPresent'`,
      ],
    ],
  },
  {
    id: 'a-port-is-a-tag',
    why: 'Searches the tag in the text of the name, and finds a port.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        `return parseImageName(image).tag === 'latest' ?`,
        `return !/[:@]/.test(image) || image.endsWith(':latest') ?`,
      ],
    ],
  },
  {
    id: 'always-if-it-is-not-there',
    why: 'Uses a present image even if the policy is Always.',
    origin: 'common',
    law: 'Follows policy',
    edits: [
      [
        `if (policy === 'Always') return 'pull';
`,
        '',
      ],
      [
        `policy === 'Always' ? undefined : await this.#lookUp(request, spec)`,
        'await this.#lookUp(request, spec)',
      ],
    ],
  },
  {
    id: 'never-means-seldom',
    why: 'Pulls a missing image even if the policy is Never.',
    origin: 'common',
    law: 'Follows policy',
    edits: [[`return policy === 'Never' ? 'refuse' : 'pull';`, `return 'pull';`]],
  },
  {
    id: 'never-is-refused',
    why: 'Refuses a present image if the policy is Never.',
    origin: 'common',
    law: 'Level 2',
    edits: [[`if (usable) return 'use';`, `if (usable && policy !== 'Never') return 'use';`]],
  },
];
