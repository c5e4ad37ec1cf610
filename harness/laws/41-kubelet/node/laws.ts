import type * as core from '#api/core/v1';
import { deepEqual } from '../../../api/freeze.ts';
import type { Node } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';
import { type Law as LawOf, lawAbout, type Violation } from '../../../testing/holds.ts';
import type { NodeHistory, Truth } from './history.ts';

type Law = LawOf<NodeHistory>;

/** Ten seconds, plus 4 % of jitter, plus the time of the requests. */
const RENEWED_WITHIN_MS = 12_000;
/** An unchanged status waits for five minutes, or half of that after a change. */
const UNCHANGED_WITHIN_MS = 150_000;
/** Five minutes, half of that after a change, and two periods of ten seconds: the one that finds it due, and a retry. */
const REPORTED_WITHIN_MS = 480_000;
/** Longest time from a read to the write that uses it: messages take time, and failures are retried. */
const DECISION_MS = 10_000;

/** The situation of laws that compare statuses, or their absence. */
const TWO_STATUSES = {
  name: 'a kubelet that wrote the status of its Node twice',
  isMet: (history: NodeHistory): boolean => ownStatuses(history).length > 1,
};

const PRESSURES: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Without faults, the kubelet renews the lease of an existing Node in time. */
export const heartbeats: Law = (history) => {
  const { nodeName, process, leases, calmMs, stoppedMs } = history;
  if (!nodeAt(history, calmMs)) return [];
  const renewals = leases.filter(({ actor, atMs }) => actor === process && atMs <= stoppedMs);
  const times = [...renewals.map(({ atMs }) => atMs).filter((atMs) => atMs >= calmMs), stoppedMs];
  return times.flatMap((atMs, i) => {
    const before = times[i - 1] ?? calmMs;
    if (atMs - before <= RENEWED_WITHIN_MS) return [];
    const last = leases.findLast((entry) => entry.atMs <= before);
    const other =
      last === undefined || last.actor === process
        ? ''
        : `; another client ${last.type === 'DELETED' ? 'deleted' : 'changed'} the lease at ${last.atMs} ms, so the kubelet must read it again`;
    const message = `the kubelet did not renew its lease for ${(atMs - before) / 1_000} s; a renewal is due every 10 s${other}`;
    return [{ atMs: before, message, object: nodeName }];
  });
};

/** Every written lease is owned by one Node, which existed when the kubelet can have read it. */
export const owned: Law = lawAbout<NodeHistory>(
  {
    name: 'a lease that the kubelet wrote',
    isMet: ({ process, leases }) => leases.some(({ actor }) => actor === process),
  },
  ({ nodeName, process, leases, nodes }) =>
    leases
      .filter(({ actor, type }) => actor === process && type !== 'DELETED')
      .flatMap(({ atMs, object }) => {
        const owners = object.metadata.ownerReferences ?? [];
        const uids = uidsBetween(nodes, atMs - DECISION_MS, atMs);
        const [owner] = owners;
        if (owners.length === 1 && owner?.kind === 'Node' && uids.has(owner.uid)) return [];
        const named = owners.map(({ kind, uid }) => `${kind} ${uid}`).join(', ') || 'nothing';
        const were = [...uids].join(', ') || 'none';
        return [
          {
            atMs,
            message: `the kubelet wrote a lease with the owner ${named}, but the uid of the Node was ${were}`,
            object: nodeName,
          },
        ];
      }),
);

/** A kubelet changes only conditions that it has observed since its start. */
export const observesFirst: Law = lawAbout<NodeHistory>(
  {
    name: 'a condition that the kubelet changed',
    isMet: (history) =>
      ownStatuses(history).some(({ object, previous }) => changes(object, previous).length > 0),
  },
  (history) =>
    ownStatuses(history).flatMap(({ atMs, object, previous }) => {
      const { nodeName } = history;
      return changes(object, previous).flatMap(({ condition, old }) => {
        const seen = seenBy(history, atMs, condition.type === 'Ready' ? 'runtime' : 'pressure');
        if (isJustified(condition, old, seen)) return [];
        const was = old?.status ?? 'absent';
        const what =
          seen.length === 0
            ? 'it had not yet seen the state of the node'
            : 'the state of the node that it had seen was another';
        return [
          {
            atMs,
            message: `the kubelet changed the condition ${condition.type} from ${was} to ${condition.status}, but ${what}`,
            object: nodeName,
          },
        ];
      });
    }),
);

