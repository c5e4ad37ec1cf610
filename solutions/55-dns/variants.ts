/** Name servers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'says-nothing-before-it-knows-all',
    why: 'fails for every name of its zones until it has seen everything, also for those that it knows already',
    edits: [
      [
        'return answered && this.#complete(answered);',
        `if (answered && !hasSynced && answered.message.rcode === 'NOERROR') {
      return { ...answered.message, rcode: 'SERVFAIL', answer: [], additional: [] };
    }
    return answered && this.#complete(answered);`,
      ],
    ],
  },
  {
    id: 'takes-its-time',
    why: 'answers some turns later, from what it has seen by then',
    edits: [
      [
        '    const hasSynced = this.#view.hasSynced();\n',
        '    for (let i = 0; i < 10; i++) await undefined;\n    const hasSynced = this.#view.hasSynced();\n',
      ],
    ],
  },
  {
    id: 'last-slice-first',
    why: 'tells the addresses of a service in another order',
    edits: [
      [
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service));",
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service)).reverse();",
      ],
    ],
  },
];
