import { type Deployment, keyToString, type Pod, type Service } from '../api/objects.ts';
import { isReady } from '../api/predicates.ts';
import { deployments, leases, nodes, pods, type Resource, services } from '../api/resource.ts';
import { StatusError } from '../api/status.ts';
import { sameResource } from '../apiserver/storage/storage.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { roleOf } from '../cluster/component-table.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Components } from '../contracts/component.ts';
import { type Act, chronicle } from '../drawing/chronicle/chronicle.ts';
import { probeActs } from '../drawing/chronicle/probe-acts.ts';
import type { TraceEntry } from '../sim/index.ts';
import { type Applied, apply } from './apply.ts';
import { type Curled, canBeAsked, curlService } from './curl.ts';
import type { ManifestObject } from './manifest.ts';

/** What happened when a manifest was applied to a cluster that was empty except for its parts. */
export interface FirstRun {
  /** Those that were applied, in order: all of them, unless the server refused one. */
  readonly applied: readonly AppliedAt[];
  /** The one at which it ended, and what the server said. */
  readonly refused?: Pick<AppliedAt, 'of' | 'entry'> & { readonly error: StatusError };
  /** kubectl's requests, oldest first. */
  readonly requests: readonly TraceEntry[];
  /** What the parts of the cluster made of them, oldest first. */
  readonly acts: readonly Pick<Act, 'atMs' | 'who' | 'what'>[];
  /** By part, in the order in which they run: the resources that it watches. */
  readonly watching: ReadonlyMap<string, readonly string[]>;
  /** The parts that follow a script, because they are not built yet. */
  readonly scripted: ReadonlySet<string>;
  /** The pods that came of it, at the end. */
  readonly pods: readonly Pod[];
  /** A request to the first Service that was applied, when all pods were ready; absent where there is none to ask. */
  readonly curled?: Curled;
}

/** What became of one object of the manifest. */
export interface AppliedAt {
  readonly of: ManifestObject;
  readonly result: Applied;
  /** kubectl's last request for it, one of the run's requests. */
  readonly entry: TraceEntry | undefined;
  /** The parts that were told of it by their watches. */
  readonly heardBy: readonly string[];
}

/** Until its controllers watch and its nodes are there, in virtual ms. A kubelet that is younger than a probe's period waits a while before it probes. */
const SETTLED_MS = 20_000;

/** At most this much more, until CoreDNS is ready. */
const NAMES_MS = 120_000;

/** Where what belongs to the cluster itself is. */
const SYSTEM = 'kube-system';

/** At most this much virtual time is told: longer than a roll-out waits before it says that it is stuck. */
const FOLLOWED_MS = 900_000;

/** When nothing was written for so long and all pods are ready, the cluster is at rest. In ms. */
const QUIET_MS = 30_000;

/** So many sentences are read; what is more is put together. */
const ACTS_MAX = 32;
const WINDOWS_MS = [50, 250, 1_000, 5_000, 60_000, FOLLOWED_MS];

/**
 * Starts a cluster, applies the manifest object by object until the server refuses one, and sees what comes of it. In
 * the result time begins with kubectl's first request.
 *
 * @throws Error when a controller gives up: the components are broken
 */
export async function firstRun(
  manifest: readonly ManifestObject[],
  components: Partial<Components>,
): Promise<FirstRun> {
  const { cluster: whole, processes, scripted } = await createWholeCluster({ components });
  await using cluster = whole;
  await cluster.runFor(SETTLED_MS);
  await cluster.runUntil(() => isSettled(cluster), NAMES_MS);
  const watching = watchesOf(cluster);
  const revision = cluster.storage.revision;
  const beganMs = cluster.sim.elapsedMs;
  const since = <T extends { readonly atMs: number }>(one: T): T => ({ ...one, atMs: one.atMs - beganMs });

  const kubectl = cluster.connect('kubectl');
  const requests = (): TraceEntry[] => cluster.trace.entries.filter(({ actor }) => actor === 'kubectl');
  const applied: { of: ManifestObject; result: Applied; request: number }[] = [];
  let refused: { of: ManifestObject; error: StatusError; request: number } | undefined;
  for (const of of manifest) {
    try {
      const result = await cluster.settle(apply(kubectl, of));
      applied.push({ of, result, request: requests().length - 1 });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refused = { of, error, request: requests().length - 1 };
      break;
    }
  }
  if (!refused) await follow(cluster);
  throwFirstFailure(processes);
  const asked = requests().map(since);
  const written = cluster.journal.entries.filter((entry) => entry.revision > revision);
  const traced = cluster.trace.entries.filter(({ atMs }) => atMs >= beganMs);
  const ownAddresses = new Set(systemPods(cluster).map(({ status }) => status.podIP));
  const came = podsOf(cluster);
  const service = scripted.size > 0 ? undefined : serviceAmong(cluster, applied);
  const curled = service && came.every(isReady) ? await curlService(cluster, service) : undefined;
  return {
    applied: applied.map(({ of, result, request }) => ({
      of,
      result,
      entry: asked[request],
      heardBy: result.outcome === 'unchanged' ? [] : heardBy(cluster, of, result),
    })),
    ...(refused ? { refused: { of: refused.of, error: refused.error, entry: asked[refused.request] } } : {}),
    requests: asked,
    acts: readable(
      written.filter(({ actor, key }) => actor !== 'kubectl' && !key.startsWith(`${SYSTEM}/`)).map(since),
      traced.filter((entry) => !isAbout(entry, ownAddresses)).map(since),
    ),
    watching,
    scripted,
    pods: came,
    ...(curled && { curled }),
  };
}

/** Whether what belongs to the cluster itself is ready. */
function isSettled({ storage }: Cluster): boolean {
  return (storage.list(deployments) as Deployment[]).every(
    ({ spec, status }) => (status?.availableReplicas ?? 0) >= (spec.replicas ?? 1),
  );
}

/** The pods that are not the cluster's own. */
function podsOf({ storage }: Cluster): readonly Pod[] {
  return (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.namespace !== SYSTEM);
}

function systemPods({ storage }: Cluster): readonly Pod[] {
  return (storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.namespace === SYSTEM);
}

/** Whether a call went to one of these addresses. */
function isAbout({ object = '' }: TraceEntry, addresses: ReadonlySet<string | undefined>): boolean {
  return addresses.has(/^[\d.]+(?=:\d)/.exec(object)?.[0]);
}

/** The first Service that was applied and that can be asked. */
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

/** Lets time pass until every pod is ready and nothing more happens, or for as long as something may come. */
async function follow(cluster: Cluster): Promise<void> {
  const endMs = cluster.sim.elapsedMs + FOLLOWED_MS;
  const isAtRest = (): boolean => {
    const last = cluster.journal.entries.findLast(({ resource }) => !isHeartbeat(resource));
    const isQuiet = cluster.sim.elapsedMs - (last?.atMs ?? 0) >= QUIET_MS;
    return isQuiet && podsOf(cluster).every((pod) => isReady(pod));
  };
  while (cluster.sim.elapsedMs < endMs && !isAtRest()) await cluster.runFor(QUIET_MS);
}

/** What kubelets write whether or not anything happens. */
function isHeartbeat(resource: Resource): boolean {
  return sameResource(resource, leases) || sameResource(resource, nodes);
}

/** The most precise account that is not too long. */
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

/** What an actor is a part of: `kubelet-node-1` of `kubelet`, and a pod of the cluster's own of its workload, `coredns`. */
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
