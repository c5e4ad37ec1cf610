import type { KubeObject, Pod } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { groupResource, pods } from '../../api/resource.ts';
import { whyExpected } from '../../cli/expected-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { componentTable } from '../../cluster/component-table.ts';
import type { Observation } from '../../cluster/observation.ts';
import type { Process } from '../../cluster/process.ts';
import type { QueueState } from '../../cluster/queue-contents.ts';
import { schedulingTables } from '../../drawing/scheduling-table.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { CacheDifference, ComponentDetails } from '../protocol/details.ts';
import type { CacheView } from '../protocol/view.ts';
import type { ActorNotes } from './actor-notes.ts';
import { changesBetween } from './changes.ts';
import { type Cache, type ComponentViews, cachesOf } from './component-views.ts';
import { decisionsOf } from './decisions.ts';
import type { JournalIndex } from './journal-index.ts';
import type { Messages } from './messages.ts';
import { objectWaits } from './object-waits.ts';
import { requestLineOf } from './request-details.ts';
import type { RequestLog } from './request-log.ts';
import { itemText, waitsFor } from './waits-for.ts';

/** The numbers of rows that are listed at most. */
const DIFFERENCES_MAX = 50;
const TABLES_MAX = 40;
const LOG_MAX = 200;
const REQUESTS_MAX = 60;

/** Dependencies of {@link componentDetailsOf}. */
interface ComponentDetailsOptions {
  readonly cluster: Cluster;
  readonly index: JournalIndex;
  readonly components: ComponentViews;
  readonly messages: Messages;
  readonly notes: ActorNotes;
  readonly requests: RequestLog | undefined;
  readonly zeroMs: number;
}

/** Returns a component from within. Undefined if no process has this name. */
export function componentDetailsOf(
  name: string,
  options: ComponentDetailsOptions,
): ComponentDetails | undefined {
  const { cluster, components, notes, zeroMs } = options;
  const process = cluster.processes.find((each) => each.name === name);
  if (!process) return undefined;
  const component = components.of(process);
  const observed = process.observe();
  const entries = notes.of(name);
  const { notes: own, calls } = entries;
  const queues = observed?.queues.map((queue) => queue.state()) ?? [];
  return {
    kind: 'component',
    component,
    ...(component.part && { kata: componentTable[component.part].kata }),
    waitsFor: waitsFor({
      component,
      observed,
      queues,
      tasks: cluster.sim.tasksOf(name),
      nowMs: cluster.sim.elapsedMs,
      objects: objectWaits({ part: component.part, observed, calls, cluster }),
    }),
    queues: queues.map((state, i) => queueDetails(state, i, zeroMs)),
    caches: cachesOf(observed).map((cache, i) => ({
      ...(component.caches[i] as CacheView),
      differences: differencesOf(cache, options),
    })),
    decisions: decisionsOf(process, entries, options),
    expectations: expectationsOf(process, observed, options),
    scheduling: schedulingOf(own, options),
    log: own
      .filter(({ verb }) => verb !== 'explain')
      .slice(-LOG_MAX)
      .map((entry) => lineOf(entry, zeroMs))
      .reverse(),
    requests: (options.requests?.of(name) ?? [])
      .filter(({ attributes }) => attributes.resource !== 'leases')
      .slice(-REQUESTS_MAX)
      .map((request) => requestLineOf(request, zeroMs))
      .reverse(),
  };
}

function queueDetails(
  { items, processing, later }: QueueState,
  index: number,
  zeroMs: number,
): ComponentDetails['queues'][number] {
  return {
    name: index === 0 ? 'queue' : `queue ${index + 1}`,
    items: items.map(itemText),
    processing: processing.map(itemText),
    later: later.map(({ item, atMs }) => ({
      item: itemText(item),
      ...(atMs !== undefined && { atMs: atMs - zeroMs }),
    })),
  };
}

