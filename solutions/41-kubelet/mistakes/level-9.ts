import type { Mistake } from '#harness/testing';

/** Wrong about Level 9: sidecars. */
export const level9: readonly Mistake[] = [
  {
    id: 'sidecar-is-awaited',
    why: 'Waits for a sidecar to exit before it starts what comes after it.',
    origin: 'common',
    law: 'Level 9',
    edits: [['  return { start: false, nextMayStart };', '  return { start: false, nextMayStart: false };']],
  },
  {
    id: 'sidecar-does-not-wait-for-startup',
    why: 'Starts what comes after a sidecar as soon as it runs, whatever its startup probe says.',
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
    why: 'A pod whose containers have ended goes on, as its sidecars still run.',
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
    why: 'Does not start a sidecar again that has exited.',
    origin: 'common',
    law: 'Sidecars beside',
    edits: [
      [
        `if (status?.state !== 'running') return { start: true, nextMayStart: false };`,
        `if (status?.state !== 'running') return { start: status?.state !== 'exited', nextMayStart: false };`,
      ],
    ],
  },
  {
    id: 'sidecar-goes-by-the-pod',
    why: 'Starts a sidecar again only if its pod would be.',
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
    why: 'Looks after a sidecar only while it is the last one that has begun.',
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
    why: 'A sidecar whose liveness probe has failed is left alone.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      ['if (nextMayStart && livenessProbe && probes', 'if (nextMayStart && livenessProbe?.exec && probes'],
    ],
  },
  {
    id: 'sidecar-failure-is-final',
    why: `Counts how a sidecar ended: a Job's pod fails because its proxy was killed.`,
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
    why: 'A pod goes back to Pending when a sidecar starts again beside its containers.',
    origin: 'common',
    law: 'Level 9',
    edits: [[`if (isStarting && !podHasInitialized) return 'Pending';`, `if (isStarting) return 'Pending';`]],
  },
  {
    id: 'running-before-the-sidecar',
    why: 'A pod is Running though its sidecar has not started.',
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
    why: 'Ready though a sidecar is not.',
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
    why: 'Starts a sidecar again that is lost, and does not kill it first.',
    origin: 'common',
    law: 'Level 9',
    hidden:
      'No runtime here loses sight of a container: after a restart it finds all of them again, or says that they have exited.',
    edits: [
      [
        `    return { start: true, kill: unknownToKill(name, 'Init container'), nextMayStart: false };`,
        '    return { start: true, nextMayStart: false };',
      ],
    ],
  },
  {
    id: 'sidecar-keeps-its-image',
    why: 'A sidecar keeps its old image, though the spec has another.',
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
    why: 'Ends sidecars together with the containers that they serve.',
    origin: 'common',
    law: 'Sidecars last',
    edits: [[`pod?.spec.initContainers?.some(isSidecar) && new`, `pod?.spec.containers.length === 0 && new`]],
  },
  {
    id: 'first-sidecar-ends-first',
    why: 'Ends sidecars in the order in which they were started.',
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
    why: 'Gives a sidecar all of its time after its turn has come.',
    origin: 'k#80744',
    law: 'Sidecars in time',
    edits: [
      [
        'if (order && seconds > 0) seconds -= await interruptible(signal, order.turn(name, seconds));',
        'if (order && seconds > 0) await interruptible(signal, order.turn(name, seconds));',
      ],
    ],
  },
];
