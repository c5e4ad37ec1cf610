import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#harness';
import { ObjectWriter } from '#kata/12-store/store';
import { configMap, dataOf, openContext, placeOf, prefix, short, withData } from './objects.fixture.ts';
import { errorOf } from './steps.fixture.ts';

async function opened(...names: readonly string[]) {
  const { store, context } = await openContext();
  const writer = new ObjectWriter(context);
  for (const name of names) await writer.create(configMap(name, { count: '0' }));
  const stored = async (place: string) => (await store.range({ key: `${prefix}ns/${place}` })).kvs[0];
  return { writer, store, stored };
}

/** Adds one to the count of a ConfigMap. */
const plusOne = (object: KubeObject): KubeObject =>
  withData(object, { count: String(Number(dataOf(object).count) + 1) });

describe('Level 7 · Objects', () => {
  test('A new object is stored without its resourceVersion, and returned with it', async () => {
    const { writer, stored } = await opened();
    const object = configMap('a', { count: '0' });
    object.metadata.resourceVersion = '77';
    const created = await writer.create(object);
    expect(created).toEqual({ ...object, metadata: { ...object.metadata, resourceVersion: '2' } });
    expect(Object.isFrozen(created.metadata), 'objects are shared').toBe(true);
    expect(JSON.parse((await stored('a'))?.value ?? '').metadata).not.toHaveProperty('resourceVersion');
  });

  test('An object without a namespace is refused, and nothing is written', async () => {
    const { writer, store } = await opened();
    const object = configMap('a');
    delete object.metadata.namespace;
    expect(await writer.create(object).catch(errorOf)).toBe('Namespace parameter required.');
    expect((await store.range({ key: prefix })).revision).toBe(1);
  });

  test('An object that exists is not created again', async () => {
    const { writer, stored } = await opened('a');
    expect(await writer.create(configMap('a', { count: '9' })).catch(errorOf)).toBe(
      'configmaps "a" already exists',
    );
    expect((await stored('a'))?.modRevision).toBe(2);
  });

  test('An update gets the stored object, and returns the new one', async () => {
    const { writer } = await opened('a');
    const updated = await writer.write(placeOf('a'), (current) => {
      expect(short(current)).toBe('a@2');
      return plusOne(current);
    });
    expect([short(updated), dataOf(updated)]).toEqual(['a@3', { count: '1' }]);
  });

  test('An update that changes nothing is not written', async () => {
    const { writer, store } = await opened('a');
    const { transactions } = store;
    const same = (current: KubeObject): KubeObject => ({
      ...current,
      metadata: { ...current.metadata, resourceVersion: '1' },
    });
    expect(short(await writer.write(placeOf('a'), same))).toBe('a@2');
    expect(store.transactions, 'transactions').toBe(transactions);
  });

  test('An update decides again if another write came in between', async () => {
    const { writer, store } = await opened('a');
    const seen: string[] = [];
    store.beforeTransaction = async () => {
      store.beforeTransaction = async () => {};
      await writer.write(placeOf('a'), (current) => withData(current, { count: '5' }));
    };
    const updated = await writer.write(placeOf('a'), (current) => {
      seen.push(dataOf(current).count ?? '');
      return plusOne(current);
    });
    expect(seen, 'the counts that the change has got').toEqual(['0', '5']);
    expect([short(updated), dataOf(updated)]).toEqual(['a@4', { count: '6' }]);
  });

  test('Ten updates at the same time all count', async () => {
    const { writer } = await opened('a');
    await Promise.all(Array.from({ length: 10 }, () => writer.write(placeOf('a'), plusOne)));
    const last = await writer.write(placeOf('a'), (current) => current);
    expect([short(last), dataOf(last)]).toEqual(['a@12', { count: '10' }]);
  });

  test('The error of a change ends the update', async () => {
    const { writer, stored } = await opened('a');
    const failing = () => {
      throw new Error('not valid');
    };
    expect(await writer.write(placeOf('a'), failing).catch(errorOf)).toBe('not valid');
    expect((await stored('a'))?.modRevision).toBe(2);
  });

  test('A removed object is returned at the revision of its removal', async () => {
    const { writer, stored } = await opened('a', 'b');
    const removed = await writer.write(placeOf('a'), () => undefined);
    expect([short(removed), dataOf(removed)]).toEqual(['a@4', { count: '0' }]);
    expect(await stored('a')).toBeUndefined();
  });

  test('A missing object is neither changed nor removed', async () => {
    const { writer } = await opened();
    expect(await writer.write(placeOf('a'), plusOne).catch(errorOf)).toBe('configmaps "a" not found');
    expect(await writer.write(placeOf('a'), () => undefined).catch(errorOf)).toBe('configmaps "a" not found');
  });

  test('An object that is removed in between is not found', async () => {
    const { writer, store } = await opened('a');
    store.beforeTransaction = async () => {
      store.beforeTransaction = async () => {};
      await writer.write(placeOf('a'), () => undefined);
    };
    expect(await writer.write(placeOf('a'), plusOne).catch(errorOf)).toBe('configmaps "a" not found');
  });

  test.each([
    [{ uid: 'uid-of-a' }, 'a@3'],
    [{ resourceVersion: '2' }, 'a@3'],
    [{ uid: 'other' }, 'UID in precondition: other, UID in object meta: uid-of-a'],
    [
      { uid: 'uid-of-a', resourceVersion: '1' },
      'ResourceVersion in precondition: 1, ResourceVersion in object meta: 2',
    ],
  ])('The preconditions %o lead to: %s', async (preconditions, expected) => {
    const { writer } = await opened('a');
    const said = await writer.write(placeOf('a'), plusOne, preconditions).then(short, errorOf);
    expect(said).toContain(expected);
  });
});
