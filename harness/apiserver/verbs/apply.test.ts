import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../api/objects.ts';
import { deployments, eventsV1 } from '../../api/resource.ts';
import type { StatusError } from '../../api/status.ts';
import type { PatchOptions } from '../../contracts/client.ts';
import { APPLIED, applying, CONTAINER, ownersOf, refusal, web } from './apply.fixture.ts';
import { key } from './replicas.fixture.ts';

describe('apply of a new object', () => {
  test('creates it; the manager owns the fields in the configuration, but not the defaulted ones', async () => {
    const { apply } = await applying();
    const created = await apply('kubectl', web({ replicas: 2 }));
    expect(created.spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 10 });
    expect(ownersOf(created)).toEqual({ 'kubectl Apply': ['.spec.replicas', ...APPLIED] });
    expect(created.metadata.managedFields).toMatchObject([
      { apiVersion: 'apps/v1', time: created.metadata.creationTimestamp, fieldsType: 'FieldsV1' },
    ]);
  });

  test('creates nothing in a dry run, and ignores a resourceVersion', async () => {
    const { server, apply } = await applying();
    await apply('kubectl', web(), { dryRun: true });
    expect((await server.list(deployments)).items).toEqual([]);
    const body = web() as { metadata: object };
    const created = await apply('kubectl', {
      ...body,
      metadata: { ...body.metadata, resourceVersion: '77' },
    });
    expect(created.metadata.resourceVersion).toBe('2');
  });

  test('rejects a uid, because no object has it', async () => {
    const { apply } = await applying();
    const body = web() as { metadata: object };
    const sent = { ...body, metadata: { ...body.metadata, uid: 'u-1' } };
    expect(await refusal(apply('kubectl', sent))).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": uid mismatch: the provided object specified uid u-1, and no existing object was found',
    ]);
  });

  test('rejects a subresource of a missing object', async () => {
    const { apply } = await applying();
    const message = 'deployments.apps "web" not found';
    for (const subresource of ['status', 'scale'] as const) {
      expect(await refusal(apply('kubectl', web(), { subresource }))).toEqual([404, 'NotFound', message]);
    }
  });
});

