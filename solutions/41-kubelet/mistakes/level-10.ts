import type { Mistake } from '#harness/testing';

/** Wrong about Level 10: ephemeral containers. */
export const level10: readonly Mistake[] = [
  {
    id: 'debugger-runs-again',
    why: 'Starts an ephemeral container again that has exited.',
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
    why: 'Starts ephemeral containers only when the pod is initialized: what hangs in its init container cannot be looked into.',
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
    why: 'Starts one ephemeral container, and no other after it.',
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
    why: 'A pod whose containers have ended goes on, as an ephemeral container still runs.',
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