/** Returns the objects that the cache and the server have in different versions. Equal objects are shared. */
function differencesOf(
  { resource: name, node, revision, ...cache }: Cache,
  options: ComponentDetailsOptions,
): CacheDifference[] {
  const { cluster, index } = options;
  const resource = index.resource(name);
  if (!resource || revision === undefined) return [];
  const truth = new Map<string, KubeObject>();
  for (const object of cluster.storage.list(resource)) {
    if (node !== undefined && (object as Pod).spec.nodeName !== node) continue;
    const { namespace, name: own } = object.metadata;
    truth.set(namespace ? `${namespace}/${own}` : own, object);
  }
  const differences: CacheDifference[] = [];
  for (const key of new Set([...cache.keys(), ...truth.keys()])) {
    const [cached, stored] = [cache.get(key), truth.get(key)];
    const [was, is] = [cached?.metadata.resourceVersion, stored?.metadata.resourceVersion];
    if (was === is) continue;
    differences.push({
      key,
      ...(was !== undefined && { cached: was }),
      ...(is !== undefined && { stored: is }),
      changes: cached && stored ? changesBetween(cached, stored) : [],
    });
    if (differences.length === DIFFERENCES_MAX) break;
  }
  return differences;
}

/**
 * Returns the pods that the present incarnation has created or deleted, and that its cache does not show yet, by their
 * owner. It counts the writes of the component itself, so it holds for a component with expectations of any kind.
 */
function expectationsOf(
  { name }: Process,
  observed: Observation | undefined,
  { cluster, notes }: ComponentDetailsOptions,
): ComponentDetails['expectations'] {
  const PODS = groupResource(pods);
  const cache = cachesOf(observed).find(({ resource, node }) => resource === PODS && node === undefined);
  const startMs = notes.of(name).notes.findLast(({ verb }) => verb === 'start')?.atMs ?? 0;
  if (cache?.revision === undefined) return [];
  const counts = new Map<string, { creates: number; deletes: number }>();
  const { entries } = cluster.journal;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as (typeof entries)[number];
    const { actor, atMs, revision, resource, type, verb, object } = entry;
    if (revision <= cache.revision || atMs < startMs) break;
    const isDelete = verb === 'delete';
    if (actor !== name || groupResource(resource) !== PODS || !(isDelete || type === 'ADDED')) continue;
    const owner = controllerOf(object);
    const key = owner ? `${owner.kind} ${object.metadata.namespace}/${owner.name}` : 'no owner';
    const count = counts.get(key) ?? { creates: 0, deletes: 0 };
    counts.set(key, count);
    if (isDelete) count.deletes++;
    else count.creates++;
  }
  return [...counts].map(([owner, count]) => ({ owner, ...count }));
}

function schedulingOf(
  notes: readonly TraceEntry[],
  { cluster, index, zeroMs }: ComponentDetailsOptions,
): ComponentDetails['scheduling'] {
  const plugins = cluster.has('scoring') ? cluster.component('scoring').plugins : [];
  const tables = schedulingTables(notes, plugins).slice(-TABLES_MAX).reverse();
  return tables.map((table) => {
    // The name may belong to a newer pod: the first binding after the decision is its result.
    const bound = index
      .of('pods', table.pod.replace(/^pods\//, ''))
      .find(({ verb, atMs }) => verb === 'bind' && atMs >= table.atMs);
    const chosen = (bound?.object as Pod | undefined)?.spec.nodeName;
    return { ...table, atMs: table.atMs - zeroMs, ...(chosen !== undefined && { chosen }) };
  });
}

function lineOf({ atMs, verb, note }: TraceEntry, zeroMs: number): ComponentDetails['log'][number] {
  const text = verb === 'log' ? (note ?? '') : note === undefined ? verb : `${verb}: ${note}`;
  const expected = verb === 'log' ? whyExpected(text) : undefined;
  return { atMs: atMs - zeroMs, text, ...(expected !== undefined && { expected }) };
}
