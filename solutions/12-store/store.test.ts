import { expect, test } from 'vitest';
import { MemoryLog, prefixRange } from '#given/12-store';
import { newKeyValueStore } from '#kata/12-store/store';

const clock = { now: () => 0, after: () => () => {} };

test('A store that opens again has everything that it answered', async () => {
  const log = new MemoryLog();
  const process = new AbortController();
  const first = await newKeyValueStore({ clock, log, signal: process.signal });
  await first.transact({ then: [{ put: { key: 'p/a', value: '1' } }, { put: { key: 'p/b', value: '1' } }] });
  await first.transact({ then: [{ delete: { key: 'p/a' } }] });
  process.abort();
  const second = await newKeyValueStore({ clock, log, signal: new AbortController().signal });
  expect(await second.range(prefixRange('p/'))).toEqual({
    revision: 3,
    kvs: [{ key: 'p/b', value: '1', createRevision: 2, modRevision: 2, version: 1 }],
    more: false,
    count: 1,
  });
  expect((await second.range({ ...prefixRange('p/'), revision: 2 })).count).toBe(2);
});
