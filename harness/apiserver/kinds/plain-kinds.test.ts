import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepEqual } from '../../api/freeze.ts';
import { type KubeObject, keyOf, type New } from '../../api/objects.ts';
import { groupVersion, verbsOf } from '../../api/resource.ts';
import type { Updated } from '../../contracts/client.ts';
import type { Kind } from '../kind.ts';
import { refusal, world } from '../verbs/replicas.fixture.ts';
import { kinds } from './index.ts';
import { kindViolations, parts } from './kind-laws.ts';
import { sampleNames, samples } from './samples.fixture.ts';

const sampled = kinds
  .filter(({ resource, conversion }) => samples[resource.kind] && !conversion)
  .map((kind) => [kind.resource.kind, kind] as const);
const plain = sampled.filter(([, { answer }]) => !answer);
const reviews = sampled.filter(([, { answer }]) => answer);

/** An object as a client sends it. */
const sent = ({ resource }: Kind): New<KubeObject> =>
  ({
    apiVersion: groupVersion(resource),
    kind: resource.kind,
    metadata: {
      name: sampleNames[resource.kind] ?? 'a',
      ...(resource.namespaced ? { namespace: 'default' } : {}),
      labels: { a: 'b' },
    },
    ...samples[resource.kind],
  }) as New<KubeObject>;

/** Kinds with fields that are required only on create. */
const ASKS_NEW_ONES = ['ControllerRevision', 'HorizontalPodAutoscaler', 'ServiceCIDR'];

/** The object as the verb passes it to the kind. */
const named = (kind: Kind): KubeObject => {
  const object = sent(kind) as KubeObject;
  const system = { uid: 'u-1', resourceVersion: '1', creationTimestamp: '2024-05-01T10:00:00Z' };
  return { ...object, metadata: { ...object.metadata, ...system } };
};

test('there is exactly one sample for each declared kind', () => {
  expect(sampled).toHaveLength(Object.keys(samples).length);
});

describe('A plain kind satisfies the laws', () => {
  test.each(plain)('%s, whole', (_, kind) => {
    expect(kindViolations(kind, named(kind))).toEqual([]);
  });

  test.each(plain.filter(([name]) => !ASKS_NEW_ONES.includes(name)))(
    '%s, whatever part of it is sent',
    (_, kind) => {
      fc.assert(
        fc.property(parts(named(kind)), (part) => {
          expect(kindViolations(kind, part)).toEqual([]);
        }),
      );
    },
  );
});

describe('A plain kind is served', () => {
  // The kind with a two-step deletion has its own test of it.
  test.each(plain.filter(([, { termination }]) => !termination))(
    '%s: created, read, listed, updated and deleted',
    async (_, kind) => {
      const { resource } = kind;
      const { server } = await world();
      const created = await server.create(resource, sent(kind));
      expect(created.metadata).toMatchObject({ name: sent(kind).metadata.name, labels: { a: 'b' } });
      expect(created.metadata.generation).toBe(kind.sameDesiredState ? 1 : undefined);
      const key = keyOf(created);
      expect(await server.get(resource, key)).toBe(created);
      expect((await server.list(resource)).items).toContain(created);

      const asSent = JSON.parse(JSON.stringify(created)) as Updated<KubeObject>;
      expect(await server.update(resource, asSent)).toBe(created);
      const labelled = { ...asSent, metadata: { ...asSent.metadata, labels: { a: 'c' } } };
      const updated = await server.update(resource, labelled);
      expect(updated.metadata).toMatchObject({ labels: { a: 'c' } });
      expect(updated.metadata.generation).toBe(created.metadata.generation);

      await server.delete(resource, key, { propagationPolicy: 'Background' });
      expect(await refusal(server.get(resource, key))).toMatch(/^404 NotFound/);
    },
  );

  test.each(plain)('%s: rejects an unknown field', async (_, kind) => {
    const { server } = await world();
    const strange = { ...sent(kind), speck: {} } as New<KubeObject>;
    expect(await refusal(server.create(kind.resource, strange))).toMatch(/unknown field "speck"/);
  });

  const withStatus = plain.filter(([, { resource }]) => resource.subresources.includes('status'));
  test.each(withStatus)('%s: writes its status separately', async (_, kind) => {
    const { resource } = kind;
    const { server } = await world();
    const status = samples[resource.kind]?.status as object;
    const created = (await server.create(resource, sent(kind))) as KubeObject & { status: object };
    expect(Object.values(created.status).filter(Boolean)).not.toContainEqual(Object.values(status)[0]);
    const { labels, ...metadata } = created.metadata;
    const reported = { ...created, metadata, status } as Updated<KubeObject>;
    const { status: stored, ...rest } = (await server.updateStatus(resource, reported)) as typeof created;
    expect(stored).toMatchObject(status);
    const { status: _status, metadata: _metadata, ...desired } = created;
    expect(deepEqual({ ...rest, metadata: {} }, { ...desired, metadata: {} })).toBe(true);
    expect(await refusal(server.update(resource, { ...created, metadata }))).toMatch(/^409 Conflict/);
  });
});

describe('A review', () => {
  test.each(reviews)('%s returns an answer and is not stored', async (_, { resource }) => {
    const { server } = await world();
    const before = server.storage.revision;
    const { metadata, ...question } = sent(kinds.find((kind) => kind.resource === resource) as Kind);
    const place = resource.namespaced ? { namespace: 'default' } : {};
    const answer = await server.create(resource, { ...question, metadata: place });
    expect(answer).toMatchObject({ kind: resource.kind, status: expect.anything() });
    expect(server.storage.revision).toBe(before);
    expect(verbsOf(resource)).toEqual(['create']);
    expect(await refusal(server.list(resource))).toMatch(/^405 MethodNotAllowed/);
  });
});
