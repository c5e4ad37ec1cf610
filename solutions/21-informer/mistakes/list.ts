/** Level 4 · List. */
import type { Mistake } from '#harness/testing';

export const list: readonly Mistake[] = [
  {
    id: 'lists-at-0-again',
    why: 'After a gap it accepts any state of any server, even one that is older than the state that it has seen.',
    origin: 'k#59848: two apiservers, one behind, and a pod runs on two nodes',
    law: 'Level 4',
    edits: [["return this.lastSyncResourceVersion || '0';", "return '0';"]],
  },
  {
    id: 'always-the-newest',
    why: 'Every list goes to etcd, past all caches: after a restart of the apiservers, this happens for all clients at once.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'The watch cache also serves the latest version: here, such a list has the same content and the same cost.',
    edits: [["return this.lastSyncResourceVersion || '0';", "return '';"]],
  },
  {
    id: 'any-after-a-refusal',
    why: 'If the server does not have the version, the reflector accepts any other, and goes back in time.',
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
    why: 'It requests a version again and again that the server has compacted.',
    origin: 'k#133810, kube-rs/kube#219',
    law: 'Level 4',
    edits: [
      ['if (!isUnavailable(error)) throw error;', 'if (!isTooLargeResourceVersion(error)) throw error;'],
    ],
  },
  {
    id: 'too-large-not-handled',
    why: 'It requests a version again and again that the server does not have yet, and may not have for a long time.',
    origin: 'k#91073: kubelets stuck after an outage',
    law: 'Level 4',
    edits: [['if (!isUnavailable(error)) throw error;', 'if (!isExpired(error)) throw error;']],
  },
  {
    id: 'asks-the-same-again',
    why: 'After a refused version it requests the same version again at once.',
    origin: 'common',
    law: 'Level 4',
    edits: [['this.isLastSyncResourceVersionUnavailable = true;\n      list = await', 'list = await']],
  },
  {
    id: 'newest-for-ever',
    why: 'After a version was unavailable once, every later list goes to etcd.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'The watch cache also serves the latest version: here, such a list has the same content and the same cost.',
    edits: [
      [
        'this.isLastSyncResourceVersionUnavailable = false;\n    this.#options.queue.push(list);',
        'this.#options.queue.push(list);',
      ],
    ],
  },
  {
    id: 'failed-list-is-no-failure',
    why: 'A failed list counts as an empty one, and the watch starts without a version.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (!isUnavailable(error)) throw error;', 'if (!isUnavailable(error)) return;']],
  },
  {
    id: 'empties-the-cache-first',
    why: 'It clears the cache before the list. If the list fails, all objects that handlers know are deleted.',
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
    why: 'It does not record the version of the list: changes between the list and the watch are lost.',
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
