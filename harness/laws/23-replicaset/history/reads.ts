import type { List, Pod, ReplicaSet } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { counts } from '../oracle/truth.ts';
import type { ReplicaSetHistory } from './index.ts';

/**
 * Returns the ReplicaSet that the controller read from the server in order to send this write: it read the ReplicaSet, then its pods, and
 * then sent only creates and deletes of pods. No event came meanwhile, so no other sync can have sent them.
 *
 * @returns undefined if the controller may have acted on its cache
 */
export function readBefore(
  { requests, knowledge }: ReplicaSetHistory,
  rs: ObjectHistory<ReplicaSet>,
  { atMs }: JournalEntry<Pod>,
): ReplicaSet | undefined {
  const sent = requests.filter(({ sentMs }) => sentMs <= atMs);
  const last = sent.findLastIndex(({ verb, resource }) => resource !== 'pods' || !WRITES.has(verb));
  const [get, list, ...writes] = sent.slice(Math.max(0, last - 1));
  if (get?.verb !== 'get' || list?.verb !== 'list' || get.incarnation !== sent.at(-1)?.incarnation)
    return undefined;
  const read = get.answer as ReplicaSet | undefined;
  const { items } = (list.answer ?? { items: [] }) as List<Pod>;
  if (read?.metadata.uid !== rs.id || (get.answeredMs ?? Infinity) > list.sentMs) return undefined;
  // A sync that finds the right number sends nothing, and one that fails is retried: the next one may act on its cache.
  if (items.filter((pod) => counts(read, pod)).length === read.spec.replicas) return undefined;
  if (writes.some(({ error }) => error !== undefined)) return undefined;
  return knowledge.heard(get.sentMs + 1, atMs) === 0 ? read : undefined;
}

const WRITES: ReadonlySet<string> = new Set(['create', 'delete']);
