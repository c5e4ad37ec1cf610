import { expect, test } from 'vitest';
import { ConsistencyError, ConsistencyStore } from './consistency-store.ts';

function storeAt(versions: Record<string, string>): ConsistencyStore {
  return new ConsistencyStore(
    Object.fromEntries(Object.keys(versions).map((resource) => [resource, () => versions[resource] ?? ''])),
  );
}

test('is ready without writes, and once each cache has reached the written version', () => {
  const versions = { pods: '9', replicasets: '12' };
  const store = storeAt(versions);
  store.ensureReady('web');
  store.wroteAt('web', 'pods', '10');
  store.wroteAt('web', 'replicasets', '11');
  expect(() => store.ensureReady('web')).toThrow(ConsistencyError);
  store.ensureReady('shop');
  versions.pods = '10';
  store.ensureReady('web');
});

test('names the cache that is behind, in the format of Kubernetes', () => {
  const store = storeAt({ pods: '9' });
  store.wroteAt('web', 'pods', '10');
  expect(() => store.ensureReady('web')).toThrow(
    'read version: 9 is not as new as written version: 10 for group resource pods',
  );
});

test('compares with the newest written version, whatever the order of the writes', () => {
  const store = storeAt({ pods: '99' });
  store.wroteAt('web', 'pods', '100');
  store.wroteAt('web', 'pods', '98');
  expect(() => store.ensureReady('web')).toThrow(ConsistencyError);
});

test('treats a cache without a version as ready, and clears the record of an owner', () => {
  const versions = { pods: '' };
  const store = storeAt(versions);
  store.wroteAt('web', 'pods', '10');
  store.ensureReady('web');
  versions.pods = '9';
  store.wroteAt('web', 'pods', '10');
  store.clear('web');
  store.ensureReady('web');
});
