/** Mistakes of level 3 · List. */
import type { Mistake } from '#harness/testing';

/** Level 3 · List. */
export const level3: readonly Mistake[] = [
  {
    id: 'lists-at-0-again',
    why: 'After a gap it takes any state that some server has at hand, older ones than it has seen included.',
    origin: 'k#59848: two apiservers, one behind, and a pod runs on two nodes',
    law: 'No time travel',
    edits: [["return this.#lastSyncResourceVersion || '0';", "return '0';"]],
  },
  {
    id: 'always-the-newest',
    why: 'Each list goes to etcd, past every cache: after a restart of the apiservers, from everybody at once.',
    origin: 'common',
    law: 'Level 3',
    edits: [["return this.#lastSyncResourceVersion || '0';", "return '';"]],
  },
  {
    id: 'expired-list-not-handled',
    why: 'Asks again and again for a version that the server has thrown away.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Level 3',
    edits: [
      [
        'if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;',
        'if (!isTooLargeResourceVersion(error)) throw error;',
      ],
    ],
  },
  {
    id: 'too-large-not-handled',
    why: 'Asks again and again for a version that the server does not have yet, and may not have for a long time.',
    origin: 'k#91073: kubelets stuck after an outage',
    law: 'Level 3',
    edits: [
      [
        'if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;',
        'if (!isExpired(error)) throw error;',
      ],
    ],
  },
  {
    id: 'newest-for-ever',
    why: 'Once a version was unavailable, every later list goes to etcd.',
    origin: 'common',
    law: 'Level 3',
    edits: [['this.#isLastSyncResourceVersionUnavailable = false;\n    this.#options', 'this.#options']],
  },
  {
    id: 'last-page-only',
    why: 'Each page takes the place of the one before: who has more than 500 objects loses the rest.',
    origin: 'common',
    law: 'Level 3',
    edits: [['items.push(...page.items);', 'items.splice(0, items.length, ...page.items);']],
  },
  {
    id: 'pages-stored-one-by-one',
    why: 'Stores the first page before it has the second, and so reports everybody on the second deleted.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'const items = [...first.items];',
        'const items = [...first.items];\n    this.#options.store.replace(items);',
      ],
    ],
  },
  {
    id: 'expired-page-not-handled',
    why: 'When the pages expire half way, it pages again; a big list at a slow client never comes to its end.',
    origin: 'common',
    law: 'Level 3',
    edits: [['if (!isExpired(error)) throw error;\n        // Half', 'throw error;\n        // Half']],
  },
  {
    id: 'empties-the-cache-first',
    why: 'Forgets everything before it lists: when the list fails, the world has ended for its handlers.',
    origin: 'common',
    law: 'Level 3',
    edits: [['let list: List<T>;', 'let list: List<T>;\n    this.#options.store.replace([]);']],
  },
];
