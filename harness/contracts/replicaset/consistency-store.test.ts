import { expect, test } from 'vitest';
import { ConsistencyError, ConsistencyStore } from './consistency-store.ts';

function storeAt(versions: Record<string, string>): ConsistencyStore {
  return new ConsistencyStore(
    Object.fromEntries(Object.keys(versions).map((resource) => [resource, () => versions[resource] ?? ''])),
  );
}

test('is ready for what was never written, and once each cache has come as far as what was written', () => {
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

test('says in the words of Kubernetes which cache is behind', () => {
  const store = storeAt({ pods: '9' });
  store.wroteAt('web', 'pods', '10');
  expect(() => store.ensureReady('web')).toThrow(
    'read version: 9 is not as new as written version: 10 for group resource pods',
  );
});

test('goes by the newest version that was written, in whatever order', () => {
  const store = storeAt({ pods: '99' });
  store.wroteAt('web', 'pods', '100');
  store.wroteAt('web', 'pods', '98');
  expect(() => store.ensureReady('web')).toThrow(ConsistencyError);
});

test('takes a cache that does not know its version for ready, and forgets what it is told to forget', () => {
  const versions = { pods: '' };
  const store = storeAt(versions);
  store.wroteAt('web', 'pods', '10');
  store.ensureReady('web');
  versions.pods = '9';
  store.wroteAt('web', 'pods', '10');
  store.clear('web');
  store.ensureReady('web');
});
