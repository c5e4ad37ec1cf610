/** ReplicaSet controllers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'asks the server for the pods before each create and delete, one ReplicaSet at a time; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'each batch of creates is four times as big as the one before',
        law: 'Starts slowly',
        edits: [['size *= 2) {', 'size *= 4) {']],
      },
      {
        why: 'pods on crowded nodes go last',
        law: 'Deletes in order',
        edits: [['    -rank,\n', '    rank,\n']],
      },
      {
        why: 'it never lets a pod go',
        law: 'Adopts and releases',
        edits: [['const releases = owns && !selected && active;', 'const releases = false;']],
      },
      {
        why: 'a pod that it lets go loses all its owners',
        law: 'Leaves others alone',
        edits: [['ownerReferences: [entry] }', 'ownerReferences: releases ? null : [entry] }']],
      },
      {
        why: 'its pods have the containers of the template, and nothing else of its spec',
        law: 'Like the template',
        edits: [
          ["spec: spec as Pod['spec'] }", "spec: { containers: spec?.containers ?? [] } as Pod['spec'] }"],
        ],
      },
      {
        why: 'it does not look again when a pod becomes available by time alone',
        law: 'Prompt',
        edits: [['if (againMs !== undefined) this', 'if (againMs === 0) this']],
      },
    ],
  },
  {
    id: 'polls',
    why: 'looks at every ReplicaSet again each second, whether or not anything happened',
    edits: [
      ['  if (failure) throw failure;\n', '  if (failure) throw failure;\n  queue.addAfter(key, 1_000);\n'],
    ],
  },
  {
    id: 'last-to-first',
    why: 'claims its pods in the other order, and tells of what went wrong last',
    edits: [['for (const pod of candidates) {', 'for (const pod of candidates.toReversed()) {']],
  },
  {
    id: 'always-asks',
    why: 'never trusts its cache with a create or delete, and asks the server each time',
    edits: [["if (state === 'fulfilled') return act(syncContext, rs, there);", 'void state;']],
  },
  {
    id: 'deletes-in-turn',
    why: 'deletes its victims one after the other, last to first',
    edits: [
      [
        '  const results = await Promise.allSettled(\n    victims.map(async (pod) => {',
        '  let turn: Promise<unknown> = Promise.resolve();\n  const results = await Promise.allSettled(\n    victims.toReversed().map(async (pod) => {\n      const before = turn;\n      let done = (): void => {};\n      turn = new Promise<void>((resolve) => {\n        done = resolve;\n      });\n      await before;',
      ],
      [
        '        if (mayHaveHappened(error)) expectations.doubt(uid);\n        throw error;\n      }\n    }),',
        '        if (mayHaveHappened(error)) expectations.doubt(uid);\n        throw error;\n      } finally {\n        done();\n      }\n    }),',
      ],
    ],
  },
  {
    id: 'takes-its-time',
    why: 'thinks for a while between what it sees and what it does, as a busy controller would',
    edits: [
      [
        "  const acts = state !== 'pending'",
        "  await context.clock.sleep(7);\n  const acts = state !== 'pending'",
      ],
    ],
  },
];
