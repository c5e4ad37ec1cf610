/** Level 4 · List. */
import type { Mistake } from '#harness/testing';

export const list: readonly Mistake[] = [
  {
    id: 'lists-at-0-again',
    why: 'After a gap it takes any state that some server has at hand, also one that is older than what it has seen.',
    origin: 'k#59848: two apiservers, one behind, and a pod runs on two nodes',
    law: 'Level 4',
    edits: [["return this.lastSyncResourceVersion || '0';", "return '0';"]],
  },
  {
    id: 'always-the-newest',
    why: 'Each list goes to etcd, past every cache: after a restart of the apiservers, from all clients at once.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'The newest version comes out of the watch cache, too: a list of it is the same, and as cheap here.',
    edits: [["return this.lastSyncResourceVersion || '0';", "return '';"]],
  },
  {
    id: 'any-after-a-refusal',
    why: 'When the server does not have the version, it takes any, and goes back in time.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        "if (this.isLastSyncResourceVersionUnavailable) return '';",
        "if (this.isLastSyncResourceVersionUnavailable) return '0';",
      ],
    ],
  },
  {
    id: 'expired-list-not-handled',
    why: 'It asks again and again for a version that the server has thrown away.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Level 4',
    edits: [
      ['if (!isUnavailable(error)) throw error;', 'if (!isTooLargeResourceVersion(error)) throw error;'],
    ],
  },
  {
    id: 'too-large-not-handled',
    why: 'It asks again and again for a version that the server does not have yet, and may not have for a long time.',
    origin: 'k#91073: kubelets stuck after an outage',
    law: 'Level 4',
    edits: [['if (!isUnavailable(error)) throw error;', 'if (!isExpired(error)) throw error;']],
  },
  {
    id: 'asks-the-same-again',
    why: 'After a refused version it asks at once for the same one.',
    origin: 'common',
    law: 'Level 4',
    edits: [['this.isLastSyncResourceVersionUnavailable = true;\n      list = await', 'list = await']],
  },
  {
    id: 'newest-for-ever',
    why: 'Once a version was unavailable, each later list goes to etcd.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'The newest version comes out of the watch cache, too: a list of it is the same, and as cheap here.',
    edits: [
      [
        'this.isLastSyncResourceVersionUnavailable = false;\n    this.#options.queue.push(list);',
        'this.#options.queue.push(list);',
      ],
    ],
  },
  {
    id: 'failed-list-is-no-failure',
    why: 'A list that failed is taken for one that brought nothing, and watched from nowhere.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (!isUnavailable(error)) throw error;', 'if (!isUnavailable(error)) return;']],
  },
  {
    id: 'empties-the-cache-first',
    why: 'It forgets everything before it lists. If the list fails, all that handlers knew is deleted.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'let list: List<T>;',
        "let list: List<T>;\n    this.#options.queue.push({ type: 'ReplacedAll', objects: [], resourceVersion: '' });",
      ],
    ],
  },
  {
    id: 'list-version-forgotten',
    why: 'It does not remember where the list was: what happens until the watch begins is never known.',
    origin: 'k#87472 has the symptom',
    law: 'Level 4',
    edits: [
      [
        'queue.push(list);\n    this.lastSyncResourceVersion = list.resourceVersion;',
        "queue.push(list);\n    if (list.resourceVersion === '') this.lastSyncResourceVersion = '';",
      ],
    ],
  },
];
