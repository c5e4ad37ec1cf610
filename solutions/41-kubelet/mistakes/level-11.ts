import type { Mistake } from '#harness/testing';

/** Wrong about Level 11: the node. */
export const level11: readonly Mistake[] = [
  {
    id: 'restart-wipes-pressure',
    why: 'Says that there is no pressure before it has looked: a restart takes the taint away from a node that is short of memory.',
    origin: 'k#119645',
    law: 'Sees what it says',
    edits: [
      [
        "observation.pressure ? observation.pressure.has(type) : known?.status === 'True'",
        'observation.pressure?.has(type) ?? false',
      ],
    ],
  },
  {
    id: 'restart-makes-a-node-unready',
    why: 'Says that the node is not ready as long as the runtime has not been asked: each restart makes it flip.',
    origin: 'k#71823',
    law: 'Sees what it says',
    edits: [
      [
        "if (runtimeErrors === undefined && known && known.status !== 'Unknown') {",
        'if (runtimeErrors === undefined && known && known.status === "False") {',
      ],
    ],
  },
  {
    id: 'unknown-stays-unknown',
    why: 'Takes Unknown, which others wrote while the node was not heard of, for something that it has said itself.',
    origin: 'common',
    law: 'Level 11',
    hidden:
      'It is seen only while the runtime has not answered for longer than the kubelet waits for it before it tells anything.',
    edits: [["known && known.status !== 'Unknown') {", 'known) {']],
  },
  {
    id: 'heartbeats-are-changes',
    why: 'Takes the time of a heartbeat for news: every node writes its whole status every ten seconds.',
    origin: 'common',
    law: 'Frugal',
    edits: [['.map(({ lastHeartbeatTime: _, ...rest }) => rest)', '.map((rest) => rest)']],
  },
  {
    id: 'transition-at-each-heartbeat',
    why: 'Gives each condition a new time of transition whenever it is written: a reader cannot tell how long a node has been down.',
    origin: 'common',
    law: 'Dates',
    edits: [['known?.status === judged.status ? (known.lastTransitionTime ?? now) : now', 'now']],
  },
  {
    id: 'wipes-conditions-of-others',
    why: 'Writes its own conditions only: what a network provider has said of the node is gone.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [['{ conditions: [...foreign, ...own], transitions }', '{ conditions: own, transitions }']],
  },
  {
    id: 'lease-keeps-its-first-owner',
    why: 'Keeps the uid of the first Node: when the Node is made again, the lease belongs to one that is gone.',
    origin: 'virtual-kubelet/virtual-kubelet#886',
    law: 'Owned',
    edits: [
      [
        "const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];",
        "const ownerReferences = old?.metadata.ownerReferences ?? [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];",
      ],
    ],
  },
  {
    id: 'lease-without-a-node',
    why: 'Writes a lease that belongs to nothing when there is no Node: such leases pile up.',
    origin: 'k#109777',
    law: 'Owned',
    edits: [
      [
        'if (owner) this.#latest = await this.#write(owner);',
        "this.#latest = await this.#write(owner ?? ({ metadata: { uid: 'unknown' } } as Node));",
      ],
    ],
  },
  {
    id: 'lease-is-not-read-again',
    why: 'Goes on with the lease that it wrote last, whatever has become of it: after another client wrote it, no renewal succeeds.',
    origin: 'common',
    law: 'Heartbeats',
    edits: [['        this.#latest = undefined;\n', '']],
  },
  {
    id: 'one-try',
    why: 'Gives a write of the lease one try: a conflict costs ten seconds of the forty.',
    origin: 'common',
    law: 'Level 11',
    hidden: 'The next renewal comes ten seconds later, and the lease lasts for forty.',
    edits: [['const TRIES = 5;', 'const TRIES = 1;']],
  },
  {
    id: 'never-again-without-news',
    why: 'Writes a status only when it has changed: its heartbeat is never newer than its last trouble.',
    origin: 'common',
    law: 'Reports',
    edits: [['if (!changed && !due) return;', 'if (!changed && this.#reportedMs > 0) return;']],
  },
  {
    id: 'takes-no-node-that-is-there',
    why: 'Tries to create its Node until that succeeds: after a restart it never tells anything.',
    origin: 'common',
    law: 'Says how the node is',
    edits: [['if (!isAlreadyExists(error)) throw error;', 'throw error;']],
  },
];
