import { EventEmitter, once } from 'node:events';
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { namespaces } from '../api/resource.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { seededRandom } from '../sim/index.ts';
import { listen } from './node.ts';
import { realClock } from './real-clock.ts';

const labels = { app: 'web' };
const container = { name: 'main', image: 'nginx:1.25' };
const pod = { metadata: { name: 'a', labels }, spec: { containers: [container] } };
const deployment = {
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};

/** Starts an apiserver on a port, and returns a client configuration for it. */
async function cluster() {
  const server = new ApiServer({ clock: realClock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const listening = await listen(createHandler(server));
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'test', server: listening.url, skipTLSVerify: true },
    { name: 'test' },
  );
  return { config, [Symbol.asyncDispose]: () => listening.close() };
}

describe('@kubernetes/client-node over node:http', () => {
  test('creates, gets, lists, replaces and deletes', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    const created = await core.createNamespacedPod({ namespace: 'default', body: pod });
    expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    expect(await core.readNamespacedPod({ name: 'a', namespace: 'default' })).toEqual(created);

    const list = await core.listNamespacedPod({ namespace: 'default', labelSelector: 'app=web', limit: 500 });
    expect(list.items.map((item) => item.metadata?.name)).toEqual(['a']);

    const body = { ...created, metadata: { ...created.metadata, labels: { app: 'db' } } };
    const replaced = await core.replaceNamespacedPod({ name: 'a', namespace: 'default', body });
    expect(replaced.metadata?.labels).toEqual({ app: 'db' });

    const deleted = await core.deleteNamespacedPod({
      name: 'a',
      namespace: 'default',
      gracePeriodSeconds: 0,
    });
    expect(deleted.metadata?.name).toBe('a');
    expect((await core.listPodForAllNamespaces()).items).toEqual([]);
  });

  test('reads a conflict as a Status', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    const created = await core.createNamespacedPod({ namespace: 'default', body: pod });
    const update = (app: string) => {
      const body = { ...created, metadata: { ...created.metadata, labels: { app } } };
      return core.replaceNamespacedPod({ name: 'a', namespace: 'default', body });
    };
    await update('one');
    const error = await update('two').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiException);
    const { code, body } = error as ApiException<string>;
    expect(code).toBe(409);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'Conflict', details: { kind: 'pods' } });
  });

  test('sends merge, strategic merge and JSON patches', async () => {
    await using opened = await cluster();
    const apps = opened.config.makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({ namespace: 'default', body: deployment });
    const patch = async (strategy: string, body: object) => {
      const options = setHeaderOptions('Content-Type', strategy);
      const patched = await apps.patchNamespacedDeployment(
        { name: 'web', namespace: 'default', body },
        options,
      );
      return patched.spec?.replicas;
    };
    expect(await patch(PatchStrategy.MergePatch, { spec: { replicas: 2 } })).toBe(2);
    expect(await patch(PatchStrategy.StrategicMergePatch, { spec: { replicas: 3 } })).toBe(3);
    expect(await patch(PatchStrategy.JsonPatch, [{ op: 'replace', path: '/spec/replicas', value: 4 }])).toBe(
      4,
    );
  });

  test('reads and replaces the scale subresource', async () => {
    await using opened = await cluster();
    const apps = opened.config.makeApiClient(AppsV1Api);
    await apps.createNamespacedDeployment({ namespace: 'default', body: deployment });
    const key = { name: 'web', namespace: 'default' };
    const scale = await apps.readNamespacedDeploymentScale(key);
    await apps.replaceNamespacedDeploymentScale({ ...key, body: { ...scale, spec: { replicas: 5 } } });
    expect((await apps.readNamespacedDeployment(key)).spec?.replicas).toBe(5);
  });

  test('binds and evicts pods', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    const key = { name: 'a', namespace: 'default' };
    await core.createNamespacedPod({ namespace: 'default', body: pod });
    const target = { kind: 'Node', name: 'node-1' };
    await core.createNamespacedPodBinding({ ...key, body: { metadata: { name: 'a' }, target } });
    expect((await core.readNamespacedPod(key)).spec?.nodeName).toBe('node-1');
    const deleteOptions = { gracePeriodSeconds: 0 };
    await core.createNamespacedPodEviction({ ...key, body: { metadata: { name: 'a' }, deleteOptions } });
    await expect(core.readNamespacedPod(key)).rejects.toMatchObject({ code: 404 });
  });

  test('watches pods', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    const events = new EventEmitter();
    const tell = (type: string, object: object) => events.emit('told', type, object);
    const connection = await new Watch(opened.config).watch('/api/v1/pods', {}, tell, () => {});
    const told = once(events, 'told');
    await core.createNamespacedPod({ namespace: 'default', body: pod });
    expect(await told).toMatchObject(['ADDED', { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } }]);
    connection.abort();
  });

  test('streams a list', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    await core.createNamespacedPod({ namespace: 'default', body: pod });
    const told: string[] = [];
    const ended = new EventEmitter();
    const tell = (type: string, object: { metadata: { name?: string; annotations?: object } }): void => {
      told.push(`${type} ${object.metadata.name ?? JSON.stringify(object.metadata.annotations)}`);
      if (type === 'BOOKMARK') ended.emit('end');
    };
    const end = once(ended, 'end');
    const asked = {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    };
    const connection = await new Watch(opened.config).watch('/api/v1/pods', asked, tell, () => {});
    await end;
    connection.abort();
    expect(told).toEqual(['ADDED a', 'BOOKMARK {"k8s.io/initial-events-end":"true"}']);
  });

  test('runs an informer', async () => {
    await using opened = await cluster();
    const core = opened.config.makeApiClient(CoreV1Api);
    const list = () => core.listNamespacedPod({ namespace: 'default' });
    const informer = makeInformer(opened.config, '/api/v1/namespaces/default/pods', list);
    const events = new EventEmitter();
    for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, (it) => events.emit(verb, it));
    // The informer reports the end of its own watch as an error.
    informer.on('error', () => {});
    await informer.start();

    const added = once(events, 'add');
    const created = await core.createNamespacedPod({ namespace: 'default', body: pod });
    expect(await added).toMatchObject([{ metadata: { resourceVersion: created.metadata?.resourceVersion } }]);

    const updating = once(events, 'update');
    const body = { ...created, metadata: { ...created.metadata, labels: { app: 'db' } } };
    await core.replaceNamespacedPod({ name: 'a', namespace: 'default', body });
    expect(await updating).toMatchObject([{ metadata: { labels: { app: 'db' } } }]);

    const deleting = once(events, 'delete');
    await core.deleteNamespacedPod({ name: 'a', namespace: 'default' });
    expect(await deleting).toMatchObject([{ metadata: { name: 'a' } }]);
    expect(informer.list()).toEqual([]);
    await informer.stop();
  });
});