interface Change {
  readonly condition: core.NodeCondition;
  /** Undefined for a new condition. */
  readonly old: core.NodeCondition | undefined;
}

/** Returns the conditions of the kubelet whose status differs from the previous version of the Node. */
function changes({ status }: Node, previous: Node | undefined): readonly Change[] {
  return (status.conditions ?? []).filter(isOwn).flatMap((condition) => {
    const old = previous?.status.conditions?.find(({ type }) => type === condition.type);
    return old?.status === condition.status ? [] : [{ condition, old }];
  });
}

/** In the end the Node describes the node: its conditions and its hostname label. */
export const truthful: Law = (history) => {
  const { nodeName, stoppedMs, truth, incarnations, nodes } = history;
  const node = nodeAt(history, stoppedMs);
  if (!node) {
    const gone = nodes.findLast(({ type }) => type === 'DELETED')?.atMs ?? 0;
    // A kubelet registers its Node only when it starts.
    const born = incarnations.at(-1)?.bornMs ?? 0;
    return born <= gone && nodes.length > 0
      ? []
      : [
          {
            atMs: stoppedMs,
            message:
              'in the end the Node does not exist, although a kubelet started after the Node was deleted; a kubelet must register its Node when it starts',
          },
        ];
  }
  const now = truth.at(-1) as Truth;
  const wanted = [
    ...PRESSURES.map(
      (type) => [type, now.pressure.includes(type as NodePressure) ? 'True' : 'False'] as const,
    ),
    ['Ready', errorsOf(now).length > 0 ? 'False' : 'True'] as const,
  ];
  const reported = new Map(node.status.conditions?.map(({ type, status }) => [type, status]));
  const wrong = wanted.filter(([type, status]) => reported.get(type) !== status);
  const why = (type: string): string => {
    if (type !== 'Ready')
      return now.pressure.length > 0
        ? `the node is under ${now.pressure.join(', ')}`
        : 'the node is under no pressure';
    return errorsOf(now).join('; ') || 'the runtime and the network are ready';
  };
  const violations: Violation[] = wrong.map(([type, status]) => ({
    atMs: stoppedMs,
    message: `in the end the condition ${type} of the Node is ${reported.get(type) ?? 'absent'}; expected ${status}, because ${why(type)}`,
    object: nodeName,
  }));
  const ready = node.status.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
  const missing = errorsOf(now).filter((error) => !ready.includes(error));
  if (missing.length > 0) {
    violations.push({
      atMs: stoppedMs,
      message: `the message of Ready lacks ${missing.map((error) => `"${error}"`).join(' and ')}`,
      object: nodeName,
    });
  }
  if (node.metadata.labels?.['kubernetes.io/hostname'] !== nodeName && isRegistered(history)) {
    violations.push({
      atMs: stoppedMs,
      message: 'the Node lacks the label kubernetes.io/hostname',
      object: nodeName,
    });
  }
  return violations;
};

