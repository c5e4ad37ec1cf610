/** ReplicaSet controllers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'asks the server for the pods before each create and delete, one ReplicaSet at a time; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
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
    edits: [["if (state === 'fulfilled') return act(desk, rs, seen);", 'void state;']],
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
