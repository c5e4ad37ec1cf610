import { describe, expect, test } from 'vitest';
import { named, vectors } from '#harness/testing';
import { Indexer, metaNamespaceKeyFunc } from '#kata/21-informer/informer';
import { configMap } from '#laws/21-informer';
import { byName, type Thing } from './thing.fixture.ts';

const namesOf = (things: readonly Thing[]): string[] => things.map(byName).sort();

describe('Level 1 · The cache', () => {
  const red = { name: 'apple', tags: ['red'] };
  const green = { name: 'leek', tags: ['green', 'white'] };

  test('keys an object by namespace and name, or by name alone', () => {
    expect(metaNamespaceKeyFunc(configMap('web', '1'))).toBe('default/web');
    const { metadata, ...rest } = configMap('node-1', '1');
    const { namespace, ...clusterScoped } = metadata;
    expect(metaNamespaceKeyFunc({ ...rest, metadata: clusterScoped })).toBe('node-1');
  });

  test('gives back by its key what was added, and the newest of it', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add({ name: 'a', val: 1 });
    expect(indexer.getByKey('a')).toEqual({ name: 'a', val: 1 });
    indexer.update({ name: 'a', val: 2 });
    expect(indexer.getByKey('a')).toEqual({ name: 'a', val: 2 });
    expect(indexer.getByKey('b')).toBeUndefined();
  });

  test('lists all objects and all keys', () => {
    const indexer = new Indexer<Thing>(byName);
    for (const thing of [red, green]) indexer.add(thing);
    expect(namesOf(indexer.list())).toEqual(['apple', 'leek']);
    expect(indexer.listKeys().sort()).toEqual(['apple', 'leek']);
  });

  test('forgets what is deleted, and does not mind what it never knew', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add(red);
    indexer.delete('apple');
    indexer.delete('nobody');
    expect(indexer.getByKey('apple')).toBeUndefined();
    expect(indexer.list()).toEqual([]);
  });

  test('is not changed by what the caller does with a list', () => {
    const indexer = new Indexer<Thing>(byName);
    indexer.add(red);
    indexer.list().pop();
    indexer.listKeys().pop();
    expect(namesOf(indexer.list())).toEqual(['apple']);
  });

  test('finds objects by every value that an index function gives', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    for (const thing of [red, green, { name: 'stone' }]) indexer.add(thing);
    expect(indexer.byIndex('colour', 'red')).toEqual([red]);
    expect(indexer.byIndex('colour', 'white')).toEqual([green]);
    expect(indexer.indexKeys('colour', 'green')).toEqual(['leek']);
    expect(indexer.byIndex('colour', 'blue')).toEqual([]);
  });

  test('moves an object in its indexes when it changes', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    indexer.add(red);
    indexer.update({ name: 'apple', tags: ['green'] });
    expect(indexer.byIndex('colour', 'red')).toEqual([]);
    expect(indexer.indexKeys('colour', 'green')).toEqual(['apple']);
  });

  test('refuses to look into an index that there is not, and names it', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    expect(() => indexer.byIndex('size', 'big')).toThrow(/size/);
    expect(() => indexer.indexKeys('size', 'big')).toThrow(/size/);
  });

  test('holds exactly the new list after a replace, in the indexes, too', () => {
    const indexer = new Indexer<Thing>(byName, { colour: ({ tags = [] }) => tags });
    indexer.add(red);
    indexer.add({ name: 'leek', tags: ['red'] });
    indexer.replace([green]);
    expect(indexer.list()).toEqual([green]);
    expect(indexer.byIndex('colour', 'red')).toEqual([]);
    expect(indexer.byIndex('colour', 'green')).toEqual([green]);
  });

  interface IndexInput {
    readonly objects: Record<string, string[]>;
    readonly lookups: string[];
    readonly thenDelete: string;
  }
  interface IndexExpect {
    readonly byIndex: Record<string, string[]>;
    readonly afterDelete: Record<string, string[]>;
  }
  test.each(named(vectors<IndexInput, IndexExpect>('informer', 'index', 1)))(
    'agrees with client-go: %s',
    (_, row) => {
      const indexer = new Indexer<Thing>(byName, { tag: ({ tags = [] }) => tags });
      for (const [name, tags] of Object.entries(row.input.objects)) indexer.add({ name, tags });
      for (const [tag, expected] of Object.entries(row.expect.byIndex)) {
        expect(namesOf(indexer.byIndex('tag', tag)), tag).toEqual([...expected].sort());
      }
      indexer.delete(row.input.thenDelete);
      for (const [tag, expected] of Object.entries(row.expect.afterDelete)) {
        expect(namesOf(indexer.byIndex('tag', tag)), tag).toEqual([...expected].sort());
      }
    },
  );
});
