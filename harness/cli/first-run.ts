import { type Deployment, keyToString, type Pod, type Service } from '../api/objects.ts';
import { isReady } from '../api/predicates.ts';
import { deployments, leases, nodes, pods, type Resource, services } from '../api/resource.ts';
import { sameResource } from '../apiserver/storage/storage.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import { processCalled, roleOf } from '../cluster/component-table.ts';
import type { JournalEntry } from '../cluster/journal.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import { type Act, chronicle } from '../drawing/chronicle/chronicle.ts';
import { probeActs } from '../drawing/chronicle/probe-acts.ts';
import type { TraceEntry } from '../sim/index.ts';
import { type Applied, applyManifest, type Refused } from './applying.ts';
import { type Curled, canBeAsked, curlService } from './curl.ts';
import type { ManifestObject } from './manifest.ts';

/** The course of a run: a manifest is applied to a cluster without workloads. */
export interface FirstRun {
  /** The objects that were applied, in order: all of them, except for those with an error. */
  readonly applied: readonly AppliedAt[];
  /** The objects that were not applied, in order. */
  readonly refused: readonly (Pick<AppliedAt, 'of' | 'entry'> & { readonly refused: Refused })[];
  /** kubectl's requests, oldest first. */
  readonly requests: readonly TraceEntry[];
  /** Everything that happened since the cluster began. */
  readonly record: RunRecord;
  /** The acts of the cluster's components, oldest first. */
  readonly acts: readonly Pick<Act, 'atMs' | 'who' | 'what'>[];
  /** The resources that each component watches, in start order. */
  readonly watching: ReadonlyMap<string, readonly string[]>;
  /** The components that follow a script because no implementation exists yet. */
  readonly scripted: ReadonlySet<string>;
  /** The resulting pods at the end of the run. */
  readonly pods: readonly Pod[];
  /**
   * A request to the first Service that was applied, sent once all pods are ready; absent if no Service accepts
   * requests.
   */
  readonly curled?: Curled;
}

interface FirstRunOptions extends Pick<ClusterOptions, 'components' | 'registry' | 'store'> {
  readonly source?: string;
}

/** The record of a whole run. Its times count from the beginning of the cluster. */
export interface RunRecord {
  readonly trace: readonly TraceEntry[];
  readonly journal: readonly JournalEntry[];
  /** The time before kubectl's first request, in virtual ms. */
  readonly beganMs: number;
}

/** The result for one object of the manifest. */
export interface AppliedAt {
  readonly of: ManifestObject;
  readonly result: Applied;
  /** kubectl's last request for it, one of the run's requests. */
  readonly entry: TraceEntry | undefined;
  /** The components whose watches delivered the object. */
  readonly heardBy: readonly string[];
}

/**
 * Time until the controllers watch and the nodes exist, in virtual ms. A kubelet younger than a probe's period delays
 * its first probe.
 */
const SETTLED_MS = 20_000;

/** The longest additional wait for CoreDNS, in virtual ms. */
const NAMES_MS = 120_000;

/** The namespace of the cluster's own workloads. */
const SYSTEM = 'kube-system';

/** The longest run to follow, in virtual ms: longer than the progress deadline of a roll-out. */
const FOLLOWED_MS = 900_000;

/** The cluster has settled once all pods are ready and it has written nothing for this time, in virtual ms. */
const QUIET_MS = 30_000;

/** Maximum number of acts to show. If a run has more, a wider window summarizes them. */
const ACTS_MAX = 32;
const WINDOWS_MS = [50, 250, 1_000, 5_000, 60_000, FOLLOWED_MS];

/**
 * Starts a cluster and applies the manifest. Then follows the cluster until it settles, unless an object
 * was not applied. Times in the result count from kubectl's first request.
 *
 * @param options.source the manifest's name in messages. @defaultValue `the manifest`
 * @throws Error when a controller gives up because the components are broken
 */
export async function firstRun(
  manifest: readonly ManifestObject[],
  { source = 'the manifest', ...options }: FirstRunOptions,
): Promise<FirstRun> {
  const { cluster: whole, processes, scripted } = await createWholeCluster({ ...options, secured: true });
  await using cluster = whole;
  // The run is the story of the katas. Other controllers would only make it longer.
  const others = new Set(processes.flatMap(({ name }) => (processCalled(name) ? [] : name)));
  await cluster.runFor(SETTLED_MS);
  await cluster.runUntil(() => isSettled(cluster), NAMES_MS);
  const watching = watchesOf(cluster);
  for (const name of others) watching.delete(name);
  const revision = cluster.storage.revision;
  const beganMs = cluster.sim.elapsedMs;
  const since = <T extends { readonly atMs: number }>(one: T): T => ({ ...one, atMs: one.atMs - beganMs });

  const all = await applyManifest(cluster, manifest, source);
  const applied = all.flatMap((each) => ('result' in each ? [each] : []));
  const refused = all.flatMap((each) => ('refused' in each ? [each] : []));
  if (refused.length === 0) await follow(cluster);
  throwFirstFailure(processes);
  const asked = new Map(
    cluster.trace.entries.filter(({ actor }) => actor === 'kubectl').map((entry) => [entry, since(entry)]),
  );
  // The run ends here. The request below does not belong to it.
  const record = { trace: [...cluster.trace.entries], journal: [...cluster.journal.entries], beganMs };
  const written = record.journal.filter((entry) => entry.revision > revision);
  const traced = record.trace.filter(({ atMs }) => atMs >= beganMs);
  const ownAddresses = new Set(systemPods(cluster).map(({ status }) => status.podIP));
  const came = podsOf(cluster);
  const service = scripted.size > 0 ? undefined : serviceAmong(cluster, applied);
  const curled = service && came.every(isReady) ? await curlService(cluster, service) : undefined;
  return {
    applied: applied.map(({ of, result, entry }) => ({
      of,
      result,
      entry: entry && asked.get(entry),
      heardBy:
        result.outcome === 'unchanged'
          ? []
          : heardBy(cluster, of, result).filter((name) => !others.has(name)),
    })),
    refused: refused.map(({ entry, ...each }) => ({ ...each, entry: entry && asked.get(entry) })),
    requests: [...asked.values()],
    record,
    acts: readable(
      written
        .filter(
          ({ actor, key }) => actor !== 'kubectl' && !others.has(actor) && !key.startsWith(`${SYSTEM}/`),
        )
        .map(since),
      traced.filter((entry) => !isAbout(entry, ownAddresses)).map(since),
    ),
    watching,
    scripted,
    pods: came,
    ...(curled && { curled }),
  };
}

