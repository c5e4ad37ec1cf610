import { describe, expect, test } from 'vitest';
import type { ConfigMap, KubeObject, New, Node, Service } from '../../api/objects.ts';
import { configMaps, namespaces, nodes, services } from '../../api/resource.ts';
import type { Client, Watch } from '../../contracts/client.ts';
import { configMap, key, names, refusal } from '../verbs/replicas.fixture.ts';

/** Two apiservers over one empty store. */
export interface TwoServers extends AsyncDisposable {
  readonly one: Client;
  readonly other: Client;
}

const annotation = (name: string) =>
  ({ type: 'merge', body: { metadata: { annotations: { [name]: 'x' } } } }) as const;

/** Returns a function that returns the next event: `ADDED a@2`. */
function reader(watch: Watch<KubeObject>): () => Promise<string> {
  const events = watch[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await events.next();
    if (done) return 'end';
    const { name, resourceVersion } = (value.object as KubeObject).metadata;
    return `${value.type} ${name}@${resourceVersion}`;
  };
}

/** The promises of a store to several apiservers, whatever the store. Calls `open` once for each test. */
export function describeStorageContract(name: string, open: () => Promise<TwoServers>): void {
  const opened = async (): Promise<TwoServers> => {
    const servers = await open();
    await servers.one.create(namespaces, { metadata: { name: 'default' }, spec: {} });
    return servers;
  };

  describe(name, () => {
    test('shows a write at once, also at the other apiserver', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const created = await one.create(configMaps, configMap('a', { x: 'ä €' }));
      expect(await other.get(configMaps, key('a'))).toEqual(created);
      const updated = await other.update(configMaps, { ...created, data: { x: '2' } });
      expect(await one.get(configMaps, key('a'))).toEqual(updated);
      expect((await one.list(configMaps)).items).toEqual([updated]);
      await one.delete(configMaps, key('a'));
      expect(names(await other.list(configMaps))).toEqual([]);
    });

    test('keeps objects without a namespace, and objects in several', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      await one.create(namespaces, { metadata: { name: 'a' }, spec: {} });
      for (const namespace of ['default', 'a']) {
        await one.create(configMaps, { metadata: { namespace, name: 'a-b' } });
        await one.create(configMaps, { metadata: { namespace, name: 'a' } });
      }
      await one.create(nodes, { metadata: { name: 'node-1' } } as Node);
      expect(names(await other.list(configMaps))).toEqual(['a', 'a-b', 'a', 'a-b']);
      expect(names(await other.list(configMaps, { namespace: 'a' }))).toEqual(['a', 'a-b']);
      expect(names(await other.list(nodes))).toEqual(['node-1']);
    });

    test('gives each write a higher revision, and none to an update without changes', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const first = await one.create(configMaps, configMap('a'));
      const second = await other.create(configMaps, configMap('b'));
      expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
      expect(await other.update(configMaps, first)).toEqual(first);
      expect((await one.list(configMaps)).metadata.resourceVersion).toBe(second.metadata.resourceVersion);
    });

    test('refuses an update from an earlier state', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const read = await one.create(configMaps, configMap('a'));
      await other.update(configMaps, { ...read, data: { by: 'other' } });
      expect(await refusal(one.update(configMaps, { ...read, data: { by: 'one' } }))).toBe(
        '409 Conflict: Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      );
    });

    test('lets one of several creates of a name succeed', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const outcomes = await Promise.all(
        [one, other, one, other].map((client, i) =>
          client.create(configMaps, configMap('a', { by: String(i) })).then(
            ({ data }: ConfigMap) => data?.by,
            (error) => error.reason,
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'AlreadyExists')).toHaveLength(3);
      const { data } = await one.get(configMaps, key('a'));
      expect(outcomes).toContain(data?.by);
    });

    test('loses none of several patches at the same time', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      await one.create(configMaps, configMap('a'));
      const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
      await Promise.all(
        keys.map((name, i) => (i % 2 ? one : other).patch(configMaps, key('a'), annotation(name))),
      );
      const { annotations } = (await one.get(configMaps, key('a'))).metadata;
      expect(Object.keys(annotations ?? {}).sort()).toEqual([...keys].sort());
    });

    test('allocates different addresses to Services that are created at the same time', async () => {
      await using servers = await opened();
      const { one } = servers;
      const spec = { ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] };
      const created = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          one.create(services, { metadata: key(`s${i}`), spec } as unknown as New<Service>),
        ),
      );
      expect(new Set(created.map((service) => service.spec.clusterIP)).size).toBe(8);
    });

    test('sends each change to watchers once and in order, whoever writes', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const { resourceVersion } = (await one.list(configMaps)).metadata;
      const nexts = [one, other].map(async (client) =>
        reader(await client.watch(configMaps, { resourceVersion })),
      );
      const [first, second] = (await Promise.all(nexts)) as [() => Promise<string>, () => Promise<string>];
      const a = await one.create(configMaps, configMap('a'));
      const b = await other.create(configMaps, configMap('b'));
      const patched = await other.patch(configMaps, key('a'), annotation('x'));
      await one.delete(configMaps, key('b'));
      const after = (await one.list(configMaps)).metadata.resourceVersion;
      const expected = [
        `ADDED a@${a.metadata.resourceVersion}`,
        `ADDED b@${b.metadata.resourceVersion}`,
        `MODIFIED a@${patched.metadata.resourceVersion}`,
        `DELETED b@${after}`,
      ];
      for (const next of [first, second]) {
        expect([await next(), await next(), await next(), await next()]).toEqual(expected);
      }
    });

    test('reads an exact past, and pages of one revision', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      await one.create(configMaps, configMap('a'));
      const { resourceVersion } = (await other.create(configMaps, configMap('b'))).metadata;
      // Each apiserver has observed this revision.
      for (const client of [one, other]) await client.list(configMaps);
      const page = await one.list(configMaps, { limit: 1 });
      await other.delete(configMaps, key('a'));
      await one.create(configMaps, configMap('c'));
      const past = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
      for (const client of [one, other]) {
        expect(names(await client.list(configMaps, past))).toEqual(['a', 'b']);
        expect(names(await client.list(configMaps, { continue: page.metadata.continue as string }))).toEqual([
          'b',
        ]);
        expect(names(await client.list(configMaps))).toEqual(['b', 'c']);
      }
    });

    test('meets the preconditions of a delete', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const first = await one.create(configMaps, configMap('a'));
      await other.delete(configMaps, key('a'));
      const second = await one.create(configMaps, configMap('a'));
      const { uid } = first.metadata;
      expect(await refusal(other.delete(configMaps, key('a'), { preconditions: { uid } }))).toContain(
        '409 Conflict',
      );
      expect(await one.get(configMaps, key('a'))).toEqual(second);
    });

    test('removes an object with its last finalizer', async () => {
      await using servers = await opened();
      const { one, other } = servers;
      const metadata = { ...key('a'), finalizers: ['example.com/wait'] };
      await one.create(configMaps, { metadata });
      await other.delete(configMaps, key('a'));
      const marked = await one.get(configMaps, key('a'));
      expect(marked.metadata.deletionTimestamp).toBeDefined();
      await one.patch(configMaps, key('a'), { type: 'merge', body: { metadata: { finalizers: null } } });
      expect(await refusal(other.get(configMaps, key('a')))).toContain('404 NotFound');
    });
  });
}
