import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2: conditions. */
export const level2: readonly Mistake[] = [
  {
    id: 'succeeded-is-ready',
    why: 'A succeeded pod stays ready, because its containers were.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The status manager sets each ended pod to not ready.',
    edits: [
      [
        `unknown.length === 0) return conditionFalse('ContainersReady', 'PodCompleted');`,
        `unknown.length === 0) return conditionTrue('ContainersReady', 'PodCompleted');`,
      ],
    ],
  },
  {
    id: 'failed-is-ready',
    why: 'A Failed pod whose containers are still stopping gets traffic as long as they run.',
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
    why: 'A container without a status counts as ready.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The statuses of a kubelet contain every container of the pod.',
    edits: [
      [
        'const message = containersWith({ unknown, unready });',
        'const message = containersWith({ unready });',
      ],
    ],
  },
  {
    id: 'gates-are-not-asked',
    why: 'A pod is ready as soon as its containers are: readiness gates are ignored.',
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
    why: 'A readiness gate without a condition counts as true.',
    origin: 'common',
    law: 'Level 2',
    edits: [[`return status === 'True' ? []`, `return status === 'True' || status === undefined ? []`]],
  },
  {
    id: 'ready-says-why-not',
    why: 'Ready has no reason when ContainersReady has one.',
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
