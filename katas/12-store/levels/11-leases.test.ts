import { describe, expect, test } from 'vitest';
import { MemoryLog } from '#given/12-store';
import { named, Simulation, vectors } from '#harness/testing';
import { newKeyValueStore } from '#kata/12-store/store';
import { type Expected, errorOf, rowsOf, type Steps } from './steps.fixture.ts';
import { messagesIn, openStore, Reader } from './streams.fixture.ts';

/** Opens a store with the keys `a` and `b` on a lease of a minute, and `c` without one. */
async function leased() {
  const sim = new Simulation();
  const log = new MemoryLog();
  const opened = await openStore(newKeyValueStore, { log, sim });
  const { store } = opened;
  const { id } = await store.grantLease(60);
  await store.transact({
    then: ['a', 'b'].map((key) => ({ put: { key, value: '1', lease: id } })),
  });
  await opened.put('c', '1');
  return { ...opened, sim, log, id };
}

const keysOf = async ({ store }: Pick<Awaited<ReturnType<typeof openStore>>, 'store'>): Promise<string> => {
  const { kvs, revision } = await store.range({ key: 'a', end: 'z' });
  return `${kvs.map(({ key }) => key).join(' ')}, at ${revision}`;
};

describe('Level 11 ★ · Leases', () => {
  test('A lease has an id and its seconds, and no revision', async () => {
    const { store } = await openStore(newKeyValueStore);
    const [one, other] = [await store.grantLease(60), await store.grantLease(5)];
    expect([one.seconds, other.seconds]).toEqual([60, 5]);
    expect(one.id).not.toBe(other.id);
    expect((await store.range({ key: 'a' })).revision).toBe(1);
  });

  test('A revoked lease deletes its keys in one revision', async () => {
    const opened = await leased();
    const watch = new Reader(opened.store.watch({ key: 'a', end: 'z' }));
    await opened.store.revokeLease(opened.id);
    expect(await keysOf(opened)).toBe('c, at 4');
    expect(messagesIn(await watch.read())).toEqual(['delete a @4 before 1, delete b @4 before 1']);
  });

  test('A lease without keys ends without a revision', async () => {
    const { store } = await openStore(newKeyValueStore);
    await store.revokeLease((await store.grantLease(60)).id);
    expect((await store.range({ key: 'a' })).revision).toBe(1);
  });

  test('A lease that does not exist cannot be revoked', async () => {
    const { store, id } = await leased();
    await store.revokeLease(id);
    expect(await store.revokeLease(id).catch(errorOf)).toBe('etcdserver: requested lease not found');
  });

  test('A lease expires after its time', async () => {
    const opened = await leased();
    await opened.sim.run({ forMs: 59_999 });
    expect(await keysOf(opened)).toBe('a b c, at 3');
    await opened.sim.run({ forMs: 1 });
    expect(await keysOf(opened)).toBe('c, at 4');
    expect(await opened.store.revokeLease(opened.id).catch(errorOf)).toBe(
      'etcdserver: requested lease not found',
    );
  });

  test('A lease that was revoked does not expire again', async () => {
    const opened = await leased();
    await opened.store.revokeLease(opened.id);
    const { id } = await opened.store.grantLease(600);
    await opened.store.transact({ then: [{ put: { key: 'a', value: '2', lease: id } }] });
    await opened.sim.run({ forMs: 60_000 });
    expect(await keysOf(opened)).toBe('a c, at 5');
  });

  test('After a restart, the time of a lease starts again', async () => {
    const first = await leased();
    await first.sim.run({ forMs: 50_000 });
    first.crash();
    const second = await openStore(newKeyValueStore, first);
    await first.sim.run({ forMs: 59_999 });
    expect(await keysOf(second)).toBe('a b c, at 3');
    await first.sim.run({ forMs: 1 });
    expect(await keysOf(second)).toBe('c, at 4');
  });

  test('After a restart, an ended lease stays ended', async () => {
    const first = await leased();
    await first.store.revokeLease(first.id);
    first.crash();
    const second = await openStore(newKeyValueStore, first);
    expect(await keysOf(second)).toBe('c, at 4');
    expect((await second.store.grantLease(60)).id, 'an id is not used twice').not.toBe(first.id);
  });

  test('A crashed store lets no lease expire', async () => {
    const { sim, crash, log } = await leased();
    crash();
    const { text } = log;
    await sim.run({ forMs: 60_000 });
    expect(log.text).toBe(text);
  });

  test.each(named(vectors<Steps, Expected>('etcd-kv', 'lease', 2)))('As etcd: %s', async (_, row) => {
    const { store } = await openStore(newKeyValueStore);
    const ids = new Map<string, string>();
    for (const { put, value = '', lease = '', grant, ttl = 0, revoke } of row.input.steps) {
      if (grant) ids.set(grant, (await store.grantLease(ttl)).id);
      if (revoke) await store.revokeLease(ids.get(revoke) ?? '');
      const id = ids.get(lease);
      if (put) await store.transact({ then: [{ put: { key: put, value, ...(id && { lease: id }) } }] });
    }
    const { revision, kvs } = await store.range({ key: 'a', end: 'z' });
    expect({ revision, kv: rowsOf(kvs) }).toEqual(row.expect);
  });
});
