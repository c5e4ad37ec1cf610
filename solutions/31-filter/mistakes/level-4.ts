/** Mistakes of level 4 · Ports of the node. */
import type { Mistake } from '#harness/testing';

/** Level 4 · Ports of the node. */
export const level4: readonly Mistake[] = [
  {
    id: 'every-address-is-an-address',
    why: 'A port on 0.0.0.0 conflicts with every address, but here only with 0.0.0.0.',
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
    why: 'TCP and UDP ports conflict: two pods cannot use port 53 of one node, by TCP and by UDP.',
    origin: 'k#5874',
    law: 'Level 4',
    edits: [['    a.protocol === b.protocol &&\n', '']],
  },
  {
    id: 'ports-for-ever',
    why: 'It claims that the removal of other pods cannot help, so that the pod with the port is never preempted.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['const portTaken = framework.unschedulable(', 'const portTaken = framework.unresolvable(']],
  },
  {
    id: 'sidecars-have-no-ports',
    why: 'Ports of sidecars are ignored, although sidecars keep running: two of them with the same port are scheduled to one node.',
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
    why: 'If the pod has several ports, only the first is checked.',
    origin: 'common',
    law: 'Level 4',
    edits: [['const isTaken = wanted.some((port)', 'const isTaken = wanted.slice(0, 1).some((port)']],
  },
  {
    id: 'every-address-of-ipv6',
    why: 'The address :: counts as every address, as 0.0.0.0 does; the scheduler compares it like any other address.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'b.hostIP === EVERY_ADDRESS)',
        "b.hostIP === EVERY_ADDRESS || a.hostIP === '::' || b.hostIP === '::')",
      ],
    ],
  },
];
