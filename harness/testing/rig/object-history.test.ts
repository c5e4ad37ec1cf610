import { describe, expect, test } from 'vitest';
import { configMaps } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { ObjectHistories } from './object-history.ts';

const key = { namespace: 'default', name: 'a' };

/** Records a history of `a`: created at 10 ms, changed at 20 and 30 ms, deleted at 40 and recreated at 50 ms. */
async function lived() {
  await using cluster = await createCluster();
  const { admin, journal } = cluster;
  const put = (text: string) =>
    admin.update(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { text } });
  const create = (text: string) => admin.create(configMaps, { metadata: key, data: { text } });
  const acts = [
    () => create('one'),
    () => put('two'),
    () => put('three'),
    () => admin.delete(configMaps, key),
  ];
  for (const act of [...acts, () => create('four')]) {
    await cluster.runFor(10);
    await act();
  }
  return journal.of(configMaps).filter(({ key: at }) => at === 'default/a');
}

const entries = await lived();
const [created = 0, second = 0, third = 0, deleted = 0, again = 0] = entries.map(({ revision }) => revision);
const text = (object: (typeof entries)[number]['object'] | undefined) => object?.data?.text ?? 'nothing';

describe('The history of an object', () => {
  const past = new ObjectHistories(entries);
  const [first] = past.all;
  if (!first) throw new Error('There is no object.');

  test('ends with its deletion: a recreated name is a new object', () => {
    expect(past.all.map(({ last }) => text(last))).toEqual(['three', 'four']);
    expect(past.all.map(({ end }) => end?.revision)).toEqual([deleted, undefined]);
    expect(past.all.map(({ id }) => id)).toEqual(past.all.map(({ last }) => last.metadata.uid));
  });

  test('continues under the name if objects are identified by name', () => {
    const byName = new ObjectHistories(entries, ({ metadata }) => metadata.name);
    expect(byName.all).toHaveLength(1);
    expect(byName.between('a', third, again).map(text)).toEqual(['three', 'nothing', 'four']);
  });

  test('returns the state after a revision, and at a time', () => {
    expect([created - 1, created, second, deleted].map((revision) => text(first.at(revision)))).toEqual([
      'nothing',
      'one',
      'two',
      'nothing',
    ]);
    expect([9, 10, 29, 30, 40].map((atMs) => text(first.atMs(atMs)))).toEqual([
      'nothing',
      'one',
      'two',
      'three',
      'nothing',
    ]);
    expect(first.duringMs(15, 30).map(text)).toEqual(['one', 'two', 'three']);
  });

  test('returns every version that a client synced to a revision may still see', () => {
    expect(first.between(0, second).map(text)).toEqual(['nothing', 'one', 'two']);
    expect(first.between(second, third).map(text)).toEqual(['two', 'three']);
    expect(first.between(third, again).map(text)).toEqual(['three', 'nothing']);
    expect(first.statesBetween(third, again).map(text)).toEqual(['three']);
    expect(past.between('never', 0, again)).toEqual([undefined]);
  });

  test('says whether the object existed the whole time', () => {
    expect(first.wasThere(created, third)).toBe(true);
    expect(first.wasThere(created - 1, third)).toBe(false);
    expect(first.wasThere(created, deleted)).toBe(false);
  });

  test('returns all objects at a revision', () => {
    expect(past.allAt(second).map(text)).toEqual(['two']);
    expect(past.allAt(deleted)).toEqual([]);
    expect(past.of(undefined)).toBeUndefined();
  });
});
