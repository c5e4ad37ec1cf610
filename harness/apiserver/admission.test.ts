import { describe, expect, test } from 'vitest';
import type { ConfigMap, KubeObject, Namespace, New, Pod } from '../api/objects.ts';
import { configMaps, deployments, namespaces, pods } from '../api/resource.ts';
import { errors, StatusError } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission/index.ts';
import { Simulation } from '../sim/index.ts';
import { ApiServer } from './apiserver.ts';
import { createHandler } from './handler/handler.ts';

/** Describes a call of a plugin: `admit CREATE pods/binding default/web`. */
const seen = (phase: string, { operation, resource, subresource, namespace, name }: AdmissionAttributes) =>
  `${phase} ${operation} ${resource.plural}${subresource && `/${subresource}`} ${namespace}/${name}`;

/** An apiserver with this admission, which records every request, and the namespace `default`. */
async function serverWith(own: Partial<Admission> = {}) {
  const { clock, random } = new Simulation({ seed: 1 });
  const calls: string[] = [];
  const requests: AdmissionAttributes[] = [];
  const admission = (): Admission => ({
    async admit(attributes) {
      calls.push(seen('admit', attributes));
      requests.push(attributes);
      return own.admit ? own.admit(attributes) : attributes.object;
    },
    async validate(attributes) {
      calls.push(seen('validate', attributes));
      requests.push(attributes);
      await own.validate?.(attributes);
    },
  });
  const server = new ApiServer({ clock, random, admission });
  const jane = server.as('jane');
  await jane.create(namespaces, { metadata: { name: 'default' } } as New<Namespace>);
  calls.length = 0;
  requests.length = 0;
  return { server, jane, calls, requests };
}

const configMap = (name: string, data: ConfigMap['data'] = {}): New<ConfigMap> => ({
  metadata: { name, namespace: 'default' },
  data,
});
const web = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
} as New<Pod>;
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) =>
      error instanceof StatusError ? `${error.status.code} ${error.status.message}` : String(error),
  );

/** Returns the object with this label. */
const labelled = (object: KubeObject | undefined, value: string) =>
  object && { ...object, metadata: { ...object.metadata, labels: { team: value } } };

