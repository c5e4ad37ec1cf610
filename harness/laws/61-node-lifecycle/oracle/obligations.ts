import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { EVICTION, GARBAGE, LIFECYCLE, NAMESPACE } from '../operations.ts';
import {
  executeKeys,
  executeTaints,
  nameOfTaint,
  schedulingTaints,
  statusOf,
  wantedExecuteKey,
  wantedSchedulingTaints,
} from './taints.ts';
import { PERIOD_MS, REQUESTS_MS } from './times.ts';
import { toleratedMs } from './tolerations.ts';
import { type Zone, type Zones, zoneOf, zonesOf } from './zones.ts';

/** The subject of an obligation: a law checks the obligations of one. */
export type Subject = 'taints' | 'executes' | 'marks' | 'evictions' | 'garbage';

/** An obligation of a controller: something that it has still to do. */
export interface Obligation {
  readonly subject: Subject;
  readonly process: string;
  /** Two obligations of successive snapshots are the same one if their ids are equal. */
  readonly id: string;
  /** A phrase that follows "did not": `add the taint x:NoSchedule to node-1`. */
  readonly words: string;
  /** The time that the controller has for it. */
  readonly withinMs: number;
  readonly object: string;
}

/** All nodes and pods at one moment. */
export interface Snapshot {
  /** By name. */
  readonly nodes: ReadonlyMap<string, Node>;
  /** By `namespace/name`. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** The number of `NoExecute` taints that the controller has added in each zone so far. @defaultValue not counted */
  readonly added?: ReadonlyMap<string, number>;
}

/**
 * Time for an action that no clock delays. A controller that looks at everything every few seconds is correct, too.
 */
const SOON_MS = PERIOD_MS + 2 * REQUESTS_MS;

/** Returns everything that the controllers have still to do. It shares no code with the reference. */
export function obligationsOf(snapshot: Snapshot): readonly Obligation[] {
  const zones = zonesOf(snapshot.nodes.values());
  return [
    ...[...snapshot.nodes.values()].flatMap((node) => [...taintsOwed(node), ...removalsOwed(node, zones)]),
    ...executesOwed(snapshot, zones),
    ...[...snapshot.pods.values()].flatMap((pod) => {
      const node = snapshot.nodes.get(pod.spec.nodeName ?? '');
      return [...marksOwed(pod, node), ...evictionsOwed(pod, node), ...garbageOwed(pod, node)];
    }),
  ];
}

/** The taints that keep new pods away follow from the conditions, and from `unschedulable`. */
function* taintsOwed(node: Node): Iterable<Obligation> {
  const { name } = node.metadata;
  const [has, wanted] = [schedulingTaints(node), wantedSchedulingTaints(node)];
  for (const taint of wanted) {
    if (!has.has(taint)) yield soon('taints', name, `add the taint ${taint} to ${name}`);
  }
  for (const taint of has) {
    if (!wanted.has(taint)) yield soon('taints', name, `remove the taint ${taint} from ${name}`);
  }
}

/** A `NoExecute` taint goes at once when its reason is gone, or when no node of any zone is ready. */
function* removalsOwed(node: Node, { areAllDown }: Zones): Iterable<Obligation> {
  const { name } = node.metadata;
  const wanted = areAllDown ? undefined : wantedExecuteKey(node);
  for (const key of executeKeys(node)) {
    const taint = nameOfTaint({ key, effect: 'NoExecute' });
    if (key !== wanted) yield soon('executes', name, `remove the taint ${taint} from ${name}`);
  }
}

/** In each zone, one node after the other gets its `NoExecute` taint. */
function* executesOwed({ nodes, added }: Snapshot, { of, areAllDown }: Zones): Iterable<Obligation> {
  if (areAllDown) return;
  const waiting = new Map<string, string[]>();
  for (const node of nodes.values()) {
    const wanted = wantedExecuteKey(node);
    if (wanted === undefined || executeKeys(node).length > 0) continue;
    const zone = zoneOf(node);
    waiting.set(zone, [...(waiting.get(zone) ?? []), node.metadata.name]);
  }
  for (const [zone, names] of waiting) {
    const { state, everyMs } = of.get(zone) as Zone;
    if (everyMs === Number.POSITIVE_INFINITY) continue;
    const [first = ''] = names;
    yield {
      subject: 'executes',
      process: LIFECYCLE,
      id: `execute ${zone} ${state} ${added?.get(zone) ?? 0}`,
      words: `add the NoExecute taint to ${names.length > 1 ? `one of ${names.join(', ')}` : first}, in a zone where one is due every ${everyMs / 1_000} s`,
      withinMs: everyMs + SOON_MS,
      object: first,
    };
  }
}

