/** Correct probe managers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'a single object with a record for each probe, driven by timers, without the functions of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'counts-anew',
    why: 'failures of a container do not count for its successor',
    edits: [
      [
        'state: { ...before, containerID, onHold: false },',
        "state: { ...before, containerID, onHold: false, lastResult: 'Unknown', resultRun: 0 },",
      ],
    ],
  },
  {
    id: 'looks-a-turn-later',
    why: 'each tick runs in a separate task, in the same millisecond',
    edits: [
      [
        '    const status = statusOf(this.#probed.pod.metadata.uid);',
        '    await clock.sleep(0);\n    if (this.#isStopped) return false;\n    const status = statusOf(this.#probed.pod.metadata.uid);',
      ],
    ],
  },
];
