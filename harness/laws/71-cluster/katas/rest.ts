import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { momentsOf } from '../../../cluster/journal.ts';
import type { ClusterHistory } from '../history.ts';

/** The part of a cluster that decides whether a component has anything left to do. */
interface Work<O> {
  /** The processes of the component. */
  readonly processes: readonly string[];
  /** The resources that it reads and writes. */
  readonly resources: readonly Resource[];
  /** Returns the obligations of the component, given all objects of a resource. */
  owedIn(list: <T extends KubeObject>(resource: Resource<T>) => readonly T[]): readonly O[];
}

/** The end of the work of a component. */
export interface Rest<O> {
  /** Since when nothing is left to do; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The obligations at the end. */
  readonly owed: readonly O[];
  readonly leftMs: number;
}

/** The time without a write of others, after which the obligations of a component are its own fault. */
const CALM_MS = 60_000;

/**
 * Returns since when a component has had nothing left to do, at the earliest since the cluster is as its users asked. In
 * a cluster that never is, the component owes nothing while others still change its objects. A component that never ran
 * owes nothing.
 */
export function restIn<O>(history: ClusterHistory, { processes, resources, owedIn }: Work<O>): Rest<O> {
  const { journal, starts, restedMs, endMs, left } = history;
  if (!starts.some(({ process }) => processes.includes(process)))
    return { restedMs, owed: [], leftMs: endMs };
  const entries = journal.filter((entry) => resources.some((each) => sameResource(entry.resource, each)));
  const owedAtEnd = { owed: owedIn(left), leftMs: endMs };
  if (restedMs === undefined) {
    const isCalm = entries.every(({ actor, atMs }) => processes.includes(actor) || atMs < endMs - CALM_MS);
    return { restedMs, ...owedAtEnd, ...(!isCalm && { owed: [] }) };
  }
  let i = 0;
  for (const { entry, objects } of momentsOf(entries)) {
    i++;
    const untilMs = entries[i]?.atMs ?? endMs;
    if (untilMs <= restedMs || untilMs === entry.atMs) continue;
    const owed = owedIn((resource) => [...objects(resource).values()]);
    if (owed.length === 0) return { restedMs: Math.max(restedMs, entry.atMs), owed, leftMs: endMs };
  }
  return { restedMs: undefined, ...owedAtEnd };
}
