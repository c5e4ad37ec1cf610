import type * as core from '#api/core/v1';
import type { KubeObject, Lease, Node, Pod } from '../../api/objects.ts';
import { leases, nodes, pods, type Resource } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { StruckFault } from '../../faults/nemesis.ts';
import { ObjectHistories, type ObjectHistory } from '../../testing/rig/object-history.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { NodeScenario } from './scenario.ts';

/** The start of an incarnation of a controller. */
export interface Start {
  readonly process: string;
  readonly atMs: number;
}

/** The record of one run of the node controllers. Times are virtual ms. */
export interface NodeHistory extends ClusterRun {
  readonly scenario: Pick<NodeScenario, 'latencyMs' | 'nodes' | 'steps'>;
  readonly starts: readonly Start[];
  /** The faults that struck. */
  readonly struck: readonly StruckFault[];
  /** The time since when nothing is left to do; undefined if that time never came. */
  readonly restedMs: number | undefined;
  readonly endMs: number;
}

/** A history, prepared for the laws: computed once per run. */
export interface View {
  /** All writes of nodes and pods, oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly nodes: readonly JournalEntry<Node>[];
  readonly pods: readonly JournalEntry<Pod>[];
  /** By uid. */
  readonly nodesByUid: ObjectHistories<Node>;
  readonly podsByUid: ObjectHistories<Pod>;
  /** By name: the history of all Nodes that had this name. */
  readonly nodesByName: ObjectHistories<Node>;
  /** The times of the heartbeats of a node, by name: the renewals of its lease, and its reports. Ascending. */
  readonly heartbeats: ReadonlyMap<string, readonly number[]>;
}

const views = new WeakMap<NodeHistory, View>();

/** Returns the prepared history. */
export function viewOf(history: NodeHistory): View {
  const known = views.get(history) ?? viewIn(history);
  views.set(history, known);
  return known;
}

function viewIn({ journal }: NodeHistory): View {
  const of = <T extends KubeObject>(resource: Resource<T>): readonly JournalEntry<T>[] =>
    journal.filter((entry): entry is JournalEntry<never> => sameResource(entry.resource, resource));
  const [ofNodes, ofPods] = [of(nodes), of(pods)];
  return {
    entries: journal.filter(({ resource }) => sameResource(resource, nodes) || sameResource(resource, pods)),
    nodes: ofNodes,
    pods: ofPods,
    nodesByUid: new ObjectHistories(ofNodes),
    podsByUid: new ObjectHistories(ofPods),
    nodesByName: new ObjectHistories(ofNodes, ({ metadata }) => metadata.name),
    heartbeats: heartbeatsIn(ofNodes, of(leases)),
  };
}

function heartbeatsIn(
  ofNodes: readonly JournalEntry<Node>[],
  ofLeases: readonly JournalEntry<Lease>[],
): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  const beat = (name: string, atMs: number): void => {
    const known = times.get(name) ?? [];
    times.set(name, known);
    known.push(atMs);
  };
  for (const { type, object, previous, atMs } of ofLeases) {
    if (type === 'DELETED' || object.spec.renewTime === previous?.spec.renewTime) continue;
    beat(object.metadata.name, atMs);
  }
  const heard = (node: Node | undefined): unknown => readyOf(node)?.lastHeartbeatTime;
  for (const { type, object, previous, atMs } of ofNodes) {
    if (type === 'DELETED') continue;
    if (type === 'ADDED' || (readyOf(previous) && heard(object) !== heard(previous)))
      beat(object.metadata.name, atMs);
  }
  for (const each of times.values()) each.sort((a, b) => a - b);
  return times;
}

/** Returns the condition `Ready` of a node. */
export function readyOf(node: Node | undefined): core.NodeCondition | undefined {
  return node?.status.conditions?.find(({ type }) => type === 'Ready');
}

/** A time without undisturbed work of a controller. */
interface Disturbance {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Time after a refused request until the controller has tried again. */
const AFTER_REFUSAL_MS = 40_000;
/** Time after any other fault: an answer that never arrives, and a new watch. */
const AFTER_FAULT_MS = 130_000;

const disturbances = new WeakMap<NodeHistory, Map<string, readonly Disturbance[]>>();

/** Returns the times in which faults hinder a process, or it does not run. */
export function disturbancesOf(history: NodeHistory, process: string): readonly Disturbance[] {
  const known = disturbances.get(history) ?? new Map<string, readonly Disturbance[]>();
  disturbances.set(history, known);
  const of = known.get(process) ?? disturbancesIn(history, process);
  known.set(process, of);
  return of;
}

function disturbancesIn({ starts, struck, endMs }: NodeHistory, process: string): readonly Disturbance[] {
  const births = starts.flatMap((start) => (start.process === process ? [start.atMs] : []));
  const faults = struck.flatMap(({ fault, atMs, endedMs, untilMs }): readonly Disturbance[] => {
    if ('process' in fault && fault.process !== process) return [];
    const overMs = endedMs ?? untilMs ?? endMs;
    if (fault.fault !== 'crash') {
      const afterMs = fault.fault === 'refuse' ? AFTER_REFUSAL_MS : AFTER_FAULT_MS;
      return [{ fromMs: atMs, toMs: overMs + afterMs }];
    }
    const restartMs = births.find((birthMs) => birthMs > atMs && birthMs >= overMs) ?? overMs;
    return [{ fromMs: atMs, toMs: Math.max(restartMs, overMs) }];
  });
  return [...births.map((atMs) => ({ fromMs: atMs, toMs: atMs })), ...faults];
}

/** Returns since when the process has worked undisturbed at a time; infinite if it is disturbed then. */
export function undisturbedSinceMs(history: NodeHistory, process: string, atMs: number): number {
  let sinceMs = 0;
  for (const { fromMs, toMs } of disturbancesOf(history, process)) {
    if (fromMs > atMs) continue;
    if (toMs > atMs) return Number.POSITIVE_INFINITY;
    sinceMs = Math.max(sinceMs, toMs);
  }
  return sinceMs;
}

/** Returns whether the process works undisturbed from one time to another. */
export function isUndisturbed(history: NodeHistory, process: string, fromMs: number, toMs: number): boolean {
  return undisturbedSinceMs(history, process, toMs) <= fromMs;
}

/** Time from a change to the last action of a controller that has not seen it, if faults delay the news. */
const DISTURBED_KNOWLEDGE_MS = 200_000;

/**
 * Returns every version of an object that a controller can have known at a time, oldest first. `undefined` stands for:
 * does not exist.
 *
 * @param withinMs the age of its knowledge without faults
 */
export function knownVersions<T extends KubeObject>(
  history: NodeHistory,
  process: string,
  object: ObjectHistory<T> | undefined,
  { atMs, withinMs }: { readonly atMs: number; readonly withinMs: number },
): readonly (T | undefined)[] {
  const isCalm = isUndisturbed(history, process, atMs - withinMs, atMs);
  const fromMs = atMs - (isCalm ? withinMs : DISTURBED_KNOWLEDGE_MS);
  return object?.duringMs(fromMs, atMs) ?? [undefined];
}
