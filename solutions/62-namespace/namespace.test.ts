import { describe, expect, test } from 'vitest';
import { GroupDiscoveryFailed } from '#given/62-namespace';
import {
  configMaps,
  errors,
  isNotFound,
  namespaces,
  type Pod,
  pods,
  type Resource,
  resources,
  secrets,
} from '#harness';
import { type Cluster, createCluster, intercept, scriptedKubelet } from '#harness/testing';
import { components } from '../components.ts';
import { deletionConditions } from './deletion-conditions.ts';
import type { Desk } from './desk.ts';
import { longestGraceSeconds, syncNamespace } from './namespace.ts';

type Request = Parameters<Parameters<typeof intercept>[1]>[0];

const PROCESS = 'namespace-controller';
const inTeam = (name: string) => ({ namespace: 'team', name });
const podSpec = { containers: [{ name: 'a', image: 'a' }] } as Pod['spec'];

/** Creates a terminating namespace with a pod that is on no node, and a secret. */
async function terminating(): Promise<Cluster> {
  const cluster = await createCluster();
  const { admin } = cluster;
  await admin.create(namespaces, { metadata: { name: 'team' }, spec: {} });
  await admin.create(pods, { metadata: inTeam('web'), spec: podSpec });
  await admin.create(secrets, { metadata: inTeam('key') });
  await admin.delete(namespaces, { name: 'team' });
  return cluster;
}

/** Takes the deletion one step further, while the server rejects some requests. */
function step(
  { admin, sim }: Cluster,
  { rejects = () => false, ...desk }: { rejects?: (request: Request) => boolean } & Partial<Desk> = {},
) {
  const client = intercept(admin, (request, send) =>
    rejects(request) ? Promise.reject(errors.internal('no')) : send(request),
  );
  const { signal } = new AbortController();
  return syncNamespace({ client, clock: sim.clock, signal, log: () => {}, ...desk }, 'team');
}

/** Returns the existing objects, and the conditions that are true. */
async function state({ admin }: Cluster): Promise<readonly string[]> {
  const { items } = await admin.list(namespaces, { fieldSelector: 'metadata.name=team' });
  const names = [items, (await admin.list(pods)).items, (await admin.list(secrets)).items].flatMap((all) =>
    all.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  const conditions = items[0]?.status.conditions ?? [];
  const bad = conditions.filter(({ status }) => status === 'True');
  return [...names, ...bad.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)];
}

