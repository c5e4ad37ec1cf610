import { describe, expect, test } from 'vitest';
import type { OwnerReference } from '#api/meta/v1';
import { configMaps, namespaces } from '../../api/resource.ts';
import { configMap, key, world } from './replicas.fixture.ts';

const owner: OwnerReference = { apiVersion: 'g.io/v1', kind: 'K', name: 'n', uid: 'u' };
const twice = [owner, { ...owner }];

// Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest_test.go TestDedupOwnerReferences
describe('Owner references', () => {
  test('that are equal are stored once, by a create, an update and a patch', async () => {
    const { server } = await world();
    const sent = { ...configMap('a'), metadata: { ...key('a'), ownerReferences: twice } };
    const created = await server.create(configMaps, sent);
    const next = { ...created, metadata: { ...created.metadata, ownerReferences: twice }, data: { x: '1' } };
    const updated = await server.update(configMaps, next);
    const body = { metadata: { ownerReferences: twice }, data: { x: '2' } };
    const patched = await server.patch(configMaps, key('a'), { type: 'merge', body });
    for (const { metadata } of [created, updated, patched]) expect(metadata.ownerReferences).toEqual([owner]);
  });

  test('of a namespace are stored once, also by a write of its finalizers', async () => {
    const { server } = await world();
    const namespace = await server.create(namespaces, { metadata: { name: 'team' }, spec: {} });
    const metadata = { ...namespace.metadata, ownerReferences: twice };
    const finalized = await server.finalize({ ...namespace, metadata });
    expect(finalized.metadata.ownerReferences).toEqual([owner]);
  });

  test('that differ in any field stay, also with the same uid', async () => {
    const { server } = await world();
    const ownerReferences = [
      owner,
      { ...owner, name: 'm' },
      { ...owner, controller: false },
      { ...owner, blockOwnerDeletion: true },
    ];
    const sent = {
      ...configMap('a'),
      metadata: { ...key('a'), ownerReferences: [...ownerReferences, owner] },
    };
    const { metadata } = await server.create(configMaps, sent);
    expect(metadata.ownerReferences).toEqual(ownerReferences);
  });
});
