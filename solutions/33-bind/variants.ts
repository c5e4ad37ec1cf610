/** Schedulers that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'has neither queue nor cache, but two tables, and makes its picture of the cluster anew for each pod; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'takes-its-time',
    why: 'comes back for the next pod a while after the last one, as who polls its queue would',
    edits: [
      [
        '    const info = await queue.pop();\n',
        '    await scheduler.clock.sleep(17, signal).catch(() => {});\n    const info = await queue.pop();\n',
      ],
    ],
  },
  {
    id: 'always-asks',
    why: 'asks the server what became of each bind that failed, also where it was told',
    edits: [
      ['    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };\n', '    void info;\n'],
    ],
  },
];
