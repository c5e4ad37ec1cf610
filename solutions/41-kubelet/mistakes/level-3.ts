import type { Mistake } from '#harness/testing';

/** Wrong about Level 3: sandbox and init containers. */
export const level3: readonly Mistake[] = [
  {
    id: 'any-ready-sandbox',
    why: `Takes any sandbox that is ready for the pod's, also an old one.`,
    origin: 'common',
    law: 'Level 3',
    hidden:
      'A kubelet stops the old sandbox of a pod before it makes another one, so that an old one is never the only one that is ready.',
    edits: [
      [
        `if (ready.length > 1 || state !== 'SANDBOX_READY') return another;`,
        'if (ready.length !== 1) return another;',
      ],
    ],
  },
  {
    id: 'two-sandboxes',
    why: 'Does not mind that two sandboxes of a pod are ready.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A kubelet makes a sandbox only when none is ready: it takes another program to make a second.',
    edits: [['if (ready.length > 1 || state', 'if (state']],
  },
  {
    id: 'attempt-is-not-counted',
    why: 'The next sandbox has the attempt of the last one: a runtime refuses its name.',
    origin: 'common',
    law: 'Level 3',
    edits: [['attempt: metadata.attempt + 1, sandboxID', 'attempt: metadata.attempt, sandboxID']],
  },
  {
    id: 'address-of-the-host',
    why: `Expects an address of a sandbox in the host's network, and makes a new one for ever.`,
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
    hidden: 'A sandbox that is ready has its address here: a runtime takes both away together.',
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
    why: 'Looks for the first init container that the runtime does not know: one that it has forgotten runs again.',
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
    why: 'Starts all init containers together.',
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
    why: 'Goes on with the next init container though one has failed.',
    origin: 'common',
    law: 'Inits in order',
    edits: [
      [
        `if (status.exitCode === 0 && status.reason !== 'OOMKilled') return`,
        `if (status.reason !== 'OOMKilled') return`,
      ],
    ],
  },
  {
    id: 'out-of-memory-is-success',
    why: 'Believes the exit code 0 of a process that was killed for its memory.',
    origin: 'moby/moby: exit code 0 with OOMKilled',
    law: 'Level 3',
    hidden: 'On these machines a process that is killed for its memory exits with 137.',
    edits: [[`status.exitCode === 0 && status.reason !== 'OOMKilled'`, 'status.exitCode === 0']],
  },
  {
    id: 'exited-is-initialized',
    why: 'Takes a container that has exited for proof that the pod was initialized: after a reboot its init containers do not run.',
    origin: 'common',
    law: 'Level 3',
    edits: [[`['created', 'running'].includes`, `['created', 'running', 'exited'].includes`]],
  },
  {
    id: 'created-is-not-initialized',
    why: 'Runs the init containers again when a container was created and not started.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'Where a container is there, the init containers that have succeeded before it are there, too, unless a user removes them by hand: they do not run again.',
    edits: [[`['created', 'running'].includes`, `['running'].includes`]],
  },
  {
    id: 'failed-init-waits',
    why: 'Waits for an init container that has failed for good.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'The phase of such a pod says first that it has failed, and then nothing is computed.',
    edits: [
      [
        `start: shouldContainerBeRestarted(container, pod, podStatus) || 'never', next`,
        `start: shouldContainerBeRestarted(container, pod, podStatus), next`,
      ],
    ],
  },
  {
    id: 'lost-init-runs-twice',
    why: 'Starts an init container again that is lost, and does not kill it first.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'No runtime here loses sight of a container: after a restart it finds all of them again, or says that they have exited.',
    edits: [
      [
        `return { start: true, kill: unknownToKill(container.name, 'Init container'), nextMayStart: false };`,
        `return { start: true, nextMayStart: false };`,
      ],
    ],
  },
  {
    id: 'stuck-in-created',
    why: 'Waits for an init container that was created and never started.',
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
    why: 'Runs the init containers again unless each of the containers runs: one that has crashed is enough.',
    origin: 'common',
    law: 'Level 3',
    hidden:
      'Where a container is there, the init containers that have succeeded before it are there, too, unless a user removes them by hand: they do not run again.',
    edits: [
      [
        `containers.some((each) => ['created', 'running']`,
        `containers.every((each) => ['created', 'running']`,
      ],
    ],
  },
];
