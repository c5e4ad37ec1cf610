import { describe, expect, test } from 'vitest';
import { MemoryLog, seal } from '#given/12-store';
import { soFar } from '#harness/testing';
import { Journal, newKeyValueStore, recover } from '#kata/12-store/store';
import { errorOf } from './steps.fixture.ts';
import { messagesIn, openStore, Reader, SlowLog } from './streams.fixture.ts';

/** A journal of texts, on a log whose syncs wait. */
function slowJournal() {
  const log = new SlowLog();
  log.isSlow = true;
  const flushes: string[] = [];
  const journal = new Journal<string>(log, () => {
    flushes.push('begins');
    return () => flushes.push('ends');
  });
  return { log, journal, flushes };
}

const lines = (...records: readonly string[]): string =>
  records.map((record) => seal(JSON.stringify(record))).join('');

/** Returns the records that a log still has, and the log. */
async function recovered(text: string) {
  const log = new SlowLog(text);
  const records: string[] = [];
  await recover<string>(log, (record) => records.push(record));
  return { log, records };
}

describe('Level 6 · A log on a disk', () => {
  test('A journal without records is safe', async () => {
    const { journal, log } = slowJournal();
    expect(await soFar(journal.safe().then(() => 'safe'))).toBe('safe');
    expect(log.text).toBe('');
  });

  test('Records are safe when the log has synced them', async () => {
    const { journal, log } = slowJournal();
    journal.add('a');
    journal.add('b');
    const safe = journal.safe().then(() => 'safe');
    expect(await soFar(safe), 'the sync has not ended').toBe('waits');
    expect(log.calls, 'calls of the log').toEqual(['append 2', 'sync']);
    log.release();
    expect(await soFar(safe)).toBe('safe');
    expect(log.safeText).toBe(lines('a', 'b'));
  });

  test('Records that come during a flush share the next one', async () => {
    const { journal, log } = slowJournal();
    const settled: string[] = [];
    const add = (record: string) => {
      journal.add(record);
      return journal.safe().then(() => settled.push(record));
    };
    const all = Promise.all([add('a')]);
    await soFar(all);
    const later = Promise.all([add('b'), add('c')]);
    expect(await soFar(later)).toBe('waits');
    expect(log.calls, 'one flush at a time').toEqual(['append 1', 'sync']);
    log.release();
    expect(await soFar(later)).toBe('waits');
    expect(settled).toEqual(['a']);
    log.release();
    await soFar(later);
    expect(settled).toEqual(['a', 'b', 'c']);
    expect(log.calls).toEqual(['append 1', 'sync', 'append 2', 'sync']);
    expect(log.text).toBe(lines('a', 'b', 'c'));
  });

  test('A flush reports its begin, and its end when the disk has everything', async () => {
    const { journal, log, flushes } = slowJournal();
    journal.add('a');
    const safe = journal.safe();
    await soFar(safe);
    expect(flushes).toEqual(['begins']);
    log.release();
    await soFar(safe);
    expect(flushes).toEqual(['begins', 'ends']);
  });

  test('After an error of the log, nothing is safe any more', async () => {
    const { journal, log, flushes } = slowJournal();
    log.isSlow = false;
    log.fail(new Error('input/output error'));
    journal.add('a');
    expect(await journal.safe().catch(errorOf)).toBe('input/output error');
    expect(await journal.safe().catch(errorOf)).toBe('input/output error');
    expect(flushes).toEqual(['begins']);
  });

  test.each([
    ['an empty log', '', []],
    ['a whole log', lines('a', 'b'), ['a', 'b']],
    ['a log without its last character', lines('a', 'b').slice(0, -1), ['a']],
    ['a log that ends in a line', lines('a', 'b').slice(0, -5), ['a']],
    ['a log with a torn line', `${lines('a')}${lines('b').replace('b', '#')}`, ['a']],
    ['a log with a torn line before others', `${lines('a')}#\n${lines('b')}`, ['a']],
    ['a log that begins torn', `#${lines('a')}`, []],
  ])('From %s, the records up to the damage return', async (_, text, expected) => {
    const { log, records } = await recovered(text);
    expect(records, 'replayed records').toEqual(expected);
    expect(log.text, 'the damage would hide later records').toBe(lines(...expected));
  });

  test('Recovered records are on disk', async () => {
    const { log } = await recovered(lines('a', 'b'));
    expect(log.safeText, 'the crashed process may have appended them without a sync').toBe(lines('a', 'b'));
  });

  test('A store that opens again has everything that it answered', async () => {
    const log = new MemoryLog();
    const first = await openStore(newKeyValueStore, { log });
    await first.put('a', '1');
    await first.put('a', '2');
    await first.store.compact(3);
    first.crash();
    const { store } = await openStore(newKeyValueStore, { log });
    expect(await store.range({ key: 'a' })).toEqual({
      revision: 3,
      kvs: [{ key: 'a', value: '2', createRevision: 2, modRevision: 3, version: 2 }],
      more: false,
      count: 1,
    });
    expect(await store.range({ key: 'a', revision: 2 }).catch(errorOf)).toBe(
      'etcdserver: mvcc: required revision has been compacted',
    );
  });

  test('Damage at the end of a log does not hide what is written after it', async () => {
    const log = new MemoryLog();
    const first = await openStore(newKeyValueStore, { log });
    await first.put('a', '1');
    first.crash();
    await log.append('{"changes":');
    const second = await openStore(newKeyValueStore, { log });
    await second.put('b', '1');
    second.crash();
    const { store } = await openStore(newKeyValueStore, { log });
    expect((await store.range({ key: 'a', end: 'z' })).kvs.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('A write and a read of it are answered when the write is on disk', async () => {
    const log = new SlowLog();
    const { store, put } = await openStore(newKeyValueStore, { log });
    log.isSlow = true;
    const written = put('a', '1');
    const read = store.range({ key: 'a' }).then(({ count }) => count);
    const watch = new Reader(store.watch({ key: 'a', startRevision: 2 }));
    expect([await soFar(written), await soFar(read)]).toEqual(['waits', 'waits']);
    expect(await watch.read(), 'a crash could undo the change').toEqual([]);
    log.release();
    expect([await soFar(written), await soFar(read)]).toEqual([2, 1]);
    expect(messagesIn(await watch.read())).toEqual(['put a=1 @2']);
  });

  test('After a crash, a store answers nothing, and its watches end', async () => {
    const { store, put, crash } = await openStore(newKeyValueStore);
    const watch = new Reader(store.watch({ key: 'a' }));
    crash();
    expect(await soFar(put('a', '1'))).toBe('waits');
    expect(await watch.read()).toEqual([]);
    expect(watch.ended).toBe(true);
  });
});
