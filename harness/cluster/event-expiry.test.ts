import { expect, test } from 'vitest';
import { events } from '../api/resource.ts';
import { createCluster } from './cluster.ts';

const MINUTE_MS = 60_000;
const event = (name: string) => ({
  metadata: { namespace: 'default', name },
  involvedObject: { namespace: 'default', name: 'web' },
});

test('An Event expires an hour after its last write, and is removed within the next minute', async () => {
  await using cluster = await createCluster();
  const names = async () => (await cluster.admin.list(events)).items.map(({ metadata }) => metadata.name);
  await cluster.runFor(1_000);
  await cluster.admin.create(events, event('a'));
  const b = await cluster.admin.create(events, event('b'));
  await cluster.runFor(30 * MINUTE_MS);
  await cluster.admin.update(events, { ...b, count: 2 });
  await cluster.runFor(30 * MINUTE_MS - 1_000);
  expect(await names()).toEqual(['a', 'b']);
  await cluster.runFor(MINUTE_MS);
  expect(await names()).toEqual(['b']);
  await cluster.runFor(30 * MINUTE_MS);
  expect(await names()).toEqual([]);
});

test('A recreated Event has its own hour', async () => {
  await using cluster = await createCluster();
  await cluster.admin.create(events, event('a'));
  await cluster.runFor(30 * MINUTE_MS);
  await cluster.admin.delete(events, event('a').metadata);
  await cluster.admin.create(events, event('a'));
  await cluster.runFor(45 * MINUTE_MS);
  expect((await cluster.admin.list(events)).items).toHaveLength(1);
});
