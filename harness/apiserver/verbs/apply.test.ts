import { describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '#api/meta/v1';
import type { Deployment, KubeObject } from '../../api/objects.ts';
import { configMaps, deployments, eventsV1, pods } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { PatchOptions } from '../../contracts/client.ts';
import { pathsOf } from '../apply/field-set.ts';
import { decodeFields } from '../apply/fields-v1.ts';
import { pathText } from '../apply/path-element.ts';
import { configMap, key, world } from './replicas.fixture.ts';

interface Config {
  readonly replicas?: number;
  readonly image?: string;
  readonly labels?: Record<string, string>;
  readonly env?: readonly { name: string; value?: string }[];
  readonly ports?: readonly { containerPort: number; protocol?: string }[];
}

/** The configuration of a Deployment, with what is said. */
function web({ replicas, image = 'nginx:1.25', labels, env, ports }: Config = {}): object {
  const container = { name: 'main', image, ...(env ? { env } : {}), ...(ports ? { ports } : {}) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...key('web'), ...(labels ? { labels } : {}) },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
  };
}

/** An apiserver, and an apply of a Deployment to it. */
async function applying() {
  const { server, sim } = await world();
  const apply = (fieldManager: string, body: object, options: PatchOptions = {}): Promise<Deployment> =>
    server.patch(deployments, key('web'), { type: 'apply', body }, { fieldManager, ...options });
  const later = (seconds: number) => sim.run({ forMs: seconds * 1000 });
  return { server, apply, later };
}

async function refusal(asked: Promise<unknown>): Promise<[number, string, string]> {
  const error = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof StatusError)) throw new Error('it was not refused', { cause: error });
  return [error.code, error.reason, error.message];
}

/** Whose entry it is, and what it owns. */
function ownersOf({ metadata }: KubeObject): Record<string, readonly string[]> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map((entry) => [nameOf(entry), fieldsOf(entry)] as const),
  );
}

const nameOf = ({ manager, operation, subresource = '' }: ManagedFieldsEntry): string =>
  `${manager} ${operation}${subresource ? ` /${subresource}` : ''}`;

const fieldsOf = ({ fieldsV1 }: ManagedFieldsEntry): readonly string[] =>
  [...pathsOf(decodeFields(fieldsV1))].map(pathText);

const CONTAINER = '.spec.template.spec.containers[name="main"]';
const APPLIED = [
  '.spec.selector',
  '.spec.template.metadata.labels.app',
  CONTAINER,
  `${CONTAINER}.image`,
  `${CONTAINER}.name`,
];

describe('apply, where there is no object', () => {
  test('creates it, and its fields belong to the manager: not those that are only defaulted', async () => {
    const { apply } = await applying();
    const created = await apply('kubectl', web({ replicas: 2 }));
    expect(created.spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 10 });
    expect(ownersOf(created)).toEqual({ 'kubectl Apply': ['.spec.replicas', ...APPLIED] });
    expect(created.metadata.managedFields).toMatchObject([
      { apiVersion: 'apps/v1', time: created.metadata.creationTimestamp, fieldsType: 'FieldsV1' },
    ]);
  });

  test('creates nothing when dry, and ignores a resourceVersion', async () => {
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

  test('refuses a uid: no such object is there', async () => {
    const { apply } = await applying();
    const body = web() as { metadata: object };
    const sent = { ...body, metadata: { ...body.metadata, uid: 'u-1' } };
    expect(await refusal(apply('kubectl', sent))).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on deployments.apps "web": uid mismatch: the provided object specified uid u-1, and no existing object was found',
    ]);
  });

  test('has no part of it to apply to', async () => {
    const { apply } = await applying();
    const message = 'deployments.apps "web" not found';
    for (const subresource of ['status', 'scale'] as const) {
      expect(await refusal(apply('kubectl', web(), { subresource }))).toEqual([404, 'NotFound', message]);
    }
  });
});

