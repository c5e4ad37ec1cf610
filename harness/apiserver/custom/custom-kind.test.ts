import { describe, expect, test } from 'vitest';
import { DEFINITION, schemaOfSpec, TABS, tab, versionOfSpec, withCronTabs } from './cron-tabs.fixture.ts';

describe('A custom resource', () => {
  test('written under an older schema is read under the current one', async () => {
    const old = { type: 'object', properties: { a: { type: 'string' }, gone: { type: 'string' } } };
    const { send, settle } = await withCronTabs([versionOfSpec(old)]);
    const { body: made } = await send('POST', TABS, { ...tab(), spec: { a: 'x', gone: 'y' } });
    const { body } = await send('GET', DEFINITION);
    body.spec.versions[0].schema.openAPIV3Schema = schemaOfSpec({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string', default: 'z' } },
    });
    expect((await send('PUT', DEFINITION, body)).code).toBe(200);
    await settle();
    const read = await send('GET', `${TABS}/mine`);
    expect(read.body.spec).toEqual({ a: 'x', b: 'z' });
    expect(read.body.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect((await send('GET', TABS)).body.items[0].spec).toEqual({ a: 'x', b: 'z' });
    // The comparison uses the object as read, so the desired state has not changed.
    const written = await send('PUT', `${TABS}/mine`, read.body);
    expect(written.body.metadata.generation).toBe(1);
  });

  test('keeps only fields that both its version and the stored version have', async () => {
    const of = (name: string, storage: boolean, fields: readonly string[]) => ({
      ...versionOfSpec({
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      }),
      name,
      storage,
    });
    const { send } = await withCronTabs([of('v1', false, ['a', 'b']), of('v2', true, ['a', 'c'])]);
    const { body } = await send('POST', TABS, { ...tab(), spec: { a: '1', b: '2', c: '3' } });
    expect(body.spec).toEqual({ a: '1' });
    const { body: second } = await send('GET', `${TABS.replace('/v1/', '/v2/')}/mine`);
    expect(second.spec).toEqual({ a: '1' });
  });

  test('stays valid in unchanged fields after a rule becomes stricter', async () => {
    const { send, settle } = await withCronTabs([
      versionOfSpec({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }),
    ]);
    await send('POST', TABS, { ...tab(), spec: { a: 'long' } });
    const { body } = await send('GET', DEFINITION);
    body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.maxLength = 1;
    await send('PUT', DEFINITION, body);
    await settle();
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    expect((await send('PATCH', `${TABS}/mine`, { spec: { b: 'x' } }, merge)).code).toBe(200);
    expect((await send('PATCH', `${TABS}/mine`, { spec: { a: 'longer' } }, merge)).code).toBe(422);
  });

  test('can embed objects, whose metadata is validated', async () => {
    const template = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const { send } = await withCronTabs([versionOfSpec({ type: 'object', properties: { template } })]);
    const post = (inner: unknown) => send('POST', TABS, { ...tab(), spec: { template: inner } });
    const strange = await post({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', colour: 'red' },
      spec: { any: 1 },
    });
    expect(strange.body.spec.template).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { any: 1 },
    });
    expect(strange.warning).toBe('299 - "unknown field \\"spec.template.metadata.colour\\""');
    expect((await post({ apiVersion: 'v1', kind: 5 })).body.message).toBe(
      'CronTab in version "v1" cannot be handled as a CronTab: spec.template.kind: Invalid value: 5: must be a string',
    );
    const { body } = await post({
      apiVersion: 'a/b/c',
      kind: 'A_b',
      metadata: { name: 'a', labels: { '-': 'x' } },
    });
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.template.apiVersion',
      'spec.template.kind',
      'spec.template.metadata.labels',
    ]);
  });
});

describe('The scale of a custom resource', () => {
  const scaled = (scope = 'Namespaced') => {
    const spec = {
      type: 'object',
      properties: {
        replicas: { 'x-kubernetes-preserve-unknown-fields': true },
        selector: { type: 'string' },
      },
    };
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    };
    return withCronTabs([versionOfSpec(spec, { subresources: { scale } })], {}, { scope });
  };
  const merge = { 'Content-Type': 'application/merge-patch+json' };

  test('includes the label selector', async () => {
    const { send } = await scaled();
    await send('POST', TABS, { ...tab(), spec: { replicas: 2, selector: 'a=b' } });
    const { body } = await send('GET', `${TABS}/mine/scale`);
    expect(body).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 0, selector: 'a=b' } });
  });

  test('does not exist without a number of replicas', async () => {
    const { send } = await scaled();
    await send('POST', TABS, { ...tab(), spec: {} });
    const { code, body } = await send('GET', `${TABS}/mine/scale`);
    expect(code).toBe(500);
    expect(body.message).toBe(
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    );
    const nothing = await send('PATCH', `${TABS}/mine/scale`, { metadata: {} }, merge);
    expect(nothing.body.message).toBe('the spec replicas field ".spec.replicas" cannot be empty');
    const patched = await send('PATCH', `${TABS}/mine/scale`, { spec: { replicas: 3 } }, merge);
    expect(patched.body.spec).toEqual({ replicas: 3 });
  });

  test('requires a valid number of replicas', async () => {
    const { send } = await scaled();
    const told = async (replicas: unknown) => {
      const { body } = await send('POST', TABS, { ...tab(), spec: { replicas } });
      return body.details?.causes?.[0] ?? body;
    };
    expect(await told(-1)).toMatchObject({
      field: '.spec.replicas',
      message: 'Invalid value: -1: should be a non-negative integer',
    });
    expect((await told(2 ** 31)).message).toBe(
      'Invalid value: 2147483648: should be less than or equal to 2147483647',
    );
    expect((await told('x')).message).toBe(
      'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
    );
    expect((await told({ a: [1] })).message).toBe(
      'Invalid value: 0: .spec.replicas accessor error: map[a:[1]] is of the type map[string]interface {}, expected int64',
    );
  });

  test('also works for a cluster-scoped resource', async () => {
    const { send } = await scaled('Cluster');
    const path = '/apis/stable.example.com/v1/crontabs';
    await send('POST', path, { ...tab(), spec: { replicas: 1 } });
    const { code, body } = await send('PATCH', `${path}/mine/scale`, { spec: { replicas: 3 } }, merge);
    expect([code, body.spec]).toEqual([200, { replicas: 3 }]);
  });
});

describe('The status of a custom resource', () => {
  test('is validated against the schema of the status alone, and can be removed', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('POST', TABS, tab());
    const path = `${TABS}/mine/status`;
    const wrong = await send('PUT', path, { ...body, spec: {}, status: { replicas: 'x' } });
    expect(wrong.body.details.causes).toMatchObject([
      {
        field: 'status.replicas',
        message: 'Invalid value: "string": replicas in body must be of type integer: "string"',
      },
      { field: '.status.replicas' },
    ]);
    const labelled = { ...body, metadata: { ...body.metadata, labels: { a: 'b' } }, status: { replicas: 1 } };
    const { body: written } = await send('PUT', path, labelled);
    expect(written).toMatchObject({ status: { replicas: 1 } });
    expect(written.metadata.labels).toBeUndefined();
    const { status: _, ...without } = written;
    expect((await send('PUT', path, without)).body.status).toBeUndefined();
  });
});
