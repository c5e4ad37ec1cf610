import type { Cluster } from '../../cluster/cluster.ts';
import type { ApiServerDetails } from '../protocol/details.ts';
import { changesBetween } from './changes.ts';
import { labelOf, subjectOf } from './object-details.ts';

/** The number of writes that are listed at most. */
const LOG_MAX = 150;

/** Returns the log of revisions and the open watches. Undefined if no apiserver has this number. */
export function apiServerDetailsOf(
  index: number,
  { cluster, zeroMs }: { readonly cluster: Cluster; readonly zeroMs: number },
): ApiServerDetails | undefined {
  if (!cluster.replicas[index]) return undefined;
  const { storage, journal, processes } = cluster;
  return {
    kind: 'apiserver',
    index,
    revision: storage.revision,
    compactedRevision: storage.compactedRevision,
    log: journal.entries
      .slice(-LOG_MAX)
      .map(({ revision, atMs, actor, verb, type, resource, object, previous }) => ({
        revision,
        atMs: atMs - zeroMs,
        actor,
        verb,
        subject: subjectOf(resource, object),
        label: labelOf(resource, object),
        changes: type === 'MODIFIED' ? changesBetween(previous, object) : [],
      }))
      .reverse(),
    watches: processes.flatMap((process) =>
      (process.observe()?.watches ?? []).map(({ object, revision }) => ({
        actor: process.name,
        resource: object,
        revision,
      })),
    ),
  };
}
