import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/objects.ts';
import { configMaps, deployments, nodes, pods } from '../api/resource.ts';
import { APISERVER } from './bootstrap.ts';
import { type Cluster, createCluster } from './cluster.ts';
import type { JournalEntry } from './journal.ts';

const key = (name: string) => ({ namespace: 'default', name });
const configMap = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { ...key(name), labels },
});
const pod = (name: string) => ({
  metadata: key(name),
  spec: { containers: [{ name: 'a', image: 'a' }] },
});

/** Returns the writes after the bootstrap. */
function written({ journal }: Cluster): readonly JournalEntry[] {
  return journal.entries.filter(({ actor }) => actor !== APISERVER);
}

const briefly = ({ atMs, actor, verb, type, key }: JournalEntry): string =>
  `${atMs} ${actor} ${verb} ${type} ${key}`;

describe('The journal', () => {
  test('records time, object, author and previous state of each write', async () => {
    await using cluster = await createCluster();
    const kubectl = cluster.connect('kubectl');
    await cluster.runFor(7);
    const created = await cluster.settle(kubectl.create(configMaps, configMap('a')));
    const updated = await cluster.admin.update(configMaps, { ...created, data: { x: '1' } });
    await cluster.admin.delete(configMaps, key('a'));
    expect(written(cluster).map(briefly)).toEqual([
      '8 kubectl create ADDED default/a',
      '9 admin update MODIFIED default/a',
      '9 admin delete DELETED default/a',
    ]);
    const [first, second, third] = written(cluster);
    expect([first?.object, second?.object]).toEqual([created, updated]);
    expect([first?.previous, second?.previous, third?.previous]).toEqual([undefined, created, updated]);
    expect(third?.object.metadata.resourceVersion).toBe(String(third?.revision));
  });

  test('names the verb of every kind of write', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    await admin.create(pods, pod('a'));
    await admin.bind(key('a'), 'node-1');
    const bound = await admin.get(pods, key('a'));
    await admin.updateStatus(pods, { ...bound, status: { phase: 'Running' } });
    await admin.patch(pods, key('a'), { type: 'merge', body: { metadata: { labels: { x: 'y' } } } });
    await admin.evict(key('a'), { gracePeriodSeconds: 0 });
    await admin.create(pods, pod('b'));
    await admin.create(pods, pod('c'));
    await admin.deleteCollection(pods, { namespace: 'default', resourceVersion: '1' });
    const template = { metadata: { labels: { x: 'y' } }, spec: pod('').spec };
    const spec = { selector: { matchLabels: { x: 'y' } }, template };
    await admin.create(deployments, { metadata: key('web'), spec } as never);
    await admin.updateScale(deployments, key('web'), { replicas: 2 });
    await admin.patch(
      deployments,
      key('web'),
      { type: 'merge', body: { spec: { replicas: 3 } } },
      { subresource: 'scale' },
    );
    expect(written(cluster).map(briefly)).toEqual([
      '0 admin create ADDED default/a',
      '0 admin bind MODIFIED default/a',
      '0 admin updateStatus MODIFIED default/a',
      '0 admin patch MODIFIED default/a',
      '0 admin evict MODIFIED default/a',
      '0 admin evict MODIFIED default/a',
      '0 admin evict DELETED default/a',
      '0 admin create ADDED default/b',
      '0 admin create ADDED default/c',
      '0 admin deleteCollection MODIFIED default/b',
      '0 admin deleteCollection DELETED default/b',
      '0 admin deleteCollection MODIFIED default/c',
      '0 admin deleteCollection DELETED default/c',
      '0 admin create ADDED default/web',
      '0 admin updateScale MODIFIED default/web',
      '0 admin patch MODIFIED default/web',
    ]);
  });

  test('omits requests that change nothing, are rejected or are dry runs', async () => {
    await using cluster = await createCluster();
    const { admin } = cluster;
    const created = await admin.create(configMaps, configMap('a'));
    await admin.update(configMaps, created);
    await admin.create(configMaps, configMap('a')).catch(() => {});
    await admin.create(configMaps, configMap('b'), { dryRun: true });
    expect(written(cluster)).toHaveLength(1);
  });

  test('knows the author even if the answer was lost or timed out', async () => {
    await using cluster = await createCluster();
    const creates = (name: string) =>
      cluster.run(name, async ({ client }) => {
        await client.create(configMaps, configMap(name));
      });
    cluster.nemesis.strike({ fault: 'time-out', process: 'waits', performed: true });
    const kubectl = cluster.connect('kubectl');
    const controller = new AbortController();
    creates('waits');
    kubectl.create(configMaps, configMap('given-up'), { signal: controller.signal }).catch(() => {});
    await cluster.runFor(0);
    controller.abort();
    await cluster.runFor(10);
    expect(written(cluster).map(briefly)).toEqual([
      '1 waits create ADDED default/waits',
      '1 kubectl create ADDED default/given-up',
    ]);
  });

  test('knows the author even if the process crashed during the request', async () => {
    await using cluster = await createCluster();
    const process = cluster.run('dies', async ({ client, clock }) => {
      await clock.sleep(10);
      await client.create(configMaps, configMap('a'));
    });
    cluster.nemesis.strike({
      fault: 'crash',
      process: 'dies',
      skip: 0,
      performed: true,
      restartAfterMs: 60_000,
    });
    await cluster.runFor(100);
    expect(process.running).toBe(false);
    expect(written(cluster).map(briefly)).toEqual(['11 dies create ADDED default/a']);
  });

  test('survives compaction, and records each write of every replica once', async () => {
    await using cluster = await createCluster({ replicas: 2 });
    const second = cluster.connect('second', { replica: 1 });
    await cluster.settle(second.create(configMaps, configMap('a')));
    cluster.nemesis.strike({ fault: 'compact' });
    await cluster.admin.create(configMaps, configMap('b'));
    expect(written(cluster).map(({ actor, key }) => `${actor} ${key}`)).toEqual([
      'second default/a',
      'admin default/b',
    ]);
    expect(cluster.journal.entries.map(({ revision }) => revision)).toEqual(
      cluster.journal.entries.map((_, i) => i + 1),
    );
  });
});

