import type { Mistake } from '#harness/testing';

/** Wrong about Level 2: conditions. */
export const level2: readonly Mistake[] = [
  {
    id: 'succeeded-is-ready',
    why: 'A pod that has succeeded is ready: its containers were.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Of each pod that has ended, the status manager says that it is not ready.',
    edits: [
      [
        `unknown.length === 0) return conditionFalse('ContainersReady', 'PodCompleted');`,
        `unknown.length === 0) return conditionTrue('ContainersReady', 'PodCompleted');`,
      ],
    ],
  },
  {
    id: 'failed-is-ready',
    why: 'A pod that is Failed, and whose containers are being stopped, gets traffic as long as they run.',
    origin: 'k#124310',
    law: 'Level 2',
    edits: [
      [
        `  if (phase === 'Failed') return conditionFalse('ContainersReady', 'PodFailed');
`,
        ``,
      ],
    ],
  },
  {
    id: 'absence-is-ready',
    why: 'A container of which nothing is known is ready.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The statuses that a kubelet writes name every container of the pod.',
    edits: [
      [
        'const message = containersWith({ unknown, unready });',
        'const message = containersWith({ unready });',
      ],
    ],
  },
  {
    id: 'gates-are-not-asked',
    why: 'Ready as soon as the containers are: readiness gates have no say.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '(input.pod.spec.readinessGates ?? []).flatMap',
        '(input.pod.spec.readinessGates ?? []).slice(1).flatMap',
      ],
    ],
  },
  {
    id: 'absent-gate-is-open',
    why: 'A readiness gate that has no condition yet lets traffic in.',
    origin: 'common',
    law: 'Level 2',
    edits: [[`return status === 'True' ? []`, `return status === 'True' || status === undefined ? []`]],
  },
  {
    id: 'ready-says-why-not',
    why: 'Ready has no reason of its own where ContainersReady has one.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        `return { ...containersReady, type: 'Ready' };`,
        `return conditionFalse('Ready', 'ContainersNotReady');`,
      ],
    ],
  },
];
