/** Probes that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one object with a record for each probe, driven by timers, and none of the functions of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'counts-anew',
    why: 'failures of a container do not count for the one that follows it',
    edits: [
      [
        'state: { ...before, containerID, onHold: false },',
        "state: { ...before, containerID, onHold: false, lastResult: 'Unknown', resultRun: 0 },",
      ],
    ],
  },
  {
    id: 'looks-a-turn-later',
    why: 'each tick has a turn of its own, in the same millisecond',
    edits: [
      [
        '    const status = statusOf(this.#probed.pod.metadata.uid);',
        '    await clock.sleep(0);\n    if (this.#isStopped) return false;\n    const status = statusOf(this.#probed.pod.metadata.uid);',
      ],
    ],
  },
];
