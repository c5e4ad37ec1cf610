import { describe, expect, test } from 'vitest';
import type { Deployment, KubeObject } from '../../api/objects.ts';
import { deployments } from '../../api/resource.ts';
import { type Status, StatusError } from '../../api/status.ts';
import type { Patch } from '../../contracts/client.ts';
import { key, world } from './replicas.fixture.ts';

/** Starts an apiserver with the Deployment `a`, which has three replicas. */
async function scalable() {
  const { server } = await world();
  const labels = { app: 'a' };
  const spec = {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } },
  };
  const { metadata } = await server.create(deployments, {
    metadata: key('a'),
    spec,
  } as unknown as Deployment);
  const patchScale = (type: Patch['type'], body: unknown): Promise<KubeObject> =>
    server.patch(deployments, key('a'), { type, body } as Patch, { subresource: 'scale' });
  const replicas = async () => (await server.get(deployments, key('a'))).spec.replicas;
  return { server, metadata, patchScale, replicas };
}

async function refusal(refused: Promise<unknown>): Promise<Status> {
  const error = await refused.catch((thrown: unknown) => thrown);
  if (error instanceof StatusError) return error.status;
  throw new Error('The server accepted the request.', { cause: error });
}

describe('a patch of the scale', () => {
  test('scales to 0 if it removes the spec or the replicas', async () => {
    for (const body of [{ spec: null }, { spec: { replicas: null } }]) {
      const { patchScale, replicas } = await scalable();
      await patchScale('merge', body);
      expect(await replicas()).toBe(0);
    }
  });

  test.each<[string, Patch['type'], unknown, string]>([
    [
      'replicas outside of int32',
      'merge',
      { spec: { replicas: 4_294_967_297 } },
      'json: cannot unmarshal number 4294967297 into Go struct field ScaleSpec.spec.replicas of type int32',
    ],
    [
      'a list instead of a spec',
      'merge',
      { spec: [] },
      'json: cannot unmarshal array into Go struct field Scale.spec of type v1.ScaleSpec',
    ],
    ['a string instead of replicas', 'strategic', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    ['an unknown field', 'merge', { spec: { paused: true } }, 'unknown field "spec.paused"'],
  ])('is invalid with %s', async (_, type, body, why) => {
    const { patchScale, replicas } = await scalable();
    const { code, message } = await refusal(patchScale(type, body));
    expect([code, message]).toEqual([422, expect.stringContaining(why)]);
    expect(await replicas()).toBe(3);
  });

  test('reports negative replicas and invalid labels in one error', async () => {
    const { patchScale } = await scalable();
    const body = { metadata: { labels: { 'a b': 'x' } }, spec: { replicas: -1 } };
    const { code, message, details } = await refusal(patchScale('merge', body));
    expect([code, message]).toEqual([422, expect.stringContaining('Scale.autoscaling "a" is invalid: [')]);
    expect(details?.causes?.map(({ field }) => field)).toEqual(['metadata.labels', 'spec.replicas']);
  });

  test.each<[string, Patch['type'], unknown]>([
    ['null', 'merge', { metadata: null }],
    ['removed', 'json', [{ op: 'remove', path: '/metadata' }]],
    ['deleted by a directive', 'strategic', { metadata: { $patch: 'delete' } }],
    ['deleted with the whole', 'strategic', { $patch: 'delete' }],
  ])('needs a name, also if metadata is %s', async (_, type, body) => {
    const { patchScale } = await scalable();
    const { code, message } = await refusal(patchScale(type, body));
    expect([code, message]).toEqual([
      400,
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ]);
  });

  test.each([
    [{ name: 'b' }, 400, 'the name of the object (b) does not match the name on the URL (a)'],
    [
      { namespace: 'other' },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [{ uid: 'x' }, 409, 'Precondition failed: UID in precondition: x, UID in object meta: '],
    [{ resourceVersion: '1' }, 409, 'the object has been modified'],
  ])('cannot change the identity: %j', async (metadata, code, why) => {
    const { patchScale, replicas } = await scalable();
    const status = await refusal(patchScale('merge', { metadata, spec: { replicas: 1 } }));
    expect([status.code, status.message]).toEqual([code, expect.stringContaining(why)]);
    expect(await replicas()).toBe(3);
  });

  test('cannot change the kind', async () => {
    const { patchScale } = await scalable();
    expect((await refusal(patchScale('merge', { kind: 'Pod', apiVersion: 'v1' }))).code).toBe(422);
  });

  test('can omit the namespace, the uid and the version', async () => {
    const { patchScale, replicas } = await scalable();
    const metadata = { namespace: null, uid: null, resourceVersion: null };
    await patchScale('merge', { metadata, spec: { replicas: 5 } });
    expect(await replicas()).toBe(5);
  });
});

describe('an update of the scale', () => {
  test('checks the uid', async () => {
    const { server, metadata, replicas } = await scalable();
    const update = (uid: string) =>
      server.updateScale(deployments, key('a'), { replicas: 4, metadata: { uid } });
    const { code, message } = await refusal(update('x'));
    expect([code, message]).toEqual([
      409,
      `Operation cannot be fulfilled on deployments/scale.apps "a": Precondition failed: UID in precondition: x, UID in object meta: ${metadata.uid}`,
    ]);
    await update(metadata.uid);
    expect(await replicas()).toBe(4);
  });

  test.each([4_294_967_297, 1.5, Number.NaN])(
    'rejects replicas that are not an int32: %d',
    async (replicas) => {
      const { server } = await scalable();
      expect((await refusal(server.updateScale(deployments, key('a'), { replicas }))).code).toBe(400);
    },
  );
});
