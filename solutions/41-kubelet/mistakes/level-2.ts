import type { Mistake } from '#harness/testing';

/** Wrong about Level 2: conditions. */
export const level2: readonly Mistake[] = [
  {
    id: 'initialized-is-lost',
    why: 'Initialized turns False when init containers run again.',
    origin: 'common',
    law: 'Level 2',
    edits: [[`return hasStarted || wasTrue || message === ''`, `return hasStarted || message === ''`]],
  },
  {
    id: 'initialized-by-memory-of-the-runtime',
    why: 'Forgets that a pod was initialized when the runtime has forgotten its init containers.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The status keeps what the runtime has forgotten of init containers, so that they stay complete.',
    edits: [[`return hasStarted || wasTrue || message === ''`, `return wasTrue || message === ''`]],
  },
  {
    id: 'init-has-to-run',
    why: 'An init container has done its part as soon as it runs.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '(isSidecar(container) ? status.started : status.ready) === true',
        '(isSidecar(container) ? status.started : status.ready || status.state?.running !== undefined) === true',
      ],
    ],
  },
  {
    id: 'succeeded-is-ready',
    why: 'A pod that has succeeded is ready: its containers were.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        `  if (phase === 'Succeeded' && unknown.length === 0) return isFalse('ContainersReady', 'PodCompleted');
`,
        `  if (phase === 'Succeeded' && unknown.length === 0) return isTrue('ContainersReady', 'PodCompleted');
`,
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
        `  if (phase === 'Failed') return isFalse('ContainersReady', 'PodFailed');
`,
        '',
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
    edits: [['    if (!condition) {', '    if (!condition) return [];\n    if (!condition) {']],
  },
  {
    id: 'unready-without-names',
    why: 'Says how many containers are not ready, and not which.',
    origin: 'common',
    law: 'Level 2',
    edits: [["names.join(' ')", 'names.length']],
  },
  {
    id: 'ready-says-why-not',
    why: 'Ready has no reason of its own where ContainersReady has one.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [`return { ...containersReady, type: 'Ready' };`, `return isFalse('Ready', 'ContainersNotReady');`],
    ],
  },
];
