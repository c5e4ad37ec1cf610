import type { Node, Pod } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { momentsOf } from '../../../cluster/journal.ts';
import { type NodeHistory, undisturbedSinceMs, viewOf } from '../history.ts';
import { LIFECYCLE } from '../operations.ts';
import { podName } from '../scenario.ts';
import { type Obligation, obligationsOf } from './obligations.ts';
import { executeKeys } from './taints.ts';
import { REQUESTS_MS } from './times.ts';
import { zoneOf } from './zones.ts';

/** An obligation that a controller did not fulfil in time. */
export interface Overdue extends Obligation {
  /** The time since when the controller could have known of it. */
  readonly sinceMs: number;
  /** The time when it was still open. */
  readonly atMs: number;
}

const overdues = new WeakMap<NodeHistory, readonly Overdue[]>();

/** Returns each obligation that was open longer than its time, without a disturbance meanwhile. */
export function overdueIn(history: NodeHistory): readonly Overdue[] {
  const known = overdues.get(history) ?? [...overdueOf(history)];
  overdues.set(history, known);
  return known;
}

function* overdueOf(history: NodeHistory): Generator<Overdue> {
  const { entries } = viewOf(history);
  const processes = new Set(history.starts.map(({ process }) => process));
  const since = new Map<string, { readonly atMs: number; readonly isOwn: boolean }>();
  const reported = new Set<string>();
  const contested = contestedPods(history);
  const added = new Map<string, number>();
  /** The last write of others to an object: it can cause a conflict. */
  const writtenMs = new Map<string, number>();
  let next = 0;
  for (const { entry, objects } of momentsOf(entries)) {
    next++;
    count(added, entry);
    if (entry.actor !== LIFECYCLE) writtenMs.set(entry.object.metadata.name, entry.atMs);
    const untilMs = entries[next]?.atMs ?? history.endMs;
    // Several writes at one time are one moment.
    if (untilMs === entry.atMs) continue;
    const open = obligationsOf({ nodes: objects<Node>(nodes), pods: objects<Pod>(pods), added });
    const ids = new Set(open.map(({ id }) => id));
    for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
    for (const obligation of open) {
      const { id, process, subject } = obligation;
      const began = since.get(id) ?? { atMs: entry.atMs, isOwn: isVerdict(entry) };
      since.set(id, began);
      if (!processes.has(process) || reported.has(id) || contested.has(obligation.object)) continue;
      const knownMs = Math.max(began.atMs, undisturbedSinceMs(history, process, untilMs));
      // The pass with the verdict also marks the pods, unless a request has failed in it.
      const isOvertaken = (writtenMs.get(obligation.object) ?? 0) >= began.atMs;
      const isSamePass = subject === 'marks' && began.isOwn && knownMs === began.atMs && !isOvertaken;
      const withinMs = isSamePass ? REQUESTS_MS : obligation.withinMs;
      if (untilMs - knownMs <= withinMs + STARTING_MS) continue;
      reported.add(id);
      yield { ...obligation, withinMs, sinceMs: knownMs, atMs: untilMs };
    }
  }
}

/** Returns the pods that another client changes before each write: nobody can mark them. */
function contestedPods({ scenario }: NodeHistory): ReadonlySet<string> {
  return new Set(
    scenario.steps.flatMap((step) => ('do' in step && step.do === 'contest' ? [podName(step.pod)] : [])),
  );
}

/** Time in which a controller starts and fills its caches. */
const STARTING_MS = 500;

/** Returns whether the controller itself has just found that a node is silent. */
function isVerdict({ actor, resource, verb }: Entry): boolean {
  return actor === LIFECYCLE && sameResource(resource, nodes) && verb !== 'delete';
}

/** Counts the `NoExecute` taints that the controller adds. */
function count(added: Map<string, number>, { actor, resource, object, previous }: Entry): void {
  if (actor !== LIFECYCLE || !previous || !sameResource(resource, nodes)) return;
  const node = object as Node;
  if (executeKeys(node).length <= executeKeys(previous as Node).length) return;
  const zone = zoneOf(node);
  added.set(zone, (added.get(zone) ?? 0) + 1);
}

type Entry = ReturnType<typeof viewOf>['entries'][number];
