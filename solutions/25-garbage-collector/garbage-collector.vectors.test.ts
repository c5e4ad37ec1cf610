import { describe, expect, test } from 'vitest';
import {
  type Client,
  configMaps,
  deployments,
  type Event,
  errors,
  events,
  groupVersion,
  isConflict,
  type KubeObject,
  namespaces,
  nodes,
  type OwnerReference,
  type Patch,
  pods,
  type Resource,
  replicaSets,
  resources,
  verbsOf,
} from '#harness';
import { type Cluster, createCluster, vectors } from '#harness/testing';
import { components } from '../components.ts';
import { collectorOver } from './collector.fixture.ts';
import { isDeletable, resourcesToWatch } from './deletable-resources.ts';
import { garbageCollector } from './garbage-collector.ts';
import { unblocking, withoutOwners } from './patches.ts';
import { ReferenceCache } from './reference-cache.ts';

// Checked against release 1.30. The rows of later releases are in harness/conformance/gc.json, under `later`.
describe('Upstream’s own tables', () => {
  interface AttemptToDelete {
    readonly object: {
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly namespace: string;
      readonly ownerReferences: readonly VectorOwner[];
    };
    readonly live: Readonly<Record<string, 200 | 404 | { readonly uid: string }>>;
  }
  interface AttemptToDeleteOutcome {
    readonly calls?: readonly string[];
    readonly deletes?: readonly string[];
    readonly patch?: { readonly removeOwnerUIDs: readonly string[] };
  }

  test.each(vectors<AttemptToDelete, AttemptToDeleteOutcome>('gc', 'attemptToDelete', 3))(
    'attemptToDelete: $name',
    async ({ input, expect: outcome }) => {
      const { name, uid, namespace, ownerReferences } = input.object;
      const dependent = objectOf(pods, { namespace, name, uid }, ownerReferences);
      const server = new ScriptedClient(dependent, input.live);
      const { collector, graphBuilder } = collectorOver(server);
      graphBuilder.observe(dependent);
      await collector.attemptToDelete(uid);
      const standIns = outcome.calls?.map((call) => call.replace('replicationcontrollers', 'services'));
      if (standIns) expect(server.calls.toSorted()).toEqual(standIns.toSorted());
      expect(server.calls.filter((call) => call.startsWith('DELETE '))).toEqual(
        (outcome.deletes ?? standIns ?? []).filter((call) => call.startsWith('DELETE ')),
      );
      expect(server.removedOwners).toEqual(outcome.patch?.removeOwnerUIDs ?? []);
    },
  );

  interface AbsentOwnerCache {
    readonly cacheSize: number;
    readonly dependentsInOrder: readonly { readonly pod: string; readonly owner: string }[];
  }
  interface AbsentOwnerCacheOutcome {
    readonly cached: readonly string[];
    readonly ownerGets: Readonly<Record<string, number>>;
  }

  test.each(vectors<AbsentOwnerCache, AbsentOwnerCacheOutcome>('gc', 'absentOwnerCache', 1))(
    'absentOwnerCache: $name',
    async ({ input: { cacheSize, dependentsInOrder }, expect: { cached, ownerGets } }) => {
      const absentOwners = new ReferenceCache(cacheSize);
      const gets: string[] = [];
      for (const { pod, owner } of dependentsInOrder) {
        const key = { namespace: 'ns1', name: pod, uid: pod };
        const dependent = objectOf(pods, key, [{ kind: 'ReplicationController', name: owner, uid: owner }]);
        const server = new ScriptedClient(dependent, { [`services/${owner}`]: 404 });
        const { collector, graphBuilder } = collectorOver(server, absentOwners);
        graphBuilder.observe(dependent);
        await collector.attemptToDelete(pod);
        gets.push(...server.calls.filter((call) => call.startsWith('GET services/')));
      }
      const counted = Object.keys(ownerGets).map((owner) => [
        owner,
        gets.filter((call) => call.endsWith(`/${owner}`)).length,
      ]);
      expect(Object.fromEntries(counted)).toEqual(ownerGets);
      expect(absentOwners.list().map(({ name }) => name)).toEqual(cached);
    },
  );

  interface PatchRow {
    readonly ownerReferences: readonly VectorOwner[];
    readonly remove?: readonly string[];
  }

  test.each(vectors<PatchRow, { readonly ownerReferences: readonly VectorOwner[] }>('gc', 'patch', 2))(
    'patch: $name',
    async ({ input: { ownerReferences, remove: removed }, expect: { ownerReferences: left } }) => {
      await using cluster = await emptyCluster();
      const filled = (owners: readonly VectorOwner[]): OwnerReference[] =>
        owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: owner.uid, ...owner }));
      const metadata = { namespace: 'ns1', name: 'a', ownerReferences: filled(ownerReferences) };
      const object = await cluster.admin.create(configMaps, { metadata: metadata });
      const patch = removed ? withoutOwners(object.metadata.uid, removed) : unblocking(object);
      const patched = await cluster.admin.patch(configMaps, { namespace: 'ns1', name: 'a' }, patch);
      expect(patched.metadata.ownerReferences).toEqual(filled(left));
    },
  );

  test.each(
    vectors<
      { readonly dependents: readonly string[]; readonly patchStatus: number },
      { readonly error: boolean }
    >('gc', 'orphan', 1),
  )('orphan: $name', async ({ input: { dependents, patchStatus }, expect: { error } }) => {
    expect(patchStatus).toBe(409);
    const owner = objectOf(replicaSets, { namespace: 'ns1', name: 'owner', uid: 'owner' }, []);
    const leaving = { deletionTimestamp: '2024-04-17T00:00:00Z', finalizers: ['orphan'] };
    const server = new ScriptedClient(owner, {});
    const { collector, graphBuilder } = collectorOver({
      ...server.client(),
      patch: async (resource, { name }) => {
        throw errors.conflict(resource, name, 'try again');
      },
    });
    graphBuilder.observe({ ...owner, metadata: { ...owner.metadata, ...leaving } });
    for (const dependent of dependents) {
      const [namespace = '', name = ''] = dependent.split('/');
      graphBuilder.observe(objectOf(pods, { namespace, name, uid: name }, [referenceIn(owner)]));
    }
    const orphaned = collector.attemptToOrphan('owner');
    await (error ? expect(orphaned).rejects.toSatisfy(isConflict) : orphaned);
  });

  interface GraphEvent {
    readonly type: 'add' | 'update' | 'delete';
    readonly uid: string;
    readonly owners: readonly string[];
  }

  test.each(
    vectors<{ readonly events: readonly GraphEvent[] }, { readonly dependents: Record<string, string[]> }>(
      'gc',
      'graph',
      3,
    ),
  )('graph: $name', ({ input: { events: happened }, expect: { dependents } }) => {
    const { graph, graphBuilder } = collectorOver(new ScriptedClient(undefined, {}));
    for (const { type, uid, owners } of happened) {
      const references = owners.map((owner) => ({ kind: 'A', name: owner, uid: owner }));
      const object = objectOf(configMaps, { namespace: 'ns1', name: uid, uid }, references);
      if (type === 'delete') graphBuilder.forget(object);
      else graphBuilder.observe(object);
    }
    const listed = graph
      .nodes()
      .map((node) => [node.uid, [...node.dependents].map(({ uid }) => uid).toSorted()]);
    expect(Object.fromEntries(listed)).toEqual(dependents);
  });

  test('conflict: each row has a test below', () => {
    expect(vectors('gc', 'conflict', 3).map(({ id }) => id)).toEqual([
      'conflict-01',
      'conflict-02',
      'conflict-05',
    ]);
  });

  /** `bothOrders`: the collector observes the dependent first, or the owner first. */
  const orders = [['dependent first'], ['owner first']] as const;

  const podSpec = { containers: [{ name: 'main', image: 'nginx' }] };

  test.each(orders)(
    'conflict-01: namespaced dependent of a cluster-scoped owner: kept (%s)',
    async (order) => {
      await using cluster = await emptyCluster();
      const { admin, storage } = cluster;
      const node = await admin.create(nodes, { metadata: { name: 'nodename' }, spec: {} });
      const metadata = { namespace: 'ns1', name: 'podname1', ownerReferences: [ownedBy(node)] };
      if (order === 'owner first') cluster.run('garbage-collector', garbageCollector);
      await cluster.runFor(1_000);
      await admin.create(pods, { metadata, spec: podSpec });
      if (order === 'dependent first') cluster.run('garbage-collector', garbageCollector);
      await cluster.runFor(60_000);
      expect([storage.list(pods).length, warnings(cluster)]).toEqual([1, []]);
    },
  );

  test.each(orders)(
    'conflict-02: dependent in ns1 naming an owner that lives in ns2: deleted, with a warning (%s)',
    async (order) => {
      await using cluster = await emptyCluster();
      const { admin, storage } = cluster;
      const owner = await admin.create(pods, {
        metadata: { namespace: 'ns2', name: 'podname2' },
        spec: podSpec,
      });
      const metadata = { namespace: 'ns1', name: 'podname1', ownerReferences: [ownedBy(owner)] };
      if (order === 'owner first') {
        cluster.run('garbage-collector', garbageCollector);
        await cluster.runFor(1_000);
      }
      await admin.create(pods, { metadata, spec: podSpec });
      if (order === 'dependent first') cluster.run('garbage-collector', garbageCollector);
      await cluster.runFor(60_000);
      expect(storage.list(pods).map(({ metadata: { name } }) => name)).toEqual(['podname2']);
      expect(warnings(cluster)).toEqual(['OwnerRefInvalidNamespace Pod podname1']);
      const lookedUp = cluster.trace.entries.filter(
        ({ verb, object }) => verb === 'get' && object?.includes('podname2'),
      );
      expect(lookedUp.map(({ object }) => object)).toContain('pods/ns1/podname2');
    },
  );

  test('conflict-05: owner referenced through an API version no longer served: never deleted, retried forever', async () => {
    await using cluster = await emptyCluster();
    cluster.run('garbage-collector', garbageCollector);
    await cluster.runFor(1_000);
    const { admin, storage, trace } = cluster;
    const labels = { app: 'web' };
    const owner = await admin.create(deployments, {
      metadata: { namespace: 'ns1', name: 'deployment1' },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec },
        strategy: { type: 'Recreate' },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    });
    const reference = { ...ownedBy(owner), apiVersion: 'extensions/v1beta1' };
    const metadata = { namespace: 'ns1', name: 'podname1', ownerReferences: [reference] };
    await admin.create(pods, { metadata, spec: podSpec });
    await cluster.runFor(60_000);
    expect(storage.list(pods)).toHaveLength(1);
    await admin.delete(deployments, { namespace: 'ns1', name: 'deployment1' });
    await cluster.runFor(3_600_000);
    expect(storage.list(pods)).toHaveLength(1);
    const before = trace.entries.length;
    await cluster.runFor(3_600_000);
    expect(trace.entries.slice(before)).toContainEqual(
      expect.objectContaining({ verb: 'get', object: 'pods/ns1/podname1', outcome: 'ok' }),
    );
  });

  interface Discovered {
    readonly groupVersion: string;
    readonly name: string;
    readonly verbs: readonly string[];
  }

  test.each(
    vectors<{ readonly resources: readonly Discovered[] }, { readonly watched: readonly string[] }>(
      'gc',
      'deletableResources',
      1,
    ),
  )('deletableResources: $name', ({ input, expect: { watched } }) => {
    const deletable = input.resources.filter(isDeletable);
    expect(deletable.map((each) => `${each.groupVersion}/${each.name}`)).toEqual(watched);
  });

  test("deletableResources: watches all served and stored resources except both groups' events and versions that are not preferred", () => {
    const stored = resources.filter((resource) => verbsOf(resource).includes('delete'));
    const ignored = stored.filter((resource) => !resourcesToWatch(resources).includes(resource));
    expect(ignored.map((resource) => `${groupVersion(resource)}/${resource.plural}`)).toEqual([
      'v1/events',
      'events.k8s.io/v1/events',
      'autoscaling/v1/horizontalpodautoscalers',
    ]);
  });
});