describe('apply to an existing object', () => {
  test('writes nothing if nothing changes, not even the time', async () => {
    const { server, apply, later } = await applying();
    await apply('kubectl', web({ replicas: 2, ports: [{ containerPort: 80 }] }));
    await later(60);
    const stored = await server.get(deployments, key('web'));
    expect(await apply('kubectl', web({ replicas: 2, ports: [{ containerPort: 80 }] }))).toBe(stored);
  });

  test('removes fields that its manager no longer applies and no other manager owns', async () => {
    const { apply } = await applying();
    const env = [{ name: 'A', value: '1' }, { name: 'B' }];
    await apply('kubectl', web({ replicas: 2, env, labels: { a: '1', b: '2' } }));
    await apply('other', web({ labels: { b: '2' } }));
    const updated = await apply('kubectl', web({ env: env.slice(0, 1) }));
    expect(updated.metadata.labels).toEqual({ b: '2' });
    expect(updated.spec.template.spec?.containers[0]?.env).toEqual([{ name: 'A', value: '1' }]);
    // A field with a default gets its default again.
    expect(updated.spec.replicas).toBe(1);
  });

  test('rejects a change of fields with other owners and lists the conflicts', async () => {
    const { server, apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    expect(await refusal(apply('b', web({ replicas: 3 })))).toEqual([
      409,
      'Conflict',
      'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
    ]);
    const scaled = { type: 'merge', body: { spec: { replicas: 5 } } } as const;
    await server.patch(deployments, key('web'), scaled, { fieldManager: 'hpa' });
    const error = await apply('b', web({ replicas: 3, image: 'nginx:2' })).catch((thrown) => thrown);
    expect((error as StatusError).status).toMatchObject({
      message: `Apply failed with 2 conflicts: conflicts with "a":\n- ${CONTAINER}.image\nconflicts with "hpa" using apps/v1:\n- .spec.replicas`,
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: `${CONTAINER}.image` },
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "hpa" using apps/v1',
            field: '.spec.replicas',
          },
        ],
      },
    });
    expect((await server.get(deployments, key('web'))).spec.replicas).toBe(5);
  });

  test('takes over fields of other owners if forced', async () => {
    const { apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    const updated = await apply('b', web({ replicas: 3 }), { force: true });
    expect(updated.spec.replicas).toBe(3);
    expect(ownersOf(updated)).toEqual({
      'a Apply': APPLIED,
      'b Apply': ['.spec.replicas', ...APPLIED],
    });
  });

  test('shares fields with the same value; an entry that only shares has no time', async () => {
    const { apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    const shared = await apply('b', web({ replicas: 2 }));
    const [first, second] = shared.metadata.managedFields ?? [];
    expect([first?.manager, first?.time, second?.manager, second?.time === undefined]).toEqual([
      'b',
      undefined,
      'a',
      false,
    ]);
    expect((await apply('a', web())).spec.replicas).toBe(2);
  });

  test('merges lists by their keys, including defaulted keys', async () => {
    const { apply } = await applying();
    await apply('a', web({ ports: [{ containerPort: 80 }] }));
    const ports = [{ containerPort: 80, protocol: 'UDP' }];
    const updated = await apply('b', web({ ports }));
    expect(updated.spec.template.spec?.containers[0]?.ports).toEqual([
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'UDP' },
    ]);
    expect(ownersOf(updated)['b Apply']).toContain(
      `${CONTAINER}.ports[containerPort=80,protocol="UDP"].protocol`,
    );
  });

  test('compares the resourceVersion if the configuration has one', async () => {
    const { apply } = await applying();
    const created = await apply('a', web());
    const sent = (resourceVersion: string, replicas: number) => {
      const body = web({ replicas }) as { metadata: object };
      return { ...body, metadata: { ...body.metadata, resourceVersion } };
    };
    expect((await apply('a', sent(created.metadata.resourceVersion, 2))).spec.replicas).toBe(2);
    expect((await refusal(apply('a', sent(created.metadata.resourceVersion, 3)))).slice(0, 2)).toEqual([
      409,
      'Conflict',
    ]);
  });

  test('records earlier changes under before-first-apply', async () => {
    const { server, apply } = await applying();
    await server.create(deployments, web({ replicas: 2, labels: { a: '1' } }) as Deployment);
    expect((await refusal(apply('a', web({ replicas: 3 }))))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    );
    const owners = ownersOf(await apply('a', web({ replicas: 3 }), { force: true }));
    expect(owners['before-first-apply Update']).toEqual(
      expect.arrayContaining(['.metadata.labels', '.metadata.labels.a', '.spec.revisionHistoryLimit']),
    );
    expect(owners['before-first-apply Update']).not.toContain('.spec.replicas');
  });
});

