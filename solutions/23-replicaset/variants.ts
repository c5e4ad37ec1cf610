/** Correct ReplicaSet controllers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'lists the pods from the server before each create and delete, one ReplicaSet at a time; it uses none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'each batch of creates is four times as large as the previous one',
        law: 'Starts slowly',
        edits: [['size *= 2) {', 'size *= 4) {']],
      },
      {
        why: 'it deletes pods on crowded nodes last',
        law: 'Deletes in order',
        edits: [['    -rank,\n', '    rank,\n']],
      },
      {
        why: 'it never releases a pod',
        like: 'never-releases',
        law: 'Adopts and releases',
        edits: [['const releases = owns && !selected && active;', 'const releases = false;']],
      },
      {
        why: 'a released pod loses all its owners',
        law: 'Leaves others alone',
        edits: [['ownerReferences: [entry] }', 'ownerReferences: releases ? null : [entry] }']],
      },
      {
        why: 'its pods have only the containers of the template, not the rest of its spec',
        like: 'containers-and-nothing-else',
        law: 'Like the template',
        edits: [
          ["spec: spec as Pod['spec'] }", "spec: { containers: spec?.containers ?? [] } as Pod['spec'] }"],
        ],
      },
      {
        why: 'it does not sync again when a pod becomes available by time alone',
        like: 'availability-needs-an-event',
        law: 'Prompt',
        edits: [['if (againMs !== undefined) this', 'if (againMs === 0) this']],
      },
    ],
  },
  {
    id: 'polls',
    why: 'syncs every ReplicaSet again each second, even without an event',
    edits: [
      ['  if (failure) throw failure;\n', '  if (failure) throw failure;\n  queue.addAfter(key, 1_000);\n'],
    ],
  },
  {
    id: 'last-to-first',
    why: 'claims its pods in reverse order, and so reports the last failure',
    edits: [['for (const pod of candidates) {', 'for (const pod of candidates.toReversed()) {']],
  },
  {
    id: 'always-asks',
    why: 'never trusts its cache before a create or delete, and lists from the server each time',
    edits: [["if (state === 'fulfilled') return act(syncContext, rs, there);", 'void state;']],
  },
  {
    id: 'deletes-in-turn',
    why: 'deletes its victims one by one, in reverse order',
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
    why: 'waits between its observation and its actions, like a busy controller',
    edits: [
      [
        "  const acts = state !== 'pending'",
        "  await context.clock.sleep(7);\n  const acts = state !== 'pending'",
      ],
    ],
  },
];
