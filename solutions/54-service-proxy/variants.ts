/**
 * Correct service proxies with another design than the reference, which all laws must accept. Upstream's tables of
 * rules do not apply to them.
 */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'writes-all-each-time',
    why: 'computes and writes the rules of all services whenever one of them has changed',
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
    why: 'collects changes for five seconds before it writes them',
    free: true,
    edits: [['ring: () => queue.add(RULES),', 'ring: () => queue.addAfter(RULES, 5_000),']],
  },
  {
    id: 'last-endpoint-first',
    why: 'orders the endpoints of a service differently, and names their chains differently',
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