/** Returns whether the cluster's own workloads are ready. */
function isSettled({ storage }: Cluster): boolean {
  return (storage.list(deployments) as Deployment[]).every(
    ({ spec, status }) => (status?.availableReplicas ?? 0) >= (spec.replicas ?? 1),
  );
}

/** Returns all pods except those of the cluster's own workloads. */
function podsOf({ storage }: Cluster): readonly Pod[] {
  return (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.namespace !== SYSTEM);
}

function systemPods({ storage }: Cluster): readonly Pod[] {
  return (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.namespace === SYSTEM);
}

/** Returns whether a call went to one of these addresses. */
function isAbout({ object = '' }: TraceEntry, addresses: ReadonlySet<string | undefined>): boolean {
  return addresses.has(/^[\d.]+(?=:\d)/.exec(object)?.[0]);
}

/** Returns the first applied Service that accepts requests. */
function serviceAmong(
  { storage }: Cluster,
  applied: readonly { readonly of: ManifestObject }[],
): Service | undefined {
  const own = new Set(
    applied.flatMap(({ of }) => (sameResource(of.resource, services) ? [keyToString(of.key)] : [])),
  );
  return (storage.list(services) as Service[]).find(
    ({ metadata, ...service }) =>
      own.has(`${metadata.namespace}/${metadata.name}`) && canBeAsked({ metadata, ...service }),
  );
}

/** Lets time pass until every pod is ready and nothing more is written, or until {@link FOLLOWED_MS} have passed. */
async function follow(cluster: Cluster): Promise<void> {
  const endMs = cluster.sim.elapsedMs + FOLLOWED_MS;
  const isAtRest = (): boolean => {
    const last = cluster.journal.entries.findLast(({ resource }) => !isHeartbeat(resource));
    const isQuiet = cluster.sim.elapsedMs - (last?.atMs ?? 0) >= QUIET_MS;
    return isQuiet && podsOf(cluster).every((pod) => isReady(pod));
  };
  while (cluster.sim.elapsedMs < endMs && !isAtRest()) await cluster.runFor(QUIET_MS);
}

/** Returns whether kubelets write this resource periodically. */
function isHeartbeat(resource: Resource): boolean {
  return sameResource(resource, leases) || sameResource(resource, nodes);
}

/** Returns the most precise account that is not too long. */
function readable(written: Parameters<typeof chronicle>[0], trace: readonly TraceEntry[]): FirstRun['acts'] {
  let acts: FirstRun['acts'] = [];
  for (const windowMs of WINDOWS_MS) {
    acts = [...chronicle(written, { windowMs }), ...probeActs(trace, windowMs)];
    if (acts.length <= ACTS_MAX) break;
  }
  return acts.toSorted((a, b) => a.atMs - b.atMs);
}

function watchesOf(cluster: Cluster): Map<string, readonly string[]> {
  const watches = new Map<string, Set<string>>();
  const partOf = partsOf(cluster);
  for (const { actor, verb, object = '' } of cluster.trace.entries) {
    if (verb !== 'watch') continue;
    const part = partOf(actor);
    watches.set(part, (watches.get(part) ?? new Set()).add(object));
  }
  return new Map([...watches].map(([part, resources]) => [part, [...resources].sort()]));
}

/**
 * Maps an actor to its component: `kubelet-node-1` to `kubelet`, and a pod of the cluster's own workloads to its
 * workload, such as `coredns`.
 */
function partsOf(cluster: Cluster): (actor: string) => string {
  const workloads = new Map(
    systemPods(cluster).map(({ metadata }) => {
      const hash = metadata.labels?.['pod-template-hash'] ?? '';
      return [metadata.name, metadata.name.split(`-${hash}`)[0] as string];
    }),
  );
  return (actor) => workloads.get(actor) ?? roleOf(actor);
}

function heardBy(
  cluster: Cluster,
  { resource, key }: ManifestObject,
  { stored }: Applied,
): readonly string[] {
  const object = `${resource.plural}/${keyToString(key)}`;
  const revision = Number(stored.metadata.resourceVersion);
  const heard = cluster.trace.entries.filter(
    (entry) =>
      entry.object === object && entry.revision === revision && /^(ADDED|MODIFIED)$/.test(entry.verb),
  );
  const partOf = partsOf(cluster);
  return [...new Set(heard.map(({ actor }) => partOf(actor)))].sort();
}