describe('Admission', () => {
  test('changes a new object before its validation, and checks it as it is stored', async () => {
    const { jane, requests } = await serverWith({ admit: async ({ object }) => labelled(object, 'blue') });
    const created = await jane.create(pods, web);
    expect(created.metadata.labels).toEqual({ team: 'blue' });
    const [first, last] = requests;
    expect(first?.object).toMatchObject({ kind: 'Pod', spec: { restartPolicy: 'Always' } });
    expect(first?.object?.metadata.uid).toBeUndefined();
    expect(last?.object).toMatchObject({ metadata: { labels: { team: 'blue' }, uid: created.metadata.uid } });
    expect(last?.user).toMatchObject({ name: 'jane' });
  });

  test('refuses after validation: an invalid object is a 422 whatever the plugins would say', async () => {
    const refuse = async ({ resource }: AdmissionAttributes) => {
      if (resource.plural === configMaps.plural) throw errors.forbidden(configMaps, 'a', 'no');
    };
    const { jane, calls, server } = await serverWith({ validate: refuse });
    expect(await messageOf(jane.create(configMaps, configMap('A_')))).toMatch(/^422 /);
    expect(calls).toEqual(['admit CREATE configmaps default/A_']);
    expect(await messageOf(jane.create(configMaps, configMap('a')))).toBe(
      '403 configmaps "a" is forbidden: no',
    );
    expect(server.storage.list(configMaps)).toEqual([]);
  });

  test('cannot move an object to another namespace, or spoil its owners', async () => {
    let change: object = {};
    const admit = async ({ object }: AdmissionAttributes) =>
      object && { ...object, metadata: { ...object.metadata, ...change } };
    const { jane, server } = await serverWith({ admit });
    await jane.create(configMaps, configMap('a'));
    const key = { namespace: 'default', name: 'a' };
    const patch = () => jane.patch(configMaps, key, { type: 'merge', body: { data: { k: '1' } } });
    const moved = '400 the namespace of the provided object does not match the namespace sent on the request';
    change = { namespace: 'kube-system' };
    expect(await messageOf(jane.create(configMaps, configMap('b')))).toBe(moved);
    expect(await messageOf(patch())).toBe(moved);
    change = { namespace: undefined };
    expect((await jane.create(configMaps, configMap('b'))).metadata.namespace).toBe('default');
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: '1' };
    change = { managedFields: [{ operation: 'Nothing' }], ownerReferences: [owner, owner] };
    const created = await jane.create(configMaps, configMap('c'));
    expect(created.metadata.managedFields).toBeUndefined();
    expect(created.metadata.ownerReferences).toEqual([owner]);
    expect(server.storage.list(configMaps)).toHaveLength(3);
  });

  test('sees a generated name only while it checks', async () => {
    const { jane, calls } = await serverWith();
    const { metadata } = await jane.create(configMaps, {
      ...configMap(''),
      metadata: { namespace: 'default', generateName: 'a-' },
    } as unknown as New<ConfigMap>);
    expect(calls).toEqual([
      'admit CREATE configmaps default/',
      `validate CREATE configmaps default/${metadata.name}`,
    ]);
  });

  test('sees both objects of an update, a patch and an apply', async () => {
    const { jane, calls, requests } = await serverWith();
    const old = await jane.create(configMaps, configMap('a', { k: '1' }));
    calls.length = 0;
    requests.length = 0;
    await jane.update(configMaps, { ...old, data: { k: '2' } });
    await jane.patch(
      configMaps,
      { namespace: 'default', name: 'a' },
      { type: 'merge', body: { data: { k: '3' } } },
    );
    const body = { ...configMap('a', { k: '4' }), apiVersion: 'v1', kind: 'ConfigMap' };
    const options = { fieldManager: 'm', force: true };
    await jane.patch(configMaps, { namespace: 'default', name: 'a' }, { type: 'apply', body }, options);
    expect(calls).toEqual(
      Array(3)
        .fill(['admit', 'validate'])
        .flat()
        .map((phase) => `${phase} UPDATE configmaps default/a`),
    );
    const data = (object: KubeObject | undefined) => (object as ConfigMap).data?.k;
    expect(requests.map(({ object, oldObject }) => `${data(oldObject)}→${data(object)}`)).toEqual([
      ...['1→2', '1→2', '2→3', '2→3', '3→4', '3→4'],
    ]);
  });

  test('starts a write again, with the new object, if another one was faster', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const { jane, calls, server } = await serverWith({
      async validate() {
        const once = interfere;
        interfere = undefined;
        await once?.();
      },
    });
    const old = await jane.create(configMaps, configMap('a', { k: '1' }));
    const key = { namespace: 'default', name: 'a' };
    const faster = () => jane.patch(configMaps, key, { type: 'merge', body: { data: { other: 'x' } } });
    interfere = faster;
    calls.length = 0;
    await jane.patch(configMaps, key, { type: 'merge', body: { data: { k: '2' } } });
    expect((server.storage.get(configMaps, key) as ConfigMap).data).toEqual({ k: '2', other: 'x' });
    expect(calls).toHaveLength(6);
    interfere = () => jane.patch(configMaps, key, { type: 'merge', body: { data: { other: 'y' } } });
    expect(await messageOf(jane.update(configMaps, { ...old, data: {} }))).toMatch(
      /^409 .*has been modified/,
    );
    interfere = () => jane.delete(configMaps, key);
    expect(await messageOf(jane.patch(configMaps, key, { type: 'merge', body: {} }))).toMatch(/^404 /);
  });

  test('sees subresources with their own objects', async () => {
    const { jane, calls, requests } = await serverWith();
    const pod = await jane.create(pods, web);
    const replicas = { spec: { replicas: 2 }, metadata: {} };
    await jane.create(deployments, {
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: web.spec },
      },
    } as never);
    calls.length = 0;
    requests.length = 0;
    await jane.updateStatus(pods, { ...pod, status: { ...pod.status, phase: 'Running' } });
    await jane.bind({ namespace: 'default', name: 'web' }, 'node-1');
    await jane.patch(
      deployments,
      { namespace: 'default', name: 'web' },
      { type: 'merge', body: replicas },
      { subresource: 'scale' },
    );
    await jane.evict({ namespace: 'default', name: 'web' });
    expect(calls.filter((call) => call.startsWith('admit'))).toEqual([
      'admit UPDATE pods/status default/web',
      'admit CREATE pods/binding default/web',
      'admit UPDATE deployments/scale default/web',
      'admit CREATE pods/eviction default/web',
    ]);
    const kinds = requests.map(({ object }) => object?.kind);
    expect(new Set(kinds)).toEqual(new Set(['Pod', 'Binding', 'Scale', 'Eviction']));
  });

  test('sees the old object of a delete, one by one for a collection, and no read', async () => {
    const { jane, calls, requests } = await serverWith();
    for (const name of ['a', 'b', 'c']) await jane.create(configMaps, configMap(name));
    calls.length = 0;
    requests.length = 0;
    await jane.get(configMaps, { namespace: 'default', name: 'a' });
    await jane.list(configMaps);
    await jane.delete(configMaps, { namespace: 'default', name: 'a' });
    await jane.deleteCollection(configMaps, { namespace: 'default' });
    expect(calls.filter((call) => call.startsWith('validate'))).toEqual(
      ['a', 'b', 'c'].map((name) => `validate DELETE configmaps default/${name}`),
    );
    expect(requests.every(({ object, oldObject }) => object === undefined && oldObject !== undefined)).toBe(
      true,
    );
  });

  test('warns a client over HTTP, also with a refusal', async () => {
    const { jane } = await serverWith({
      validate: async ({ operation, resource, object, warn }) => {
        if (resource.plural !== configMaps.plural) return;
        warn(`${operation} is unwise`);
        if (object?.metadata.labels?.team !== 'blue') throw errors.forbidden(configMaps, 'a', 'no');
      },
    });
    const handle = createHandler(jane);
    const path = 'http://host/api/v1/namespaces/default/configmaps';
    const send = async (method: string, url: string, body?: object, type = 'application/json') => {
      const content = body && { body: JSON.stringify(body), headers: { 'Content-Type': type } };
      const { status, headers } = await handle(new Request(url, { method, ...content }));
      return [status, headers.get('warning')];
    };
    const blue = { metadata: { name: 'a', labels: { team: 'blue' } } };
    const red = { metadata: { name: 'a', labels: { team: 'red' } } };
    const merge = 'application/merge-patch+json';
    expect(await send('POST', path, red)).toEqual([403, '299 - "CREATE is unwise"']);
    expect(await send('POST', path, blue)).toEqual([201, '299 - "CREATE is unwise"']);
    expect(await send('PUT', `${path}/a`, red)).toEqual([403, '299 - "UPDATE is unwise"']);
    expect(await send('PATCH', `${path}/a`, red, merge)).toEqual([403, '299 - "UPDATE is unwise"']);
    expect(await send('DELETE', `${path}/a`)).toEqual([403, '299 - "DELETE is unwise"']);
    expect(await send('DELETE', path)).toEqual([403, '299 - "DELETE is unwise"']);
  });

  test('learns of a dry run, and nothing is stored', async () => {
    const { jane, requests, server } = await serverWith();
    await jane.create(configMaps, configMap('a'), { dryRun: true });
    expect(requests.map(({ dryRun, options }) => [dryRun, options.dryRun])).toEqual([
      [true, ['All']],
      [true, ['All']],
    ]);
    expect(server.storage.list(configMaps)).toEqual([]);
  });

  test('decides about namespaces: without its refusal the apiserver accepts every write', async () => {
    const { jane } = await serverWith();
    const elsewhere = { ...configMap('a'), metadata: { name: 'a', namespace: 'missing' } };
    expect(await messageOf(jane.create(configMaps, elsewhere))).toBe('no error');
    expect(await messageOf(jane.delete(namespaces, { name: 'default' }))).toBe('no error');
  });
});