describe('Replaying the journal', () => {
  const names = (objects: ReadonlyMap<string, KubeObject>): string => [...objects.keys()].join(' ');

  test('yields the objects of one resource after each of its writes', async () => {
    await using cluster = await createCluster();
    const { admin, journal } = cluster;
    await admin.create(configMaps, configMap('a'));
    await admin.create(nodes, { metadata: { name: 'node-1' } } as never);
    await admin.create(configMaps, configMap('b'));
    await admin.delete(configMaps, key('a'));
    const told = [...journal.states(configMaps)].map(({ entry }) => entry.type);
    expect(told).toEqual(['ADDED', 'ADDED', 'DELETED']);
    const seen: string[] = [];
    for (const { objects } of journal.states(configMaps)) seen.push(names(objects));
    expect(seen).toEqual(['default/a', 'default/a default/b', 'default/b']);
  });

  test('yields all objects after each write', async () => {
    await using cluster = await createCluster();
    const { admin, journal } = cluster;
    await admin.create(configMaps, configMap('a'));
    await admin.create(nodes, { metadata: { name: 'node-1' } } as never);
    await admin.delete(configMaps, key('a'));
    const seen: string[] = [];
    for (const { entry, objects } of journal.moments()) {
      if (entry.actor !== APISERVER) seen.push(`${names(objects(configMaps))} | ${names(objects(nodes))}`);
    }
    expect(seen).toEqual(['default/a | ', 'default/a | node-1', ' | node-1']);
  });

  test('ends with the stored objects', async () => {
    await using cluster = await createCluster();
    const { admin, journal, storage } = cluster;
    await admin.create(configMaps, configMap('a'));
    await admin.create(configMaps, configMap('b', { x: 'y' }));
    await admin.patch(configMaps, key('a'), { type: 'merge', body: { data: { n: '1' } } });
    const [last] = [...journal.states(configMaps)].slice(-1);
    expect([...(last?.objects.values() ?? [])]).toEqual(storage.list(configMaps));
  });

  test('is as long as the log in storage if the cluster forgets', async () => {
    await using cluster = await createCluster({ forgetsHistory: true, compactionIntervalMs: 60_000 });
    const { admin, journal, storage, trace } = cluster;
    const write = (name: string) => admin.create(configMaps, configMap(name));
    await write('a');
    await cluster.runFor(60_000);
    trace.record({ actor: 'test', verb: 'log' });
    await write('b');
    await cluster.runFor(60_000);
    expect(journal.entries.map(({ key }) => key)).toEqual(['default/b']);
    expect(journal.entries.map(({ revision }) => revision)).toEqual(
      storage.entriesSince(storage.compactedRevision).map(({ revision }) => revision),
    );
    expect(trace.entries).toHaveLength(1);
    await cluster.runFor(120_000);
    expect([journal.entries, trace.entries]).toEqual([[], []]);
  });
});
