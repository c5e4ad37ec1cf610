import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1: phase. */
export const level1: readonly Mistake[] = [
  {
    id: 'waiting-again-is-pending',
    why: 'A container that waits for its restart counts as not started: a pod in a crash loop goes back to Pending.',
    origin: 'common',
    law: 'Level 1',
    edits: [['state.terminated ?? (state.waiting && lastState?.terminated)', 'state.terminated']],
  },
  {
    id: 'one-success-is-enough',
    why: 'A pod has succeeded as soon as one of its containers has.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return regular.every(({ status }) => status?', 'return regular.some(({ status }) => status?']],
  },
  {
    id: 'absence-is-success',
    why: 'A container without a status counts as exited with code 0.',
    origin: 'k#88440',
    law: 'Level 1',
    hidden:
      'The statuses of a kubelet contain every container, with the state waiting, running or terminated.',
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
    why: 'A pod is Running only if every container runs.',
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
    why: 'A pod is Running if one container runs, although others have not started.',
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
    why: 'A stopped pod is Running as long as its policy allows restarts: it never ends.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (!podIsTerminal && regular.some', 'if (regular.some']],
  },
  {
    id: 'terminal-is-failed',
    why: 'A stopped pod has failed, even if all containers exited with 0.',
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
    why: 'Waits forever for an init container that has failed for good.',
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
    why: 'A pod fails at the first failure of an init container, even if it will be restarted.',
    origin: 'common',
    law: 'Level 1',
    edits: [['({ hasFailed, restarts }) => hasFailed && !restarts', '({ hasFailed }) => hasFailed']],
  },
  {
    id: 'init-is-not-asked',
    why: 'Ignores init containers: a pod is Running while its init containers run again.',
    origin: 'common',
    law: 'Level 1',
    hidden:
      'While an init container has not stopped, no container runs or waits for its restart, unless two kubelets share a node.',
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
    why: 'A container that waits for its restart after exit code 0 counts as succeeded.',
    origin: 'common',
    law: 'Level 1',
    hidden:
      'A container waits for its restart only if it will restart, and in a stopped pod its state is terminated again.',
    edits: [
      [
        'status?.state?.terminated?.exitCode === 0',
        '(status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode === 0',
      ],
    ],
  },
];