/** An unchanged status is written rarely. */
export const writesRarely: Law = lawAbout<NodeHistory>(TWO_STATUSES, (history) => {
  const { nodeName, scenario, incarnations } = history;
  // A write without an answer is repeated, which is correct.
  if (scenario.steps.some((step) => 'strike' in step)) return [];
  return ownStatuses(history).flatMap(({ atMs, object, previous }, i, all) => {
    const before = all[i - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
    const born = incarnations.findLast(({ bornMs }) => bornMs <= atMs)?.bornMs ?? 0;
    // The first status of an incarnation may equal the old one.
    if (!previous || before < born || all[i - 1]?.type === 'ADDED') return [];
    if (atMs - before >= UNCHANGED_WITHIN_MS) return [];
    if (!deepEqual(withoutHeartbeats(previous.status), withoutHeartbeats(object.status))) return [];
    const message = `the kubelet wrote a status in which only lastHeartbeatTime is new, ${(atMs - before) / 1_000} s after the one before; without another change a status is due every 5 minutes`;
    return [{ atMs, message, object: nodeName }];
  });
});

/** An unchanged status is still written every five minutes or so, also after a write that failed. */
export const reports: Law = (history) => {
  const { nodeName, calmMs, stoppedMs } = history;
  if (!nodeAt(history, calmMs)) return [];
  const times = ownStatuses(history).flatMap(({ atMs }) => (atMs <= stoppedMs ? [atMs] : []));
  return [...times, stoppedMs].flatMap((atMs, i) => {
    const before = times[i - 1] ?? 0;
    if (atMs < calmMs || atMs - before <= REPORTED_WITHIN_MS) return [];
    const message = `the kubelet wrote no status for ${(atMs - before) / 1_000} s; also without a change a status is due every 5 minutes, and one that could not be written 10 s later`;
    return [{ atMs, message, object: nodeName }];
  });
};

/** The kubelet keeps everything that other clients wrote into the Node. */
export const leavesOthersAlone: Law = lawAbout<NodeHistory>(
  {
    name: 'a Node that the kubelet wrote after another client',
    isMet: ({ process, nodes }) =>
      nodes.some(
        ({ actor, type }, i) =>
          actor === process &&
          type === 'MODIFIED' &&
          nodes.slice(0, i).some((entry) => entry.actor !== process),
      ),
  },
  ({ nodeName, process, nodes }) =>
    nodes
      .filter(
        ({ actor, previous, type }) => actor === process && previous !== undefined && type === 'MODIFIED',
      )
      .flatMap(({ atMs, object, previous }) => {
        const foreign = ({ metadata, spec, status }: Node): Readonly<Record<string, unknown>> => ({
          'label example.com/mark': metadata.labels?.['example.com/mark'],
          spec,
          'other conditions': (status.conditions ?? []).filter((condition) => !isOwn(condition)),
          'capacity of example.com/dongle': status.capacity?.['example.com/dongle'],
        });
        const [is, was] = [foreign(object), foreign(previous as Node)];
        return Object.keys(was)
          .filter((what) => !deepEqual(is[what], was[what]))
          .map((what) => ({
            atMs,
            message: `the kubelet changed the ${what} of its Node, a field of another client, from ${JSON.stringify(was[what])} to ${JSON.stringify(is[what])}`,
            object: nodeName,
          }));
      }),
);

/** lastTransitionTime changes only with the status of a condition. */
export const dates: Law = lawAbout<NodeHistory>(TWO_STATUSES, (history) =>
  ownStatuses(history).flatMap(({ atMs, object, previous }) =>
    (object.status.conditions ?? []).filter(isOwn).flatMap((condition) => {
      const old = previous?.status.conditions?.find(({ type }) => type === condition.type);
      if (old?.lastTransitionTime === undefined || old.status !== condition.status) return [];
      if (old.lastTransitionTime === condition.lastTransitionTime) return [];
      const message = `the kubelet changed lastTransitionTime of ${condition.type} from ${old.lastTransitionTime} to ${condition.lastTransitionTime}, although its status stayed ${condition.status}`;
      return [{ atMs, message, object: history.nodeName }];
    }),
  ),
);

/** After its signal is aborted the kubelet writes nothing. */
export const stops: Law = lawAbout<NodeHistory>(TWO_STATUSES, ({ process, journal, stoppedMs, scenario }) =>
  journal
    .filter(({ actor, atMs }) => actor === process && atMs > stoppedMs + 2 * scenario.latencyMs)
    .map(({ atMs, resource, key }) => ({
      atMs,
      message: `the kubelet wrote ${resource.plural} ${key} ${Math.round(atMs - stoppedMs)} ms after its signal was aborted`,
    })),
);

/** After a Node was deleted and created again, the new Node owns the lease. */
export const leaseFollowsNode: Law = lawAbout<NodeHistory>(
  {
    name: 'a Node that was created again while its kubelet ran',
    isMet: (history) =>
      lastOwner(history) !== undefined && uidsBetween(history.nodes, 0, history.stoppedMs).size > 1,
  },
  (history) => {
    const node = nodeAt(history, history.stoppedMs);
    const owner = lastOwner(history);
    if (!node || owner === node.metadata.uid) return [];
    return [
      {
        atMs: history.stoppedMs,
        message: `in the end the lease has the owner ${owner}, but the Node was created again with the uid ${node.metadata.uid}`,
        object: history.nodeName,
      },
    ];
  },
);

function lastOwner({ leases }: NodeHistory): string | undefined {
  const last = leases.at(-1);
  return last?.type === 'DELETED' ? undefined : last?.object.metadata.ownerReferences?.[0]?.uid;
}

function nodeAt({ nodes }: NodeHistory, atMs: number): Node | undefined {
  const last = nodes.findLast((entry) => entry.atMs <= atMs);
  return last === undefined || last.type === 'DELETED' ? undefined : last.object;
}

/** Whether the last incarnation started after the last creation of the Node, so that it had to register it. */
function isRegistered({ nodes, incarnations }: NodeHistory): boolean {
  const made = nodes.findLast(({ type }) => type === 'ADDED')?.atMs ?? 0;
  return made <= (incarnations.at(-1)?.bornMs ?? 0);
}

/** Returns the uids of the Node in a time window. */
function uidsBetween(nodes: NodeHistory['nodes'], fromMs: number, toMs: number): ReadonlySet<string> {
  const uids = new Set<string>();
  nodes.forEach(({ atMs, type, object }, i) => {
    const endMs = nodes[i + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (type !== 'DELETED' && atMs <= toMs && endMs >= fromMs) uids.add(object.metadata.uid);
  });
  return uids;
}

/** Returns the kubelet's writes of the Node's status, including the first one. */
function ownStatuses({ process, nodes }: NodeHistory): readonly JournalEntry<Node>[] {
  return nodes.filter(
    ({ actor, type, object, previous }) =>
      actor === process && type !== 'DELETED' && !deepEqual(object.status, previous?.status),
  );
}

/** Returns the states of the node that the kubelet can have observed shortly before. */
function seenBy(
  { truth, incarnations }: NodeHistory,
  atMs: number,
  what: 'runtime' | 'pressure',
): readonly Truth[] {
  const incarnation = incarnations.findLast(({ bornMs }) => bornMs <= atMs);
  const fromMs = Math.max(incarnation?.seesMs[what] ?? 0, atMs - DECISION_MS);
  return truth.filter((each, i) => {
    const endMs = truth[i + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    return fromMs <= atMs && each.atMs <= atMs && endMs >= fromMs;
  });
}

function isJustified(
  { type, status }: core.NodeCondition,
  old: core.NodeCondition | undefined,
  seen: readonly Truth[],
): boolean {
  const wasUnknown = old === undefined || old.status === 'Unknown';
  if (type === 'Ready') {
    // Without an observation Ready is False, but only if it was not True or False before.
    if (status === 'False' && wasUnknown) return true;
    return seen.some((truth) => errorsOf(truth).length > 0 === (status === 'False'));
  }
  if (status === 'False' && wasUnknown) return true;
  return seen.some(({ pressure }) => pressure.includes(type as NodePressure) === (status === 'True'));
}

function errorsOf({ runtimeErrors, networkErrors }: Truth): readonly string[] {
  return [...runtimeErrors, ...networkErrors];
}

function isOwn({ type }: core.NodeCondition): boolean {
  return type === 'Ready' || PRESSURES.includes(type);
}

function withoutHeartbeats(status: core.NodeStatus): unknown {
  const conditions = (status.conditions ?? [])
    .map(({ lastHeartbeatTime: _, ...rest }) => rest)
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...status, conditions };
}