/** No Service may send requests to a pod on a node that does not answer. */
function* marksOwed({ metadata, status }: Pod, node: Node | undefined): Iterable<Obligation> {
  if (!node || metadata.deletionTimestamp !== undefined || statusOf(node, 'Ready') !== 'Unknown') return;
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'False') return;
  const { name } = metadata;
  yield soon(
    'marks',
    `${name} ${metadata.uid}`,
    `set Ready of ${name} to False, although ${node.metadata.name} is Unknown`,
  );
}

/** A pod leaves a node whose `NoExecute` taints it does not tolerate, or no longer. */
function* evictionsOwed(pod: Pod, node: Node | undefined): Iterable<Obligation> {
  const { metadata, spec } = pod;
  // A pod that has ended may stay: its work is done.
  if (!node || metadata.deletionTimestamp !== undefined || hasEnded(pod)) return;
  const taints = executeTaints(node);
  if (taints.length === 0) return;
  const { tolerations = [] } = spec;
  const limitMs = toleratedMs(taints, tolerations);
  if (limitMs === Number.POSITIVE_INFINITY) return;
  const names = taints.map(nameOfTaint).sort().join(' and ');
  const tolerated = limitMs === 0 ? 'does not tolerate' : `tolerates for ${limitMs / 1_000} s`;
  yield {
    subject: 'evictions',
    process: EVICTION,
    id: `evict ${metadata.uid} ${names} ${JSON.stringify(tolerations)}`,
    words: `delete ${nameOfPod(pod)}, which ${tolerated} ${names} on ${node.metadata.name}`,
    withinMs: limitMs + REQUESTS_MS,
    object: metadata.name,
  };
}

/** Returns the name of a pod in a message, with its namespace if that is not the usual one. */
function nameOfPod({ metadata: { namespace = NAMESPACE, name } }: Pod): string {
  return namespace === NAMESPACE ? name : `${namespace}/${name}`;
}

/** Time between two looks of the collector, and its quarantine of the pods of a deleted Node. */
export const COLLECT_EVERY_MS = 20_000;
export const QUARANTINE_MS = 40_000;
/** The taint of a node whose machine is certainly off. */
export const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** Nobody else deletes a pod whose kubelet is gone for good. */
function* garbageOwed({ metadata, spec }: Pod, node: Node | undefined): Iterable<Obligation> {
  const { name, uid, deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = metadata;
  const isLeaving = deletionTimestamp !== undefined;
  // Only its finalizers keep it.
  if (isLeaving && deletionGracePeriodSeconds === 0 && finalizers.length > 0) return;
  const owed = (why: string, withinMs: number): Obligation => ({
    subject: 'garbage',
    process: GARBAGE,
    id: `collect ${uid} ${why}`,
    words: `delete ${name}, ${why}`,
    withinMs: withinMs + COLLECT_EVERY_MS + REQUESTS_MS,
    object: name,
  });
  if (spec.nodeName === undefined) {
    if (isLeaving) yield owed('which is being deleted and has no node', 0);
  } else if (!node) {
    yield owed(`whose node ${spec.nodeName} does not exist`, QUARANTINE_MS + COLLECT_EVERY_MS);
  } else if (isLeaving && isOutOfService(node)) {
    yield owed(`which is being deleted on ${spec.nodeName}, which is out of service`, 0);
  }
}

/** Returns whether the machine is certainly off: it is not ready, and a user has said so. */
export function isOutOfService(node: Node): boolean {
  const isTainted = node.spec.taints?.some(({ key }) => key === OUT_OF_SERVICE) ?? false;
  return isTainted && statusOf(node, 'Ready') !== 'True';
}

function soon(subject: Subject, object: string, words: string): Obligation {
  const [name = ''] = object.split(' ');
  return { subject, process: LIFECYCLE, id: `${words} ${object}`, words, withinMs: SOON_MS, object: name };
}