interface VectorOwner {
  readonly kind?: string;
  readonly name?: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

/** Stand-ins for kinds that are not served here; the kind does not matter to the tables. */
const standIns: Readonly<Record<string, Resource>> = {
  ReplicationController: resources.find(({ kind }) => kind === 'Service') as Resource,
  ReplicaSet: replicaSets as unknown as Resource,
  A: configMaps as unknown as Resource,
};

/** Returns an object as a server would return it, with the owners from a table. */
function objectOf<T extends KubeObject>(
  resource: Resource<T>,
  key: { readonly namespace: string; readonly name: string; readonly uid: string },
  owners: readonly VectorOwner[],
): KubeObject {
  const ownerReferences = owners.map(({ kind = 'A', name = '', uid }) => {
    const standIn = standIns[kind] as Resource;
    return { apiVersion: groupVersion(standIn), kind: standIn.kind, name, uid };
  });
  return {
    apiVersion: groupVersion(resource),
    kind: resource.kind,
    metadata: { ...key, resourceVersion: '1', creationTimestamp: '2024-04-17T00:00:00Z', ownerReferences },
  };
}

function referenceIn({ kind, metadata: { name, uid } }: KubeObject): VectorOwner {
  return { kind, name, uid };
}

type CollectorClient = Pick<Client, 'get' | 'delete' | 'patch'>;

/** A client of a server that contains one object, and answers all other requests from the table. */
class ScriptedClient implements CollectorClient {
  /** `GET pods/web-1` */
  readonly calls: string[] = [];
  readonly removedOwners: string[] = [];
  readonly #object: KubeObject | undefined;
  readonly #live: AttemptLive;

