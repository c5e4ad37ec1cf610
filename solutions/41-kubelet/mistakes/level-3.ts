import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3: sandbox and init containers. */
export const level3: readonly Mistake[] = [
  {
    id: 'any-ready-sandbox',
    why: `Any ready sandbox counts as the pod's sandbox, even an old one.`,
    origin: 'common',
    law: 'Level 3',
    hidden:
      'A kubelet stops the old sandbox of a pod before it creates another, so an old one is never the only ready one.',
    edits: [
      [
        `if (ready.length > 1 || state !== 'SANDBOX_READY') return another;`,
        'if (ready.length !== 1) return another;',
      ],
    ],
  },
  {
    id: 'two-sandboxes',
    why: 'Accepts two ready sandboxes of a pod.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A kubelet creates a sandbox only if none is ready: only another program can create a second.',
    edits: [['if (ready.length > 1 || state', 'if (state']],
  },
  {
    id: 'attempt-is-not-counted',
    why: 'The next sandbox has the attempt number of the last one, so the runtime refuses its name.',
    origin: 'common',
    law: 'Level 3',
    edits: [['attempt: metadata.attempt + 1, sandboxID', 'attempt: metadata.attempt, sandboxID']],
  },
  {
    id: 'address-of-the-host',
    why: `Expects an address of a sandbox in the host's network, and creates new ones forever.`,
    origin: 'common',
    law: 'Level 3',
    edits: [
      [`if (network === 'pod' && ips?.length === 0) return another;`, 'if (!ips?.length) return another;'],
    ],
  },
  {
    id: 'no-address',
    why: 'Keeps a sandbox that has lost its address.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A ready sandbox always has its address here: the runtime removes both together.',
    edits: [
      [
        `  if (network === 'pod' && ips?.length === 0) return another;
`,
        '',
      ],
    ],
  },
  {
    id: 'first-to-last',
    why: 'Continues at the first init container that the runtime does not know: one whose container was removed runs again.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        `Math.max(0, initContainers.findLastIndex(statusOf));`,
        `Math.max(0, [...initContainers, undefined].findIndex((each) => !each || !statusOf(each)) - 1);`,
      ],
    ],
  },
  {
    id: 'init-all-at-once',
    why: 'Starts all init containers at the same time.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        `if (start) initContainersToStart.push(i);`,
        `if (start) initContainersToStart.push(...(i === 0 ? initContainers.keys() : [i]));`,
      ],
    ],
  },
  {
    id: 'next-after-failure',
    why: 'Starts the next init container although one has failed.',
    origin: 'common',
    law: 'Init order',
    edits: [
      [
        `if (status.exitCode === 0 && status.reason !== 'OOMKilled') return`,
        `if (status.reason !== 'OOMKilled') return`,
      ],
    ],
  },
  {
    id: 'out-of-memory-is-success',
    why: 'Trusts exit code 0 of an OOM-killed process.',
    origin: 'moby/moby: exit code 0 with OOMKilled',
    law: 'Level 3',
    hidden: 'On these machines an OOM-killed process exits with 137.',
    edits: [[`status.exitCode === 0 && status.reason !== 'OOMKilled'`, 'status.exitCode === 0']],
  },
  {
    id: 'exited-is-initialized',
    why: 'An exited container counts as proof that the pod is initialized: after a reboot its init containers do not run.',
    origin: 'common',
    law: 'Level 3',
    edits: [[`['created', 'running'].includes`, `['created', 'running', 'exited'].includes`]],
  },
  {
    id: 'created-is-not-initialized',
    why: 'Runs the init containers again if a container was created but not started.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'Where a container exists, its completed init containers exist, too, unless a user removes them: they do not run again.',
    edits: [[`['created', 'running'].includes`, `['running'].includes`]],
  },
  {
    id: 'failed-init-waits',
    why: 'Waits for an init container that has failed for good.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'The phase of such a pod is Failed, and then no actions are computed.',
    edits: [
      [
        `start: shouldContainerBeRestarted(container, pod, podStatus) || 'never', next`,
        `start: shouldContainerBeRestarted(container, pod, podStatus), next`,
      ],
    ],
  },
  {
    id: 'lost-init-runs-twice',
    why: 'Restarts a lost init container without killing it first.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'No runtime here loses a container: after a restart it finds all of them, or reports that they have exited.',
    edits: [
      [
        `return { start: true, kill: unknownToKill(container.name, 'Init container'), nextMayStart: false };`,
        `return { start: true, nextMayStart: false };`,
      ],
    ],
  },
  {
    id: 'stuck-in-created',
    why: 'Waits for an init container that was created but never started.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        `return { start: status?.state !== 'running', nextMayStart: false };`,
        `return { start: !status, nextMayStart: false };`,
      ],
    ],
  },
  {
    id: 'initialized-by-all',
    why: 'Runs the init containers again unless all containers run: one crashed container is enough.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'Where a container exists, its completed init containers exist, too, unless a user removes them: they do not run again.',
    edits: [
      [
        `containers.some((each) => ['created', 'running']`,
        `containers.every((each) => ['created', 'running']`,
      ],
    ],
  },
];
