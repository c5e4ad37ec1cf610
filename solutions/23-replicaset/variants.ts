/** ReplicaSet controllers that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'polls',
    why: 'looks at every ReplicaSet again each second, whether or not anything happened',
    edits: [
      [
        '    if (failure) throw failure;\n  }',
        '    if (failure) throw failure;\n    this.#queue.addAfter(key, 1_000);\n  }',
      ],
    ],
  },
  {
    id: 'last-to-first',
    why: 'claims its pods in the other order, and tells of what went wrong last',
    edits: [
      [
        'for (const pod of filterActivePods(candidates)) {',
        'for (const pod of filterActivePods(candidates).reverse()) {',
      ],
    ],
  },
  {
    id: 'always-asks',
    why: 'never trusts its cache with a create or delete, and asks the server each time',
    edits: [["if (state === 'fulfilled') return await this.#act(rs, seen);", 'void state;']],
  },
  {
    id: 'deletes-in-turn',
    why: 'deletes its victims one after the other, last to first',
    edits: [
      [
        '    const results = await Promise.allSettled(\n      victims.map(async (pod) => {',
        '    let turn: Promise<unknown> = Promise.resolve();\n    const results = await Promise.allSettled(\n      victims.toReversed().map(async (pod) => {\n        const before = turn;\n        let done = (): void => {};\n        turn = new Promise<void>((resolve) => {\n          done = resolve;\n        });\n        await before;',
      ],
      [
        '          throw error;\n        }\n      }),\n    );\n    const failed',
        '          throw error;\n        } finally {\n          done();\n        }\n      }),\n    );\n    const failed',
      ],
    ],
  },
  {
    id: 'takes-its-time',
    why: 'thinks for a while between what it sees and what it does, as a busy controller would',
    edits: [
      [
        '    const claimed = await this.#claimPods(rs, candidates);\n\n    let failure',
        '    await clock.sleep(7);\n    const claimed = await this.#claimPods(rs, candidates);\n\n    let failure',
      ],
    ],
  },
];
