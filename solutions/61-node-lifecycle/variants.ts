/** Correct controllers of failing nodes with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one loop that writes all taints of a node in one patch, and a timer for each pod; it uses none of the given parts',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'one-loop',
    why: 'lists everything from the server in each pass, writes whole Nodes, and evicts in one loop without a queue',
    file: 'variants/one-loop.ts',
    free: true,
    mutants: [
      {
        why: 'when a node is ready again after none was, the silence of the others counts on',
        like: 'no-forgiveness',
        law: 'Patient',
        edits: [
          [
            'if (this.#wasAllDown && !isAllDown) {',
            'if (this.#wasAllDown && !isAllDown && zones.size === 0) {',
          ],
        ],
      },
      {
        why: 'a taint costs no token',
        like: 'never-waits',
        law: 'Paced',
        edits: [['if (isFirst) turn.nextMs = nowMs + turn.everyMs;', 'if (isFirst) turn.nextMs = nowMs;']],
      },
      {
        why: 'it deletes the pod that has the name',
        like: 'evicts-by-name',
        law: 'Respects the uid',
        edits: [
          [
            'await client.delete(pods, keyOf(pod), { preconditions: { uid } });',
            'await client.delete(pods, keyOf(pod));',
          ],
        ],
      },
      {
        why: 'it waits for a node that comes back only once in its life',
        law: 'Proves garbage',
        edits: [
          ['for (const name of missedMs.keys()) if (all.has(name)) missedMs.delete(name);', 'void all;'],
        ],
      },
    ],
  },
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
