import type { Mistake } from '#harness/testing';

/** Wrong about Level 8: after a restart. */
export const level8: readonly Mistake[] = [
  {
    id: 'orphans-run-on',
    why: 'Looks at pods that are wanted, and never at what runs besides.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        `    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });
`,
        ``,
      ],
    ],
  },
  {
    id: 'second-one-while-the-first-starts',
    why: 'Makes another container while one that was made may be starting: both run.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Level 8',
    edits: [
      [
        `  await parts.steps.removeUnstarted(start).catch(fail('CreateContainerError'));
`,
        ``,
      ],
    ],
  },
  {
    id: 'directories-stay',
    why: 'Keeps the directories of pods that are gone.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        `  await steps.forgetPods({ desired, known, running });
`,
        ``,
      ],
    ],
  },
  {
    id: 'orphans-without-containers',
    why: 'Takes a sandbox in which no container runs for nothing: it stays, with its address.',
    origin: 'common',
    law: 'At rest',
    edits: [
      [
        `for (const runtimePod of running) {`,
        `for (const runtimePod of running.filter(({ containers }) => containers.some(({ state }) => state === 'CONTAINER_RUNNING'))) {`,
      ],
    ],
  },
];
