import { expect, test } from 'vitest';
import { MemoryLog, prefixRange } from '#given/12-store';
import type { KubeObject } from '#harness';
import { Simulation, soFar } from '#harness/testing';
import { newKeyValueStore, newObjectStore } from '#kata/12-store/store';

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

test('Objects are written, listed, watched, paged and removed', async () => {
  const sim = new Simulation();
  const store = await newKeyValueStore({
    clock: sim.clock,
    log: new MemoryLog(),
    signal: new AbortController().signal,
  });
  const objects = newObjectStore({
    store,
    resource: { plural: 'configmaps', kind: 'ConfigMap', apiVersion: 'v1' },
    prefix: '/registry/configmaps/',
    clock: sim.clock,
    signal: new AbortController().signal,
  });
  const map = (name: string) =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns', uid: name } }) as KubeObject;
  for (const name of ['c', 'a', 'b']) await objects.create(map(name));
  const { items, metadata } = await objects.list({ limit: 2 });
  expect(items.map((each) => each.metadata.name)).toEqual(['a', 'b']);
  expect(metadata).toMatchObject({ resourceVersion: '4', remainingItemCount: 1 });
  const watch = await objects.watch({ resourceVersion: '4' });
  const place = { namespace: 'ns', name: 'a' };
  const label = (object: KubeObject) => ({ ...object, metadata: { ...object.metadata, labels: { x: 'y' } } });
  expect((await objects.update(place, label)).metadata.resourceVersion).toBe('5');
  expect((await objects.update(place, label)).metadata.resourceVersion).toBe('5');
  expect((await objects.delete(place, { uid: 'a' })).metadata.resourceVersion).toBe('6');
  const rest = await objects.list({ continue: metadata.continue as string });
  expect(rest.items.map((each) => each.metadata.name)).toEqual(['c']);
  const events: string[] = [];
  for await (const { type, object } of watch) {
    events.push(`${type} ${(object as KubeObject).metadata.resourceVersion}`);
    if (events.length === 2) break;
  }
  expect(events).toEqual(['MODIFIED 5', 'DELETED 6']);
  const late = objects.get(place, { resourceVersion: '9' }).catch((error: Error) => error.message);
  await sim.run({ forMs: 2_999 });
  expect(await soFar(late, sim)).toBe('waits');
  await sim.run({ forMs: 1 });
  expect(await soFar(late, sim)).toBe('Timeout: Too large resource version: 9, current: 6');
});