describe('apply rejects', () => {
  test.each<[string, object, string]>([
    ['another kind', { apiVersion: 'v1', kind: 'Pod' }, '400 invalid object type: /v1, Kind=Pod'],
    ['a missing kind', {}, '400 invalid object type: /, Kind='],
    [
      'an unknown field',
      { ...web(), spec: { replicaz: 1 } },
      '500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicaz: field not declared in schema',
    ],
    [
      'a value of another type',
      { ...web(), spec: { replicas: 'two' } },
      '500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'a number for a string',
      web({ env: [{ name: 'A', value: 8080 as unknown as string }] }),
      `500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${CONTAINER}.env[name="A"].value: expected string, got &value.valueUnstructured{Value:8080}`,
    ],
    [
      'a duplicate key',
      web({ env: [{ name: 'A' }, { name: 'A' }] }),
      `500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${CONTAINER}.env: duplicate entries for key [name="A"]`,
    ],
    [
      'duplicate members of a set',
      { ...web(), metadata: { ...key('web'), finalizers: ['a.b/c', 'a.b/c'] } },
      '500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .metadata.finalizers: duplicate entries for key [="a.b/c"]',
    ],
    [
      'an item without its key',
      web({ env: [{ value: '1' } as unknown as { name: string }] }),
      `500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${CONTAINER}.env: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [
      'managedFields',
      { ...web(), metadata: { ...key('web'), managedFields: [] } },
      '400 metadata.managedFields must be nil',
    ],
    [
      'another name',
      { ...web(), metadata: key('api') },
      '400 the name of the object (api) does not match the name on the URL (web)',
    ],
    [
      'metadata that is null',
      { ...web(), metadata: null },
      '400 the name of the object (web based on URL) was undeterminable: name must be provided',
    ],
    [
      'empty metadata',
      { ...web(), metadata: {} },
      '400 the name of the object (web based on URL) was undeterminable: name must be provided',
    ],
    [
      'a value outside of its type',
      web({ ports: [{ containerPort: 1.5 }] }),
      '500 failed to convert new object (default/web; apps/v1, Kind=Deployment) to proper version (apps/v1): unable to convert unstructured object to apps/v1, Kind=Deployment: ',
    ],
    [
      'a value that breaks a rule of the kind',
      web({ replicas: -1 }),
      '422 Deployment.apps "web" is invalid: ',
    ],
  ])('%s', async (_, body, message) => {
    const { server, apply } = await applying();
    const [code, , told] = await refusal(apply('a', body));
    expect(`${code} ${told}`.slice(0, message.endsWith(': ') ? message.length : undefined)).toBe(message);
    expect((await server.list(deployments)).items).toEqual([]);
  });

  test('a request without a manager, and force for other patches', async () => {
    const { server } = await applying();
    const patch = (type: 'apply' | 'merge', options: PatchOptions) =>
      refusal(server.patch(deployments, key('web'), { type, body: web() }, options));
    expect((await patch('apply', {}))[2]).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
    expect((await patch('merge', { force: true }))[2]).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });
});

describe('apply by kubectl after a client-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

  async function appliedClientSide(lastApplied: object) {
    const { server, apply } = await applying();
    const body = web({ replicas: 2 }) as { metadata: object };
    const annotations = { [annotation]: JSON.stringify(lastApplied) };
    await server.create(deployments, {
      ...body,
      metadata: { ...body.metadata, annotations },
    } as unknown as Deployment);
    return { apply };
  }

  test('takes over fields that are unchanged since, and updates the last-applied annotation', async () => {
    const { apply } = await appliedClientSide(web({ replicas: 2 }));
    expect((await refusal(apply('other', web({ replicas: 3 }))))[1]).toBe('Conflict');
    const updated = await apply('kubectl', web({ replicas: 3 }));
    expect(updated.spec.replicas).toBe(3);
    const told = updated.metadata.annotations?.[annotation] ?? '';
    expect(JSON.parse(told)).toEqual(web({ replicas: 3 }));
    expect(told.endsWith('}}\n')).toBe(true);
  });

  test('does not take over fields that changed since', async () => {
    const { apply } = await appliedClientSide(web({ replicas: 7 }));
    expect((await refusal(apply('kubectl', web({ replicas: 3, image: 'nginx:2' }))))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    );
  });
});

test('applies a kind in the requested version', async () => {
  const { server } = await applying();
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: key('e'),
    eventTime: '2024-04-17T00:00:00.000000Z',
    reportingController: 'test/controller',
    reportingInstance: 'one',
    action: 'Testing',
    reason: 'Tested',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    note: 'first',
  };
  const options = { fieldManager: 'a' };
  const event = await server.patch(eventsV1, key('e'), { type: 'apply', body }, options);
  expect(event).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'first' });
});
