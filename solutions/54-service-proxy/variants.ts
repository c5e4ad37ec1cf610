/** Service proxies that are built otherwise than the reference, and are right: no law may mind. What upstream's own tables say of rules is not asked of them. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'writes-all-each-time',
    why: 'works out and writes the rules of all services whenever one of them has changed',
    free: true,
    edits: [
      [
        '    const isFull = this.#isFull;\n    this.#workOut(isFull);',
        '    const isFull = true;\n    this.#workOut(isFull);',
      ],
    ],
  },
  {
    id: 'takes-its-time',
    why: 'lets changes gather for five seconds before it writes them',
    free: true,
    edits: [['ring: () => queue.add(RULES),', 'ring: () => queue.addAfter(RULES, 5_000),']],
  },
  {
    id: 'last-endpoint-first',
    why: 'has the endpoints of a service in another order, under chains with other names',
    free: true,
    edits: [
      [
        '  const { affinitySeconds: seconds } = port;\n',
        '  const { affinitySeconds: seconds } = port;\n  endpoints = [...endpoints].reverse();\n',
      ],
      [
        "chainName('KUBE-SEP-', name + protocol + address)",
        "chainName('KUBE-SEP-', address + protocol + name)",
      ],
    ],
  },
];
