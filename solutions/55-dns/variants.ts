/** Correct name servers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'says-nothing-before-it-knows-all',
    why: 'answers SERVFAIL for every name of its zones until it has synced, also for names that it already knows',
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
    why: 'answers some microtasks later, from its view at that time',
    edits: [
      [
        '    const hasSynced = this.#view.hasSynced();\n',
        '    for (let i = 0; i < 10; i++) await undefined;\n    const hasSynced = this.#view.hasSynced();\n',
      ],
    ],
  },
  {
    id: 'last-slice-first',
    why: 'returns the addresses of a service in another order',
    edits: [
      [
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service));",
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service)).reverse();",
      ],
    ],
  },
];
