import { expect, test } from 'vitest';
import { groupResource, nodes, services } from '../../api/resource.ts';
import { kinds } from '../kinds/index.ts';
import { Places } from './places.ts';
import { storedUnder, storeKey } from './store-keys.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 test/integration/etcd/data.go GetEtcdStorageDataForNamespaceServedAt */
const OTHERS: Readonly<Record<string, string>> = {
  'customresourcedefinitions.apiextensions.k8s.io': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiservices.apiregistration.k8s.io': 'apiregistration.k8s.io/apiservices',
  'ingresses.networking.k8s.io': 'ingress',
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  services: 'services/specs',
  nodes: 'minions',
};

test('The keys of built-in resources have the plural, except for seven', () => {
  for (const { resource } of kinds) {
    expect(storedUnder(resource)).toBe(OTHERS[groupResource(resource)] ?? resource.plural);
  }
});

test('A key leads to its object, and no other text does', () => {
  const places = new Places(kinds);
  for (const { resource, conversion, answer } of kinds) {
    if (conversion || answer) continue;
    const key = resource.namespaced ? { namespace: 'a', name: 'b' } : { name: 'b' };
    expect(places.find(storeKey(resource, key))).toEqual({ resource, key });
  }
  expect(storeKey(nodes, { name: 'node-1' })).toBe('/registry/minions/node-1');
  expect(storeKey(services, { namespace: 'a', name: 'b' })).toBe('/registry/services/specs/a/b');
  for (const other of [
    '/registry/pods/a',
    '/registry/pods/a/b/c',
    '/registry/pods/a/',
    '/registry/nodes/a',
    '/pods/a/b',
  ])
    expect(places.find(other)).toBeUndefined();
});
