import { labelSelectorAsSelector } from '../../../api/label-selector.ts';
import type { KubeObject, Pod } from '../../../api/objects.ts';
import { nodes, pods, type Resource } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { ClusterRun } from '../../../testing/rig/play.ts';
import type { Recorded } from '../../../testing/rig/recorded.ts';
import type { ClusterHistory } from '../history.ts';

/** Remembers the result for each history, because many laws prepare the same. */
export function perHistory<T>(make: (history: ClusterHistory) => T): (history: ClusterHistory) => T {
  const known = new WeakMap<ClusterHistory, { readonly value: T }>();
  return (history) => {
    const made = known.get(history) ?? { value: make(history) };
    known.set(history, made);
    return made.value;
  };
}

/**
 * Applies laws of a kata to a whole cluster.
 *
 * @param historiesOf returns the histories of the kata in the life of a cluster, such as one for each object
 */
export function adapted<H, Name extends string>(
  laws: Readonly<Record<Name, Law<H>>>,
  historiesOf: (history: ClusterHistory) => readonly H[],
): Readonly<Record<Name, Law<ClusterHistory>>> {
  const entries = Object.entries(laws) as [Name, Law<H>][];
  return Object.fromEntries(
    entries.map(([name, law]) => {
      const read = (history: ClusterHistory) => historiesOf(history).flatMap((each) => law(each));
      const { situation } = law;
      if (!situation) return [name, read];
      const isMet = (history: ClusterHistory) => historiesOf(history).some((each) => situation.isMet(each));
      return [name, lawAbout({ name: situation.name, isMet }, read)];
    }),
  ) as Record<Name, Law<ClusterHistory>>;
}

/** Returns the laws without their situations, for a history that does not show them. */
export function always<H, Name extends string>(
  laws: Readonly<Record<Name, Law<H>>>,
): Readonly<Record<Name, Law<H>>> {
  const entries = Object.entries(laws) as [Name, Law<H>][];
  return Object.fromEntries(entries.map(([name, law]) => [name, (run: H) => law(run)])) as Record<
    Name,
    Law<H>
  >;
}

/** Returns the parts of a history that every kata has. */
export function runOf({ journal, epochMs, hash, timeline }: ClusterHistory): ClusterRun {
  return { journal, epochMs, hash, timeline };
}

/** Returns the records of one process. */
export function recordedOf({ trace, recorders, scenario }: ClusterHistory, process: string): Recorded {
  const recorder = recorders.get(process) ?? { requests: [], sinceMs: () => 0 };
  return { trace, recorder, latencyMs: scenario.latencyMs };
}

/**
 * Returns whether the final state shows the work of a controller: nobody has written these resources lately, all nodes are
 * ready, and no pod waits for its kubelet.
 */
export function isCalm(history: ClusterHistory, resources: readonly Resource[], forMs: number): boolean {
  const { journal, endMs } = history;
  const last = journal.findLast(({ resource }) => resources.some((each) => sameResource(each, resource)));
  const isLive = history
    .left(nodes)
    .every(({ status }) =>
      status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
  const isDone = history
    .left(pods)
    .every(
      (pod) => pod.metadata.deletionTimestamp === undefined || (pod.metadata.finalizers ?? []).length > 0,
    );
  return isLive && isDone && (last?.atMs ?? 0) <= endMs - forMs;
}

/** Returns a filter of the pods in the namespace of a workload that its selector matches. */
export function selectedBy({ metadata, spec }: Selecting): (pod: Pod) => boolean {
  const selector = labelSelectorAsSelector(spec.selector);
  return (pod) => pod.metadata.namespace === metadata.namespace && selector.matches(pod.metadata.labels);
}

/** An object with a selector of pods. */
interface Selecting extends KubeObject {
  readonly spec: { readonly selector: Parameters<typeof labelSelectorAsSelector>[0] };
}
