import { describe, expect, test } from 'vitest';
import { freezeObject } from '../../api/freeze.ts';
import type { ConfigMap } from '../../api/objects.ts';
import { named, vectors } from '../../testing/vectors.ts';
import { DeletedFinalStateUnknown, type IndexFunc } from '../informer.ts';
import { type CacheIndex, Indexer, metaNamespaceKeyFunc } from './indexer.ts';

/** An object without a namespace, written `name@version`. */
function object(nameAtVersion: string, namespace?: string): ConfigMap {
  const [name = '', resourceVersion = ''] = nameAtVersion.split('@');
  const scope = namespace === undefined ? {} : { namespace };
  const metadata = { name, ...scope, uid: name, resourceVersion, creationTimestamp: '2024-04-17T00:00:00Z' };
  return freezeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

const written = ({ metadata }: ConfigMap): string => `${metadata.name}@${metadata.resourceVersion}`;
const contents = (indexer: Indexer<ConfigMap>): string[] => indexer.list().map(written).sort();
const withoutIndex = (): Indexer<ConfigMap> => new Indexer<ConfigMap>({}, (indexFunc) => new Scan(indexFunc));

/** An index that scans all objects, and records its updates. */
class Scan implements CacheIndex<ConfigMap> {
  readonly told: string[] = [];
  readonly #indexFunc: IndexFunc<ConfigMap>;
  readonly #objects = new Map<string, ConfigMap>();

  constructor(indexFunc: IndexFunc<ConfigMap>) {
    this.#indexFunc = indexFunc;
  }

  update(key: string, previous: ConfigMap | undefined, current: ConfigMap | undefined): void {
    const of = (each: ConfigMap | undefined): string => (each ? written(each) : 'none');
    this.told.push(`${key}: ${of(previous)} to ${of(current)}`);
    if (current) this.#objects.set(key, current);
    else this.#objects.delete(key);
  }

  keys(value: string): readonly string[] {
    const found = [...this.#objects].filter(([, each]) => this.#indexFunc(each).includes(value));
    return found.map(([key]) => key);
  }
}

/**
 * Creates an indexer with an index by version and an index by the first letter of the name. Returns it with the
 * indexes, in this order.
 */
function indexed() {
  const scans: Scan[] = [];
  const indexer = new Indexer<ConfigMap>(
    {
      version: ({ metadata }) => [metadata.resourceVersion],
      letter: ({ metadata }) => [metadata.name.slice(0, 1)],
    },
    (indexFunc) => {
      const scan = new Scan(indexFunc);
      scans.push(scan);
      return scan;
    },
  );
  return { indexer, scans };
}

describe('An indexer', () => {
  test('keys an object by namespace and name, or by name alone', () => {
    expect(metaNamespaceKeyFunc(object('web@1', 'default'))).toBe('default/web');
    expect(metaNamespaceKeyFunc(object('node-1@1'))).toBe('node-1');
  });

  test('returns the newest object of a key', () => {
    const indexer = withoutIndex();
    expect(indexer.getByKey('a')).toBeUndefined();
    indexer.update(object('a@1'));
    indexer.update(object('a@2'));
    expect(indexer.getByKey('a')).toEqual(object('a@2'));
    expect(contents(indexer)).toEqual(['a@2']);
  });

  test('removes a deleted object, and ignores the deletion of an unknown object', () => {
    const indexer = withoutIndex();
    for (const each of ['a@1', 'b@2']) indexer.update(object(each));
    indexer.delete(object('a@3'));
    indexer.delete(object('c@4'));
    expect(contents(indexer)).toEqual(['b@2']);
    expect(indexer.listKeys()).toEqual(['b']);
    expect(indexer.getByKey('a')).toBeUndefined();
  });

  test('does not change when a caller changes a returned list', () => {
    const indexer = withoutIndex();
    indexer.update(object('a@1'));
    indexer.list().pop();
    indexer.listKeys().pop();
    expect(contents(indexer)).toEqual(['a@1']);
    expect(indexer.listKeys()).toEqual(['a']);
  });

  test('holds exactly the listed objects after a replace', () => {
    const indexer = withoutIndex();
    for (const each of ['a@1', 'b@2']) indexer.update(object(each));
    indexer.replace([object('b@4'), object('c@3')], '9');
    expect(contents(indexer)).toEqual(['b@4', 'c@3']);
    indexer.replace([], '10');
    expect(contents(indexer)).toEqual([]);
  });

  test('passes each index the object before and after each change', () => {
    const { indexer, scans } = indexed();
    indexer.update(object('a@1'));
    indexer.update(object('b@2'));
    indexer.update(object('a@3'));
    indexer.delete(object('b@4'));
    indexer.replace([object('c@5'), object('d@6')], '9');
    indexer.replace([object('d@6')], '10');
    indexer.delete(new DeletedFinalStateUnknown('d', object('d@6')));
    const told = [
      'a: none to a@1',
      'b: none to b@2',
      'a: a@1 to a@3',
      'b: b@2 to none',
      'a: a@3 to none',
      'c: none to c@5',
      'd: none to d@6',
      'c: c@5 to none',
      'd: d@6 to d@6',
      'd: d@6 to none',
    ];
    expect(scans.map((scan) => scan.told)).toEqual([told, told]);
  });

  test('finds the objects whose keys the index returns', () => {
    const { indexer } = indexed();
    for (const each of ['a1@7', 'a2@8', 'b@7']) indexer.update(object(each));
    const found = (name: string, value: string): string[] => indexer.byIndex(name, value).map(written).sort();
    expect(found('letter', 'a')).toEqual(['a1@7', 'a2@8']);
    expect(found('version', '7')).toEqual(['a1@7', 'b@7']);
    expect(found('version', '9')).toEqual([]);
  });

  test.each(['size', 'constructor'])('rejects an unknown index: %s', (name) => {
    const { indexer } = indexed();
    expect(() => indexer.byIndex(name, 'big')).toThrow(`there is no index named "${name}"`);
  });

  test('takes the version of a bookmark, and keeps its objects', () => {
    const indexer = withoutIndex();
    expect(indexer.lastStoreSyncResourceVersion()).toBe('');
    indexer.update(object('a@1'));
    indexer.bookmark('30');
    expect(indexer.lastStoreSyncResourceVersion()).toBe('30');
    expect(contents(indexer)).toEqual(['a@1']);
  });

  test('takes the version of a deletion, even of an unknown object', () => {
    const indexer = withoutIndex();
    indexer.delete(object('a@7'));
    expect(indexer.lastStoreSyncResourceVersion()).toBe('7');
  });

  interface KeyInput {
    readonly object: { readonly name: string; readonly namespace?: string };
    readonly tombstone?: string;
  }
  test.each(named(vectors<KeyInput, { key: string }>('informer', 'keyOf', 3)))(
    'keys objects as client-go does: %s',
    (_, { input, expect: { key } }) => {
      const kept = object(`${input.object.name}@1`, input.object.namespace);
      const indexer = withoutIndex();
      indexer.update(kept);
      expect(indexer.listKeys()).toEqual([key]);
      indexer.delete(
        input.tombstone === undefined ? kept : new DeletedFinalStateUnknown(input.tombstone, kept),
      );
      expect(indexer.listKeys()).toEqual([]);
    },
  );

  interface Step {
    readonly update?: string;
    readonly delete?: string;
    readonly tombstone?: string;
    readonly replace?: readonly string[];
    readonly at?: string;
  }
  function take(indexer: Indexer<ConfigMap>, step: Step): void {
    if (step.update) indexer.update(object(step.update));
    if (step.delete) indexer.delete(object(step.delete));
    if (step.tombstone) indexer.delete(new DeletedFinalStateUnknown(step.tombstone, object(step.tombstone)));
    if (step.replace) {
      const objects = step.replace.map((each) => object(each));
      indexer.replace(objects, step.at ?? '');
    }
  }

  type Listed = readonly { readonly after: number; readonly list: readonly string[] }[];
  test.each(named(vectors<{ steps: readonly Step[] }, Listed>('informer', 'store', 1)))(
    'agrees with client-go: %s',
    (_, { input, expect: listed }) => {
      const indexer = withoutIndex();
      for (const [i, step] of input.steps.entries()) {
        take(indexer, step);
        const list = listed.find(({ after }) => after === i + 1)?.list;
        if (list) expect(contents(indexer), `after step ${i + 1}`).toEqual(list);
      }
    },
  );

  test.each(
    named(
      vectors<{ steps: readonly Step[] }, { versions: readonly string[] }>('informer', 'storeVersion', 4),
    ),
  )('agrees with client-go on the version: %s', (_, { input, expect: { versions } }) => {
    const indexer = withoutIndex();
    expect(indexer.lastStoreSyncResourceVersion(), 'at first').toBe('');
    const reached = input.steps.map((step) => {
      take(indexer, step);
      return indexer.lastStoreSyncResourceVersion();
    });
    expect(reached).toEqual(versions);
  });
});