const isAbout = (verb: Request['verb'], plural: string) => (request: Request) =>
  request.verb === verb && 'resource' in request && request.resource.plural === plural;

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter_test.go
describe('The deletion of a namespace', () => {
  test.each(['deleteCollection', 'list'] as const)(
    'touches nothing else if an error hides whether pods remain: %s',
    async (verb) => {
      await using cluster = await terminating();
      await expect(step(cluster, { rejects: isAbout(verb, 'pods') })).rejects.toThrow(
        'Internal error occurred: no',
      );
      expect(await state(cluster)).toEqual([
        'Namespace team',
        'Pod web',
        'Secret key',
        'NamespaceDeletionContentFailure ContentDeletionFailed: Failed to delete all resource types, 1 remaining: Internal error occurred: no',
      ]);
      expect(await step(cluster)).toBe(0);
      expect(await state(cluster)).toEqual([]);
    },
  );

  test('goes on with the other kinds after an error of one kind', async () => {
    await using cluster = await terminating();
    await cluster.admin.create(configMaps, { metadata: inTeam('kept') }).catch(() => {});
    await expect(step(cluster, { rejects: isAbout('list', 'endpoints') })).rejects.toThrow('no');
    expect(await state(cluster)).toEqual([
      'Namespace team',
      expect.stringMatching(/^NamespaceDeletionContentFailure .* 1 remaining/),
    ]);
  });

  test('keeps the namespace if a group could not be discovered, names it, and deletes everything else', async () => {
    await using cluster = await terminating();
    const discoverResources = () =>
      Promise.reject(new GroupDiscoveryFailed(resources, new Map([['metrics.k8s.io/v1', 'is down']])));
    await expect(step(cluster, { discoverResources })).rejects.toThrow('metrics.k8s.io/v1: is down');
    expect(await state(cluster)).toEqual([
      'Namespace team',
      'NamespaceDeletionDiscoveryFailure DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1: is down',
    ]);
    await step(cluster);
    expect(await state(cluster)).toEqual([]);
  });

  test('keeps the namespace if discovery fails', async () => {
    await using cluster = await terminating();
    const discoverResources = () => Promise.reject(errors.internal('no'));
    await expect(step(cluster, { discoverResources })).rejects.toThrow('no');
    expect(await state(cluster)).toEqual([
      'Namespace team',
      'Secret key',
      'NamespaceDeletionDiscoveryFailure DiscoveryFailed: Internal error occurred: no',
    ]);
  });

  test('sets the phase of a namespace that lacks it', async () => {
    await using cluster = await terminating();
    const phases: unknown[] = [];
    const client = intercept(cluster.admin, async (request, send) => {
      if (request.verb === 'updateStatus') phases.push((request.object.status as { phase: string }).phase);
      const answer = await send(request);
      if (request.verb !== 'get' || !answer || !('metadata' in answer)) return answer;
      return { ...answer, status: { phase: 'Active' } } as unknown as typeof answer;
    });
    await step(cluster, { client });
    expect(phases[0]).toBe('Terminating');
  });

  test('removes its own finalizer, and no other, from the latest version', async () => {
    await using cluster = await terminating();
    const { admin } = cluster;
    const before = await admin.get(namespaces, { name: 'team' });
    await admin.finalize({
      ...before,
      spec: { finalizers: ['kubernetes', 'example.com/b', 'example.com/a'] },
    });
    let writes = 0;
    const client = intercept(admin, async (request, send) => {
      if (request.verb === 'finalize' && writes++ === 0) {
        const body = { metadata: { labels: { owner: 'us' } } };
        await admin.patch(namespaces, { name: 'team' }, { type: 'merge', body });
      }
      return send(request);
    });
    await step(cluster, { client });
    const { metadata, spec } = await admin.get(namespaces, { name: 'team' });
    expect([writes, spec.finalizers, metadata.labels?.owner]).toEqual([
      2,
      ['example.com/a', 'example.com/b'],
      'us',
    ]);
  });

  test('does nothing without a namespace', async () => {
    await using cluster = await createCluster();
    expect(await step(cluster)).toBe(0);
    await expect(cluster.admin.get(namespaces, { name: 'team' })).rejects.toSatisfy(isNotFound);
  });
});

describe('The estimate for pods', () => {
  const pod = (terminationGracePeriodSeconds: number, phase = 'Running') =>
    ({ spec: { terminationGracePeriodSeconds }, status: { phase } }) as Pod;

  test.each([
    { all: [], passedMs: 0, expected: 0 },
    { all: [pod(30), pod(60)], passedMs: 5_000, expected: 60 },
    { all: [pod(30), pod(60)], passedMs: 59_999, expected: 60 },
    { all: [pod(30), pod(60)], passedMs: 60_000, expected: 0 },
    { all: [pod(30), pod(3_600, 'Succeeded'), pod(3_600, 'Failed')], passedMs: 5_000, expected: 30 },
  ])('is $expected s for $all.length pods after $passedMs ms', ({ all, passedMs, expected }) => {
    expect(longestGraceSeconds(all, 1_000, 1_000 + passedMs)).toBe(expected);
  });
});

