import type { Mistake } from '#harness/testing';

/** Mistakes of Level 10: ephemeral containers. */
export const level10: readonly Mistake[] = [
  {
    id: 'debugger-runs-again',
    why: 'Restarts an ephemeral container that has exited.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        `(i) => !findContainerStatus(podStatus, ephemeralContainers[i]?.name ?? ''),`,
        `(i) => !['created', 'running'].includes(findContainerStatus(podStatus, ephemeralContainers[i]?.name ?? '')?.state ?? ''),`,
      ],
    ],
  },
  {
    id: 'debugger-waits-for-init',
    why: 'Starts ephemeral containers only in an initialized pod: a pod that hangs in its init container cannot be debugged.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        `const ephemeral = pod.spec.ephemeralContainers ?`,
        `const ephemeral = pod.spec.ephemeralContainers && initialized ?`,
      ],
    ],
  },
  {
    id: 'only-the-first-debugger',
    why: 'Starts only the first ephemeral container.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        'return [...ephemeralContainers.keys()].filter(',
        'return [...ephemeralContainers.keys()].slice(0, 1).filter(',
      ],
    ],
  },
  {
    id: 'debugger-keeps-a-pod-alive',
    why: 'A pod whose containers have ended does not end while an ephemeral container runs.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        'return kept === 0 && containersToStart.length === 0',
        `return kept === 0 && containersToStart.length === 0 && !(pod.spec.ephemeralContainers ?? []).some(({ name }) => findContainerStatus(podStatus, name)?.state === 'running')`,
      ],
    ],
  },
];