describe('apply, where there is an object', () => {
  test('changes nothing when nothing is different, not even the time', async () => {
    const { server, apply, later } = await applying();
    await apply('kubectl', web({ replicas: 2, ports: [{ containerPort: 80 }] }));
    await later(60);
    const stored = await server.get(deployments, key('web'));
    expect(await apply('kubectl', web({ replicas: 2, ports: [{ containerPort: 80 }] }))).toBe(stored);
  });

  test('removes what its manager applies no more, and nobody else owns', async () => {
    const { apply } = await applying();
    const env = [{ name: 'A', value: '1' }, { name: 'B' }];
    await apply('kubectl', web({ replicas: 2, env, labels: { a: '1', b: '2' } }));
    await apply('other', web({ labels: { b: '2' } }));
    const updated = await apply('kubectl', web({ env: env.slice(0, 1) }));
    expect(updated.metadata.labels).toEqual({ b: '2' });
    expect(updated.spec.template.spec?.containers[0]?.env).toEqual([{ name: 'A', value: '1' }]);
    // What has a default gets it again.
    expect(updated.spec.replicas).toBe(1);
  });

  test('refuses to change what others own, and says who owns what', async () => {
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

  test('takes what others own, if it is forced', async () => {
    const { apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    const updated = await apply('b', web({ replicas: 3 }), { force: true });
    expect(updated.spec.replicas).toBe(3);
    expect(ownersOf(updated)).toEqual({
      'a Apply': APPLIED,
      'b Apply': ['.spec.replicas', ...APPLIED],
    });
  });

  test('shares what others have applied alike; who only shares has no time', async () => {
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

  test('merges lists by their keys, defaults among them', async () => {
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

  test('compares before it writes where the configuration says with what', async () => {
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

  test('says of what was there that it was there before the first apply', async () => {
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

describe('apply refuses', () => {
  test.each<[string, object, string]>([
    ['another kind', { apiVersion: 'v1', kind: 'Pod' }, '400 invalid object type: /v1, Kind=Pod'],
    ['no kind', {}, '400 invalid object type: /, Kind='],
    [
      'a field that there is not',
      { ...web(), spec: { replicaz: 1 } },
      '500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicaz: field not declared in schema',
    ],
    [
      'a value of another type',
      { ...web(), spec: { replicas: 'two' } },
      '500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'a number for a text',
      web({ env: [{ name: 'A', value: 8080 as unknown as string }] }),
      `500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${CONTAINER}.env[name="A"].value: expected string, got &value.valueUnstructured{Value:8080}`,
    ],
    [
      'a key that stands twice',
      web({ env: [{ name: 'A' }, { name: 'A' }] }),
      `500 failed to create typed patch object (default/web; apps/v1, Kind=Deployment): ${CONTAINER}.env: duplicate entries for key [name="A"]`,
    ],
    [
      'members of a set that stand twice',
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
      'a value that its type does not take',
      web({ ports: [{ containerPort: 1.5 }] }),
      '500 failed to convert new object (default/web; apps/v1, Kind=Deployment) to proper version (apps/v1): unable to convert unstructured object to apps/v1, Kind=Deployment: ',
    ],
    ['what the rules of the kind forbid', web({ replicas: -1 }), '422 Deployment.apps "web" is invalid: '],
  ])('%s', async (_, body, message) => {
    const { server, apply } = await applying();
    const [code, , told] = await refusal(apply('a', body));
    expect(`${code} ${told}`.slice(0, message.endsWith(': ') ? message.length : undefined)).toBe(message);
    expect((await server.list(deployments)).items).toEqual([]);
  });

  test('to be anonymous, and force for patches that know none', async () => {
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

describe('other writes', () => {
  test('tell of no owners before the first apply', async () => {
    const { server } = await applying();
    const created = await server.create(configMaps, configMap('a', { x: '1' }), { fieldManager: 'me' });
    const updated = await server.update(configMaps, { ...created, data: { x: '2' } }, { fieldManager: 'me' });
    expect([created.metadata.managedFields, updated.metadata.managedFields]).toEqual([undefined, undefined]);
  });

  test('take what they change, and nothing of what they leave', async () => {
    const { server, apply, later } = await applying();
    const created = await apply('a', web({ replicas: 2 }));
    await later(5);
    const next = { ...created, spec: { ...created.spec, replicas: 3, paused: true } };
    const updated = await server.update(deployments, next, { fieldManager: 'b' });
    expect(ownersOf(updated)).toEqual({ 'a Apply': APPLIED, 'b Update': ['.spec.paused', '.spec.replicas'] });
    expect(updated.metadata.managedFields?.[1]?.time).toBe('2024-04-17T00:00:05Z');
    expect(await server.update(deployments, updated, { fieldManager: 'c' })).toBe(updated);
    const removed = { type: 'json', body: [{ op: 'remove', path: '/spec/paused' }] } as const;
    expect(ownersOf(await server.patch(deployments, key('web'), removed))).toEqual({
      'a Apply': APPLIED,
      'b Update': ['.spec.replicas'],
    });
  });

  test('name their user where they name no manager', async () => {
    const { server, apply } = await applying();
    await apply('a', web());
    const patch = { type: 'merge', body: { spec: { paused: true } } } as const;
    const patched = await server.as('system:admin').patch(deployments, key('web'), patch);
    expect(Object.keys(ownersOf(patched))).toEqual(['a Apply', 'system:admin Update']);
  });

  test('of the status own of the status alone', async () => {
    const { server, apply } = await applying();
    const created = await apply('a', web());
    const sent = { ...created, spec: { ...created.spec, replicas: 9 }, status: { replicas: 1 } };
    const updated = await server.updateStatus(deployments, sent, { fieldManager: 'controller' });
    expect(ownersOf(updated)).toEqual({
      'a Apply': APPLIED,
      'controller Update /status': ['.status.replicas'],
    });
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', status: { readyReplicas: 1 } };
    const applied = await apply('s', { ...body, metadata: key('web') }, { subresource: 'status' });
    expect(applied.status).toEqual({ replicas: 1, readyReplicas: 1 });
    expect(ownersOf(applied)['s Apply /status']).toEqual(['.status.readyReplicas']);
  });

  test('through the scale take the replicas', async () => {
    const { server, apply } = await applying();
    await apply('a', web({ replicas: 2 }));
    await server.updateScale(deployments, key('web'), { replicas: 4 }, { fieldManager: 'hpa' });
    const scaled = await server.get(deployments, key('web'));
    expect(ownersOf(scaled)).toEqual({ 'a Apply': APPLIED, 'hpa Update /scale': ['.spec.replicas'] });
    expect((await refusal(apply('a', web({ replicas: 2 }))))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
    );
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web' },
      spec: { replicas: 6 },
    };
    const asScale = { subresource: 'scale' } as const;
    expect((await refusal(apply('b', scale, asScale)))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using autoscaling/v1: .spec.replicas',
    );
    await apply('b', scale, { ...asScale, force: true });
    const applied = await server.get(deployments, key('web'));
    expect([applied.spec.replicas, ownersOf(applied)['b Apply /scale']]).toEqual([6, ['.spec.replicas']]);
  });

  test('of ephemeral containers own those alone', async () => {
    const { server } = await applying();
    const containers = [{ name: 'main', image: 'nginx' }];
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: key('web'), spec: { containers } };
    const options = { fieldManager: 'a' };
    const pod = await server.patch(pods, key('web'), { type: 'apply', body }, options);
    const debug = { name: 'debug', image: 'busybox', terminationMessagePolicy: 'File' };
    const sent = { ...pod, spec: { ...pod.spec, ephemeralContainers: [debug] } };
    const debugged = await server.updateEphemeralContainers(sent, { fieldManager: 'kubectl-debug' });
    expect(ownersOf(debugged)['kubectl-debug Update /ephemeralcontainers']).toEqual(
      expect.arrayContaining(['.spec.ephemeralContainers', '.spec.ephemeralContainers[name="debug"].image']),
    );
  });

  test('can give fields to others, and take away all owners', async () => {
    const { server, apply } = await applying();
    const { metadata } = await apply('a', web({ replicas: 2 }));
    const [entry] = metadata.managedFields ?? [];
    const patch = (value: unknown) =>
      server.patch(
        deployments,
        key('web'),
        { type: 'json', body: [{ op: 'replace', path: '/metadata/managedFields', value }] },
        { fieldManager: 'csa' },
      );
    const given = await patch([{ ...entry, manager: 'b' }]);
    expect(ownersOf(given)).toEqual({ 'b Apply': ['.spec.replicas', ...APPLIED] });
    // What nobody could understand does not count.
    expect(ownersOf(await patch([{ ...entry, operation: 'Guess' }]))).toEqual(ownersOf(given));
    const bare = await patch([{}]);
    expect(bare.metadata.managedFields).toBeUndefined();
  });

  test('keep the ten latest updates apart', async () => {
    const { server, apply, later } = await applying();
    await apply('a', web());
    for (let index = 0; index < 12; index++) {
      await later(1);
      const body = { metadata: { annotations: { [`n${index}`]: 'x' } } };
      await server.patch(deployments, key('web'), { type: 'merge', body }, { fieldManager: `m${index}` });
    }
    const owners = ownersOf(await server.get(deployments, key('web')));
    expect(Object.keys(owners)).toEqual([
      'a Apply',
      'ancient-changes Update',
      ...[3, 4, 5, 6, 7, 8, 9, 10, 11].map((index) => `m${index} Update`),
    ]);
    expect(owners['ancient-changes Update']).toEqual([
      '.metadata.annotations',
      ...['n0', 'n1', 'n2'].map((name) => `.metadata.annotations.${name}`),
    ]);
  });
});

describe('apply by kubectl, over what it applied on its own side', () => {
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

  test('takes over what nobody has changed since, and tells anew what was applied last', async () => {
    const { apply } = await appliedClientSide(web({ replicas: 2 }));
    expect((await refusal(apply('other', web({ replicas: 3 }))))[1]).toBe('Conflict');
    const updated = await apply('kubectl', web({ replicas: 3 }));
    expect(updated.spec.replicas).toBe(3);
    const told = updated.metadata.annotations?.[annotation] ?? '';
    expect(JSON.parse(told)).toEqual(web({ replicas: 3 }));
    expect(told.endsWith('}}\n')).toBe(true);
  });

  test('does not take over what is not as it was applied', async () => {
    const { apply } = await appliedClientSide(web({ replicas: 7 }));
    expect((await refusal(apply('kubectl', web({ replicas: 3, image: 'nginx:2' }))))[2]).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    );
  });
});

test('applies a kind in the version in which it is asked for', async () => {
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