describe('The conditions of a namespace', () => {
  const content = {
    remaining: new Map(),
    finalizers: new Map(),
    failures: [],
    discoveryFailure: undefined,
    leftForSeconds: 0,
  };

  test('keep the time of a status that stays, and those of other controllers', () => {
    const other = { type: 'Other', status: 'True' } as never;
    const first = deletionConditions([other], { ...content, failures: [new Error('a')] }, 0);
    const second = deletionConditions(first, { ...content, failures: [new Error('b')] }, 60_000);
    expect(second.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime])).toEqual(
      first.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
    );
    expect(second[3]?.message).toBe('Failed to delete all resource types, 1 remaining: b');
    expect(deletionConditions(second, { ...content, failures: [new Error('b')] }, 90_000)).toBe(second);
  });

  test('count resources and finalizers in the order of their names', () => {
    const remaining = new Map<Resource, number>([
      [secrets as Resource, 1],
      [pods as Resource, 2],
    ]);
    const finalizers = new Map([
      ['b', 1],
      ['a', 2],
    ]);
    const conditions = deletionConditions([], { ...content, remaining, finalizers }, 0);
    expect(conditions.flatMap(({ status, message }) => (status === 'True' ? message : []))).toEqual([
      'Some resources are remaining: pods. has 2 resource instances, secrets. has 1 resource instances',
      'Some content in the namespace has finalizers remaining: a in 2 resource instances, b in 1 resource instances',
    ]);
  });
});

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  cluster.runComponents('namespaceController');
  cluster.run('kubelet-node-1', scriptedKubelet({ node: 'node-1' }), { node: 'node-1' });
  await cluster.admin.create(namespaces, { metadata: { name: 'team' }, spec: {} });
  await cluster.runFor(5_000);
  return cluster;
}

const isGone = async ({ admin }: Cluster): Promise<boolean> =>
  admin.get(namespaces, { name: 'team' }).then(() => false, isNotFound);

describe('A namespace', () => {
  test('that cannot be emptied is retried every minute', async () => {
    await using cluster = await running();
    const { admin, nemesis, sim } = cluster;
    // Each attempt begins with one get.
    const refusal = { fault: 'refuse', reason: 'TooManyRequests', requests: 20, verb: 'get' } as const;
    nemesis.schedule([{ ...refusal, atMs: sim.elapsedMs, process: PROCESS }]);
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(400_000);
    expect(await isGone(cluster)).toBe(false);
    await cluster.runFor(100_000);
    expect(await isGone(cluster)).toBe(true);
  });

  test('that is deleted loses its pods first, then everything else, and is then removed', async () => {
    await using cluster = await running();
    const { admin, journal } = cluster;
    const spec = { ...podSpec, nodeName: 'node-1', terminationGracePeriodSeconds: 5 };
    await admin.create(pods, { metadata: inTeam('web'), spec });
    await admin.create(secrets, { metadata: inTeam('key') });
    await cluster.runFor(10_000);
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(5_000);
    const { status } = await admin.get(namespaces, { name: 'team' });
    expect(status.phase).toBe('Terminating');
    await admin.get(secrets, inTeam('key'));
    await cluster.runFor(60_000);
    expect(await isGone(cluster)).toBe(true);
    const gone = journal.entries.filter(
      ({ type, key }) => type === 'DELETED' && /^team\/(web|key)$/.test(key),
    );
    expect(gone.map(({ key }) => key)).toEqual(['team/web', 'team/key']);
  });

  test('reports its remaining content, and is removed once that is deleted', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    await admin.create(secrets, { metadata: { ...inTeam('held'), finalizers: ['example.com/hold'] } });
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(10_000);
    const { status } = await admin.get(namespaces, { name: 'team' });
    const said = (status.conditions ?? []).map(({ type, status: is, message }) => [
      type,
      `${is}: ${message}`,
    ]);
    expect(Object.fromEntries(said)).toEqual({
      NamespaceContentRemaining: 'True: Some resources are remaining: secrets. has 1 resource instances',
      NamespaceDeletionContentFailure:
        'False: All content successfully deleted, may be waiting on finalization',
      NamespaceDeletionDiscoveryFailure: 'False: All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False: All legacy kube types successfully parsed',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    const held = await admin.get(secrets, inTeam('held'));
    const { finalizers: _, ...metadata } = held.metadata;
    await admin.update(secrets, { ...held, metadata });
    await cluster.runFor(30_000);
    expect(await isGone(cluster)).toBe(true);
  });
});
