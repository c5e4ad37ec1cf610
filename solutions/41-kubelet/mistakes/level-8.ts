import type { Mistake } from '#harness/testing';

/** Mistakes of Level 8: after a restart. */
export const level8: readonly Mistake[] = [
  {
    id: 'orphans-run-on',
    why: 'Ignores running containers that belong to no desired pod.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        `    workers.update({ type: 'kill', runtimePod, kill: { graceSeconds: 1 } });
`,
        ``,
      ],
    ],
  },
  {
    id: 'second-one-while-the-first-starts',
    why: 'Creates another container while a created one may still be starting: both run.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Level 8',
    edits: [
      [
        `  await parts.steps.removeUnstarted(start).catch(fail('CreateContainerError'));
`,
        ``,
      ],
    ],
  },
  {
    id: 'directories-stay',
    why: 'Keeps the directories of deleted pods.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        `  await steps.forgetPods({ desired, known, running });
`,
        ``,
      ],
    ],
  },
  {
    id: 'orphans-without-containers',
    why: 'Ignores a sandbox without running containers: it stays, with its address.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        `for (const runtimePod of running) {`,
        `for (const runtimePod of running.filter(({ containers }) => containers.some(({ state }) => state === 'CONTAINER_RUNNING'))) {`,
      ],
    ],
  },
  {
    id: 'orphan-by-the-first-look',
    why: 'Asks only before it lists the runtime which pods have a worker: a pod that begins in between is killed.',
    origin: 'common',
    law: 'Ends when done',
    edits: [
      [
        'if (known.has(runtimePod.uid) || workers.knows(runtimePod.uid)) continue;',
        'if (known.has(runtimePod.uid)) continue;',
      ],
    ],
  },
  {
    id: 'orphan-without-a-grace-period',
    why: 'Leaves the grace period of an orphan to its worker.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'The given workers know no other grace period for a pod without a spec than one second.',
    edits: [['runtimePod, kill: { graceSeconds: 1 } }', 'runtimePod, kill: {} }']],
  },
  {
    id: 'no-probes-after-a-restart',
    why: 'Probes only containers that it starts itself: after a restart of the kubelet, a surviving container is never probed.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      [
        '  parts.probes.addPod(pod);\n',
        '  if (podStatus.containerStatuses.length === 0) parts.probes.addPod(pod);\n',
      ],
    ],
  },
];
