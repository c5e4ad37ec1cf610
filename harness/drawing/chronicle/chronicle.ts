import type { Deployment, EndpointSlice, Event, Node, Pod, ReplicaSet, Service } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import {
  deployments,
  endpointSlices,
  endpoints,
  events,
  leases,
  nodes,
  pods,
  replicaSets,
  services,
} from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { APISERVER } from '../../cluster/bootstrap.ts';
import { processCalled, roleOf } from '../../cluster/component-table.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, type DeedKind, isMarked } from './deed.ts';
import { eventDeeds } from './event-deeds.ts';
import { endpointSliceDeeds, serviceDeeds } from './network-deeds.ts';
import { nodeDeeds } from './node-deeds.ts';
import { podDeeds } from './pod-deeds.ts';
import { deploymentDeeds, replicaSetDeeds } from './workload-deeds.ts';

/** One sentence of a chronicle. */
export interface Act {
  /** The end of the act, in virtual ms since the cluster began. */
  readonly atMs: number;
  /** The journal's revision at the end of the act. */
  readonly revision: number;
  /** The process; `kubelet` for several kubelets together. */
  readonly who: string;
  /** `creates 3 Pods of web-1` */
  readonly what: string;
}

/** Options of a {@link chronicle}. */
export interface ChronicleOptions {
  /** Length of a time window in ms. Operations of one kind in one window form one sentence. @defaultValue 100 */
  readonly windowMs?: number;
  /**
   * The kinds to leave out. @defaultValue none; the heartbeats of Nodes, Leases, Endpoints, and Events of others than
   * kubelets, are always left out
   */
  readonly without?: readonly DeedKind[];
}

/**
 * Describes a journal for people, in sentences: which component did what to which Deployment, ReplicaSet or Pods.
 * Operations of many components at about the same time form one sentence. Unimportant operations are left out.
 *
 * @returns the acts, in order of their ends
 */
export function chronicle(entries: readonly JournalEntry[], options: ChronicleOptions = {}): Act[] {
  const { windowMs = 100, without = [] } = options;
  const acts: Deed[][] = [];
  const open = new Map<string, Deed[]>();
  const owners = new Map<string, string | undefined>();
  for (const entry of entries) {
    if (sameResource(entry.resource, pods))
      owners.set(entry.object.metadata.uid, controllerOf(entry.object)?.name);
    for (const deed of deedsOf(entry, owners)) {
      if (without.includes(deed.kind)) continue;
      // A user's request starts new sentences.
      if (!processCalled(entry.actor)) open.clear();
      // All actors share the same time windows. Otherwise a count could include an operation that appears only later.
      const time = windowMs > 0 ? Math.floor(entry.atMs / windowMs) : entry.atMs;
      const key = `${time} ${roleOf(entry.actor)} ${deed.group}`;
      const known = open.get(key);
      if (known) known.push(deed);
      else {
        const begun = [deed];
        acts.push(begun);
        open.set(key, begun);
      }
    }
  }
  return acts.map(actOf).sort((a, b) => a.revision - b.revision);
}

function actOf(deeds: readonly Deed[]): Act {
  const [first, last] = [deeds[0] as Deed, deeds.at(-1) as Deed];
  const actors = new Set(deeds.map(({ entry }) => entry.actor));
  const { atMs, revision } = last.entry;
  return {
    atMs,
    revision,
    who: actors.size === 1 ? first.entry.actor : roleOf(first.entry.actor),
    what: first.tell(deeds),
  };
}

function deedsOf(
  entry: JournalEntry,
  owners: ReadonlyMap<string | undefined, string | undefined>,
): readonly Deed[] {
  const { resource } = entry;
  // The initial objects of the cluster.
  if (entry.actor === APISERVER) return [];
  if (sameResource(resource, pods)) return podDeeds(entry as unknown as JournalEntry<Pod>);
  if (sameResource(resource, replicaSets))
    return replicaSetDeeds(entry as unknown as JournalEntry<ReplicaSet>);
  if (sameResource(resource, deployments))
    return deploymentDeeds(entry as unknown as JournalEntry<Deployment>);
  if (sameResource(resource, events))
    return eventDeeds(entry as unknown as JournalEntry<Event>, (uid) => owners.get(uid));
  if (sameResource(resource, nodes)) return nodeDeeds(entry as unknown as JournalEntry<Node>);
  if (sameResource(resource, services)) return serviceDeeds(entry as unknown as JournalEntry<Service>);
  if (sameResource(resource, endpointSlices))
    return endpointSliceDeeds(entry as unknown as JournalEntry<EndpointSlice>);
  // Endpoints repeat the EndpointSlices.
  if ([endpoints, leases].some((silent) => sameResource(resource, silent))) return [];
  return [otherDeed(entry)];
}

function otherDeed(entry: JournalEntry): Deed {
  const { resource, object, type } = entry;
  const verb =
    type === 'ADDED' ? 'creates' : type === 'DELETED' ? 'removes' : isMarked(entry) ? 'deletes' : 'changes';
  const what = `${verb} ${resource.kind}`;
  return {
    entry,
    kind: 'other',
    group: what,
    tell: (deeds) =>
      deeds.length === 1 ? `${what} ${object.metadata.name}` : `${verb} ${deeds.length} ${resource.plural}`,
  };
}
