/** Correct controllers of failing nodes with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'reads-the-server',
    why: 'looks at each node on the server instead of in the cache',
    edits: [
      [
        'return lifecycle.withRetries(node, async (current) => {',
        `return lifecycle.withRetries(node, async (cached) => {
    const { name } = cached.metadata;
    const current = await context.client.get(nodes, { name }).catch(() => cached);`,
      ],
    ],
  },
  {
    id: 'one-after-another',
    why: 'corrects the taints of all nodes, and then the pods of one node after the other',
    edits: [
      [
        '  await lifecycle.forEach(nodes, async (node) => {\n    await limitTaints(lifecycle, node);\n    await markPodsNotReady(lifecycle, node);\n  });\n',
        '  await lifecycle.forEach(nodes, (node) => limitTaints(lifecycle, node));\n  for (const node of nodes) await lifecycle.forEach([node], (each) => markPodsNotReady(lifecycle, each));\n',
      ],
    ],
  },
  {
    id: 'looks-again-and-again',
    why: 'decides about a scheduled eviction every 30 seconds',
    edits: [
      [
        'return eviction.schedule(pod, atMs);',
        'return eviction.schedule(pod, Math.min(atMs, eviction.context.clock.now() + 30_000));',
      ],
    ],
  },
];
