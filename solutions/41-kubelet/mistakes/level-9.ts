import type { Mistake } from '#harness/testing';

/** Mistakes of Level 9: sidecars. */
export const level9: readonly Mistake[] = [
  {
    id: 'sidecar-is-awaited',
    why: 'Waits for a sidecar to exit before it starts the next container.',
    origin: 'common',
    law: 'Level 9',
    edits: [['  return { start: false, nextMayStart };', '  return { start: false, nextMayStart: false };']],
  },
  {
    id: 'sidecar-does-not-wait-for-startup',
    why: 'Starts the next container as soon as a sidecar runs, regardless of its startup probe.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `const startup = startupProbe ? probes.startup(status.id) : 'Success';`,
        `const startup = startupProbe && probes.startup(status.id) === 'Failure' ? 'Failure' : 'Success';`,
      ],
    ],
  },
  {
    id: 'sidecar-keeps-a-pod-alive',
    why: 'A pod whose containers have ended does not end while its sidecars run.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'return kept === 0 && containersToStart.length === 0',
        `return kept === 0 && containersToStart.length === 0 && !(pod.spec.initContainers ?? []).some((container) => findContainerStatus(podStatus, container.name)?.state === 'running')`,
      ],
    ],
  },
  {
    id: 'sidecar-runs-once',
    why: 'Does not restart an exited sidecar.',
    origin: 'common',
    law: 'Sidecars keep running',
    edits: [
      [
        `if (status?.state !== 'running') return { start: true, nextMayStart: false };`,
        `if (status?.state !== 'running') return { start: status?.state !== 'exited', nextMayStart: false };`,
      ],
    ],
  },
  {
    id: 'sidecar-goes-by-the-pod',
    why: 'Restarts a sidecar only if the policy of the pod allows it.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'if (i > current || (i < current && !isSidecar(container))) continue;',
        `if (i > current || (i < current && (!isSidecar(container) || pod.spec.restartPolicy === 'Never'))) continue;`,
      ],
    ],
  },
  {
    id: 'sidecars-are-left-alone-later',
    why: 'Checks a sidecar only while it is the last one that has started.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'if (i > current || (i < current && !isSidecar(container))) continue;',
        'if (i > current || i < current) continue;',
      ],
    ],
  },
  {
    id: 'sidecar-liveness-is-not-asked',
    why: 'Ignores a failed liveness probe of a sidecar.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      ['if (nextMayStart && livenessProbe && probes', 'if (nextMayStart && livenessProbe?.exec && probes'],
    ],
  },
  {
    id: 'sidecar-failure-is-final',
    why: `The exit code of a sidecar counts: a Job's pod fails because its proxy was killed.`,
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'const regular = containers.map(look);',
        'const regular = [...initContainers.filter(isSidecar), ...containers].map(look);',
      ],
    ],
  },
  {
    id: 'pending-again',
    why: 'A pod goes back to Pending when a sidecar restarts next to its containers.',
    origin: 'common',
    law: 'Level 9',
    edits: [[`if (isStarting && !podHasInitialized) return 'Pending';`, `if (isStarting) return 'Pending';`]],
  },
  {
    id: 'running-before-the-sidecar',
    why: 'A pod is Running although its sidecar has not started.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `  if (isStarting && !podHasInitialized) return 'Pending';
`,
        '',
      ],
    ],
  },
  {
    id: 'sidecar-need-not-be-ready',
    why: 'A pod is ready although a sidecar is not.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '[...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers]',
        '[...pod.spec.containers]',
      ],
    ],
  },
  {
    id: 'lost-sidecar-runs-twice',
    why: 'Restarts a lost sidecar without killing it first.',
    origin: 'common',
    law: 'Level 9',
    hidden:
      'No runtime here loses a container: after a restart it finds all of them, or reports that they have exited.',
    edits: [
      [
        `    return { start: true, kill: unknownToKill(name, 'Init container'), nextMayStart: false };`,
        '    return { start: true, nextMayStart: false };',
      ],
    ],
  },
  {
    id: 'sidecar-keeps-its-image',
    why: 'A sidecar keeps its old image, although the spec has another.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `  if (nextMayStart && status.hash !== hashContainer(sidecar)) return kill('definition changed');
`,
        '',
      ],
    ],
  },
  {
    id: 'sidecar-ends-with-the-others',
    why: 'Stops sidecars at the same time as the containers that they serve.',
    origin: 'common',
    law: 'Sidecars stop last',
    edits: [[`pod?.spec.initContainers?.some(isSidecar) && new`, `pod?.spec.containers.length === 0 && new`]],
  },
  {
    id: 'first-sidecar-ends-first',
    why: 'Stops sidecars in the order in which they started.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '[...regular, ...sidecars.slice(i + 1, i + 2)]',
        '[...regular, ...sidecars.slice(Math.max(0, i - 1), i)]',
      ],
    ],
  },
  {
    id: 'sidecar-waits-for-the-dead',
    why: 'Waits for containers to end that do not run.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'for (const name of running) this.#ends.set(name, ending());',
        'for (const name of [...running, ...regular]) this.#ends.set(name, ending());',
      ],
    ],
  },
  {
    id: 'turn-on-top-of-the-grace-period',
    why: 'A sidecar gets its whole grace period after its turn has come.',
    origin: 'k#80744',
    law: 'Sidecars end in time',
    edits: [
      [
        'if (order && seconds > 0) seconds -= await interruptible(signal, order.turn(name, seconds));',
        'if (order && seconds > 0) await interruptible(signal, order.turn(name, seconds));',
      ],
    ],
  },
];
