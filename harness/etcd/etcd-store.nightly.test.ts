import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyWatch, WatchResponse } from '../contracts/store/index.ts';
import { type Etcd, etcdVersion, NO_ETCD, startEtcd } from './etcd.ts';
import { EtcdStore } from './etcd-store.ts';

const version = etcdVersion();

describe.skipIf(!version)(version ? `A store in etcd ${version}` : `A store in etcd: ${NO_ETCD}`, () => {
  let etcd: Etcd;
  let store: EtcdStore;
  beforeAll(async () => {
    etcd = await startEtcd();
    store = new EtcdStore(etcd.url);
  });
  afterAll(async () => {
    store.close();
    await etcd[Symbol.asyncDispose]();
  });

  /** Writes a key. Returns the revision of the write. */
  const put = async (key: string, value: string, lease?: string): Promise<number> => {
    const write = { put: { key, value, ...(lease !== undefined && { lease }) } };
    return (await store.transact({ then: [write] })).revision;
  };

  test('counts revisions, and the writes of a key', async () => {
    const first = await put('/counted', '1');
    const second = await put('/counted', 'zwölf');
    expect(second).toBe(first + 1);
    expect(await store.range({ key: '/counted' })).toEqual({
      revision: second,
      kvs: [{ key: '/counted', value: 'zwölf', createRevision: first, modRevision: second, version: 2 }],
      more: false,
      count: 1,
    });
  });

  test('runs one branch of a transaction', async () => {
    const revision = await put('/branched', '1');
    const answer = await store.transact({
      compare: [{ key: '/branched', target: 'modRevision', is: '=', to: revision - 1 }],
      then: [{ delete: { key: '/branched' } }],
      otherwise: [{ range: { key: '/branched' } }],
    });
    expect(answer).toMatchObject({
      revision,
      succeeded: false,
      results: [{ range: { revision, kvs: [{ value: '1' }] } }],
    });
    const three = await store.transact({
      compare: [{ key: '/branched', target: 'value', is: '=', to: '1' }],
      then: [
        { put: { key: '/other', value: '' } },
        { delete: { key: '/branched' } },
        { range: { key: '/other' } },
      ],
    });
    expect(three).toMatchObject({
      revision: revision + 1,
      succeeded: true,
      results: [{ put: {} }, { deleted: 1 }, { range: { count: 1 } }],
    });
  });

  test('limits a range, and reads the past', async () => {
    const revision = await put('/range/a', '1');
    await put('/range/b', '1');
    const range = { key: '/range/', end: '/range0' };
    expect(await store.range({ ...range, limit: 1 })).toMatchObject({
      kvs: [{ key: '/range/a' }],
      more: true,
      count: 2,
    });
    expect(await store.range({ ...range, revision })).toMatchObject({ revision: revision + 1, count: 1 });
  });

  test('refuses in its own words', async () => {
    const revision = await put('/refused', '1');
    const write = { put: { key: '/refused', value: '' } };
    await expect(store.range({ key: '/', revision: revision + 1 })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'FutureRevision',
    });
    await expect(store.transact({ then: [write, write] })).rejects.toMatchObject({ code: 'DuplicateKey' });
    await expect(put('/refused', '2', '77')).rejects.toMatchObject({ code: 'LeaseNotFound' });
    await expect(store.revokeLease('77')).rejects.toMatchObject({ code: 'LeaseNotFound' });
    await store.compact(revision);
    await expect(store.compact(revision)).rejects.toMatchObject({ code: 'Compacted' });
    await expect(store.range({ key: '/', revision: revision - 1 })).rejects.toMatchObject({
      code: 'Compacted',
    });
  });

  test('sends each change once, and its progress on request', async () => {
    const startRevision = await put('/watched', '1');
    const watch = store.watch({ key: '/watched', startRevision });
    const next = reader(watch);
    expect(await next()).toEqual({
      revision: startRevision,
      events: [{ type: 'PUT', kv: expect.objectContaining({ value: '1', version: 1 }) }],
    });
    const revision = await put('/elsewhere', '');
    watch.requestProgress();
    expect(await next()).toEqual({ revision, events: [] });
    await store.transact({ then: [{ delete: { key: '/watched' } }] });
    expect(await next()).toMatchObject({
      events: [
        {
          type: 'DELETE',
          kv: { key: '/watched', modRevision: revision + 1 },
          previous: { value: '1', modRevision: startRevision },
        },
      ],
    });
    watch.stop();
    expect(await next()).toBeUndefined();
  });

  test('ends a watch that starts in the compacted past', async () => {
    const revision = await put('/watched', '2');
    await store.compact(revision);
    const next = reader(store.watch({ key: '/watched', startRevision: 1 }));
    expect(await next()).toEqual({ revision, events: [], compactRevision: revision });
    expect(await next()).toBeUndefined();
  });

  test('deletes the keys of a lease that ends', async () => {
    const { id } = await store.grantLease(60);
    await put('/leased', '1', id);
    expect((await store.range({ key: '/leased' })).kvs).toMatchObject([{ lease: id }]);
    await store.revokeLease(id);
    expect(await store.range({ key: '/leased' })).toMatchObject({ count: 0 });
  });

  test('names the connection that fails', async () => {
    const nobody = new EtcdStore('http://127.0.0.1:1');
    await expect(nobody.range({ key: '/' })).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
    expect(await reader(nobody.watch({ key: '/' }))()).toBeUndefined();
    nobody.close();
  });
});

/** Returns a function that reads the next message; undefined after the end. */
function reader(watch: KeyWatch): () => Promise<WatchResponse | undefined> {
  const iterator = watch[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await iterator.next();
    return done ? undefined : value;
  };
}
