/** Mistakes of level 4 · Ports of the node. */
import type { Mistake } from '#harness/testing';

/** Level 4 · Ports of the node. */
export const level4: readonly Mistake[] = [
  {
    id: 'every-address-is-an-address',
    why: 'A port on 0.0.0.0 is taken on every address, and here on that one only.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        '(a.hostIP === b.hostIP || a.hostIP === EVERY_ADDRESS || b.hostIP === EVERY_ADDRESS)',
        'a.hostIP === b.hostIP && EVERY_ADDRESS.length > 0',
      ],
    ],
  },
  {
    id: 'protocols-collide',
    why: 'DNS wants port 53 by TCP and by UDP, of one node and from two pods.',
    origin: 'k#5874',
    law: 'Level 4',
    edits: [['    a.protocol === b.protocol &&\n', '']],
  },
  {
    id: 'ports-for-ever',
    why: 'It says that it would not help if others went, and the pod that has the port is never preempted.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['const portTaken = framework.unschedulable(', 'const portTaken = framework.unresolvable(']],
  },
  {
    id: 'sidecars-have-no-ports',
    why: 'A sidecar stays, and has its port for good: two of them with the same port are sent to one node.',
    origin: 'k#132037',
    law: 'Level 4',
    edits: [
      [
        'const wanted = framework.podInfoOf(pod).hostPorts;\n    const isTaken',
        'const own = new Set(pod.spec.containers.flatMap(({ ports = [] }) => ports.map(({ hostPort }) => hostPort)));\n    const wanted = framework.podInfoOf(pod).hostPorts.filter(({ hostPort }) => own.has(hostPort));\n    const isTaken',
      ],
    ],
  },
  {
    id: 'first-port-decides',
    why: 'Of several ports that a pod wants it looks at the first.',
    origin: 'common',
    law: 'Level 4',
    edits: [['const isTaken = wanted.some((port)', 'const isTaken = wanted.slice(0, 1).some((port)']],
  },
];
