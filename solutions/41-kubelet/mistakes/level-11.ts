import type { Mistake } from '#harness/testing';

/** Mistakes of Level 11: the node. */
export const level11: readonly Mistake[] = [
  {
    id: 'restart-wipes-pressure',
    why: 'Reports no pressure before the first observation: a restart removes the taint from a node with too little memory.',
    origin: 'k#119645',
    law: 'Observes first',
    edits: [
      [
        "observation.pressure ? observation.pressure.has(type) : known?.status === 'True'",
        'observation.pressure?.has(type) ?? false',
      ],
    ],
  },
  {
    id: 'restart-makes-a-node-unready',
    why: 'Reports the node as not ready until the runtime has answered: each restart makes the condition flap.',
    origin: 'k#71823',
    law: 'Observes first',
    edits: [
      [
        "if (runtimeErrors === undefined && known && known.status !== 'Unknown') {",
        'if (runtimeErrors === undefined && known && known.status === "False") {',
      ],
    ],
  },
  {
    id: 'unknown-stays-unknown',
    why: 'Keeps Unknown, which another component wrote while the node was silent, as if it were its own value.',
    origin: 'common',
    law: 'Level 11',
    hidden:
      'It is visible only while the runtime does not answer for longer than the kubelet waits before it reports.',
    edits: [["known && known.status !== 'Unknown') {", 'known) {']],
  },
  {
    id: 'heartbeats-are-changes',
    why: 'The heartbeat time counts as a change: every node writes its whole status every ten seconds.',
    origin: 'common',
    law: 'Writes rarely',
    edits: [['.map(({ lastHeartbeatTime: _, ...rest }) => rest)', '.map((rest) => rest)']],
  },
  {
    id: 'transition-at-each-heartbeat',
    why: 'Each write sets a new transition time: a reader cannot see how long a node has been down.',
    origin: 'common',
    law: 'Transition times',
    edits: [['known?.status === judged.status ? (known.lastTransitionTime ?? now) : now', 'now']],
  },
  {
    id: 'wipes-conditions-of-others',
    why: 'Writes only its own conditions, so that those of a network provider are lost.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [['{ conditions: [...foreign, ...own], transitions }', '{ conditions: own, transitions }']],
  },
  {
    id: 'lease-keeps-its-first-owner',
    why: 'The lease keeps the uid of the first Node: after the Node is recreated, the lease has an owner that does not exist.',
    origin: 'virtual-kubelet/virtual-kubelet#886',
    law: 'Lease owner',
    edits: [
      [
        "const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];",
        "const ownerReferences = old?.metadata.ownerReferences ?? [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.metadata.uid }];",
      ],
    ],
  },
  {
    id: 'lease-without-a-node',
    why: 'Writes a lease without an owner if there is no Node: such leases accumulate.',
    origin: 'k#109777',
    law: 'Lease owner',
    edits: [
      [
        'if (owner) this.#latest = await this.#write(owner);',
        "this.#latest = await this.#write(owner ?? ({ metadata: { uid: 'unknown' } } as Node));",
      ],
    ],
  },
  {
    id: 'lease-is-not-read-again',
    why: 'Never reads the lease again after its own write: after another client changes it, no renewal succeeds.',
    origin: 'common',
    law: 'Heartbeats',
    edits: [['        this.#latest = undefined;\n', '']],
  },
  {
    id: 'one-try',
    why: 'Tries each write of the lease only once: a conflict costs ten of the forty seconds.',
    origin: 'common',
    law: 'Level 11',
    hidden: 'The next renewal comes after ten seconds, and the lease lasts forty.',
    edits: [['const TRIES = 5;', 'const TRIES = 1;']],
  },
  {
    id: 'never-again-without-news',
    why: 'Writes a status only after a change, so that its heartbeat becomes old.',
    origin: 'common',
    law: 'Reports regularly',
    edits: [['if (!changed && !due) return;', 'if (!changed && this.#reportedMs > 0) return;']],
  },
  {
    id: 'takes-no-node-that-is-there',
    why: 'Tries to create its Node until that succeeds: after a restart it never reports.',
    origin: 'common',
    law: 'True conditions',
    edits: [['if (!isAlreadyExists(error)) throw error;', 'throw error;']],
  },
  {
    id: 'reported-before-it-is-written',
    why: 'Records the time of a report before the write: a report that fails is repeated after five minutes, not at the next sync.',
    origin: 'common',
    law: 'Reports regularly',
    edits: [
      [
        `    await client.updateStatus(nodes, { ...found, status }, { signal });
    this.#reportedMs = clock.monotonicMs();
`,
        `    this.#reportedMs = clock.monotonicMs();
    await client.updateStatus(nodes, { ...found, status }, { signal });
`,
      ],
    ],
  },
];
