import type { Mistake } from '#harness/testing';

/** Wrong about Level 1: phase. */
export const level1: readonly Mistake[] = [
  {
    id: 'waiting-again-is-pending',
    why: 'Takes a container that waits to be started again for one that has not begun: a pod in a crash loop goes back to Pending.',
    origin: 'common',
    law: 'Level 1',
    edits: [['state.terminated ?? (state.waiting && lastState?.terminated)', 'state.terminated']],
  },
  {
    id: 'one-success-is-enough',
    why: 'A pod has succeeded when one of its containers has.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return regular.every(({ status }) => status?', 'return regular.some(({ status }) => status?']],
  },
  {
    id: 'absence-is-success',
    why: 'A container of which nothing is known has exited with 0.',
    origin: 'k#88440',
    law: 'Level 1',
    hidden:
      'The statuses that a kubelet writes name every container, and say of each that it waits, runs or has ended.',
    edits: [
      [
        `terminated ? 'stopped' : state.waiting ? 'waiting' : 'unknown';`,
        `terminated ? 'stopped' : state.waiting ? 'waiting' : 'stopped';`,
      ],
      ['status?.state?.terminated?.exitCode === 0', '(status?.state?.terminated?.exitCode ?? 0) === 0'],
    ],
  },
  {
    id: 'running-needs-all',
    why: 'Running means that every container runs.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        `if (stages.includes('running')) return 'Running';`,
        `if (stages.every((stage) => stage === 'running')) return 'Running';`,
      ],
    ],
  },
  {
    id: 'one-that-runs-is-enough',
    why: 'Running means that some container runs, though others have not begun.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        `  if (stages.includes('unknown') || stages.includes('waiting')) return 'Pending';
  if (stages.includes('running')) return 'Running';`,
        `  if (stages.includes('running')) return 'Running';
  if (stages.includes('unknown') || stages.includes('waiting')) return 'Pending';`,
      ],
    ],
  },
  {
    id: 'policy-outlives-the-pod',
    why: 'A pod that was stopped for good is Running until its policy says otherwise: it never ends.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (!podIsTerminal && regular.some', 'if (regular.some']],
  },
  {
    id: 'terminal-is-failed',
    why: 'A pod that was stopped for good has failed, whatever its containers exited with.',
    origin: 'k#115331',
    law: 'Level 1',
    edits: [
      [
        `  if (!podIsTerminal && regular.some(({ restarts }) => restarts)) return 'Running';`,
        `  if (podIsTerminal) return 'Failed';
  if (regular.some(({ restarts }) => restarts)) return 'Running';`,
      ],
    ],
  },
  {
    id: 'init-failure-is-pending',
    why: 'Waits for ever for an init container that has failed for good.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        `  if (ordinary.some(({ hasFailed, restarts }) => hasFailed && !restarts)) return 'Failed';
`,
        '',
      ],
    ],
  },
  {
    id: 'init-failure-is-failed',
    why: 'Gives a pod up at the first failure of an init container, though that is started again.',
    origin: 'common',
    law: 'Level 1',
    edits: [['({ hasFailed, restarts }) => hasFailed && !restarts', '({ hasFailed }) => hasFailed']],
  },
  {
    id: 'init-is-not-asked',
    why: 'Looks at the containers alone: a pod is Running while its init containers run again.',
    origin: 'common',
    law: 'Level 1',
    hidden:
      'No container runs or waits to be started again while an init container has not stopped, unless two kubelets share a node.',
    edits: [
      [
        `  if (ordinary.some(({ stage }) => stage !== 'stopped')) return 'Pending';
`,
        '',
      ],
    ],
  },
  {
    id: 'ended-well-before',
    why: 'Takes a container that waits after an exit with 0 for one that has ended well.',
    origin: 'common',
    law: 'Level 1',
    hidden:
      'A container waits to be started again only if it will be, and in a pod that was stopped its state says again how it ended.',
    edits: [
      [
        'status?.state?.terminated?.exitCode === 0',
        '(status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode === 0',
      ],
    ],
  },
];