  constructor(object: KubeObject | undefined, live: AttemptLive) {
    this.#object = object;
    this.#live = Object.fromEntries(
      Object.entries(live).map(([path, answer]) => [
        path.replace('replicationcontrollers/', 'services/').replace(/^a\//, 'configmaps/'),
        answer,
      ]),
    );
  }

  client(): CollectorClient {
    return { get: this.get.bind(this), delete: this.delete.bind(this), patch: this.patch.bind(this) };
  }

  async get<T extends KubeObject>(resource: Resource<T>, { name }: { readonly name: string }): Promise<T> {
    const path = `${resource.plural}/${name}`;
    this.calls.push(`GET ${path}`);
    const answer = this.#live[path] ?? (name === this.#object?.metadata.name ? 200 : 404);
    if (answer === 404) throw errors.notFound(resource, name);
    if (answer === 200) return this.#object as T;
    return objectOf(resource, { namespace: 'ns1', name, uid: answer.uid }, []) as T;
  }

  async delete<T extends KubeObject>(resource: Resource<T>, { name }: { readonly name: string }): Promise<T> {
    this.calls.push(`DELETE ${resource.plural}/${name}`);
    return this.#object as T;
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    { name }: { readonly name: string },
    { body }: Patch,
  ): Promise<T> {
    this.calls.push(`PATCH ${resource.plural}/${name}`);
    const { metadata } = body as { metadata: { ownerReferences?: { $patch: string; uid: string }[] } };
    this.removedOwners.push(...(metadata.ownerReferences ?? []).map(({ uid }) => uid));
    return this.#object as T;
  }
}

type AttemptLive = Readonly<Record<string, 200 | 404 | { readonly uid: string }>>;

async function emptyCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  for (const name of ['ns1', 'ns2']) await cluster.admin.create(namespaces, { metadata: { name }, spec: {} });
  return cluster;
}

function ownedBy({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid };
}

function warnings({ storage }: Cluster): string[] {
  return (storage.list(events) as Event[]).map(
    ({ reason, involvedObject }) => `${reason} ${involvedObject.kind} ${involvedObject.name}`,
  );
}
