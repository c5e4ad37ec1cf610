import type { Node } from '../../api/objects.ts';
import { leases, nodes } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ApiServerDetails } from '../protocol/details.ts';
import { isHeartbeat } from './changes.ts';
import type { Messages } from './messages.ts';
import { labelOf, revisionOf, subjectOf } from './object-details.ts';

/** The number of writes that are listed at most. */
const LOG_MAX = 150;

/** Returns the log of revisions, without leases and heartbeats, and the open watches. Undefined if no apiserver has this number. */
export function apiServerDetailsOf(
  index: number,
  { cluster, ...all }: { readonly cluster: Cluster; readonly messages: Messages; readonly zeroMs: number },
): ApiServerDetails | undefined {
  if (!cluster.replicas[index]) return undefined;
  const { storage, journal, processes } = cluster;
  return {
    kind: 'apiserver',
    index,
    revision: storage.revision,
    compactedRevision: storage.compactedRevision,
    log: latest(journal.entries, isNews, LOG_MAX).map((write) => ({
      ...revisionOf(write, all),
      subject: subjectOf(write.resource, write.object),
      label: labelOf(write.resource, write.object),
    })),
    watches: processes.flatMap((process) =>
      (process.observe()?.watches ?? []).map(({ object, revision }) => ({
        actor: process.name,
        resource: object,
        revision,
      })),
    ),
  };
}

/** Returns the newest entries that fulfil a condition, newest first. */
function latest<T>(all: readonly T[], holds: (each: T) => boolean, count: number): readonly T[] {
  const found: T[] = [];
  for (let i = all.length - 1; i >= 0 && found.length < count; i--)
    if (holds(all[i] as T)) found.push(all[i] as T);
  return found;
}

/** Leases and heartbeats happen all the time, and would fill the log. */
function isNews({ resource, previous, object }: JournalEntry): boolean {
  if (sameResource(resource, leases)) return false;
  return !previous || !sameResource(resource, nodes) || !isHeartbeat(previous as Node, object as Node);
}
