import { describe, expect, test } from 'vitest';
import type { JsonList, JsonObject } from '#given/11-apply';
import { deployments } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { elementOrder, optionalSteps, patchObject, retainedKeys } from '#kata/11-apply/apply';
import { deployment, outcomes, withCluster } from './cluster.fixture.ts';
import { MANIFEST_WITH_DIRECTIVE, type StrategicRow, vectorSchema } from './objects.fixture.ts';

describe('Level 9 ★ · Order and retained keys', () => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const orderOf = (
    modified: JsonList,
    current: JsonList | undefined,
    patch: { readonly list?: JsonList; readonly deletions?: JsonList } = {},
  ): JsonList => {
    const mergeKey = typeof modified[0] === 'string' ? undefined : 'name';
    return elementOrder({ modified, current }, { list: [], deletions: [], ...patch }, mergeKey);
  };

  test('sends no order if the server has the list', () => {
    expect(orderOf([a, b], [a, b]), 'modified and current [a, b]').toEqual([]);
  });

  test('sends the order of the manifest if the server has another one', () => {
    expect(orderOf([a, b], [b, a]), 'modified [a, b], current [b, a]').toEqual([a, b]);
  });

  test('sends only the merge keys of objects', () => {
    expect(
      orderOf([{ ...a, image: 'x' }], [a], { list: [{ ...a, image: 'x' }] }),
      'an item with an image',
    ).toEqual([a]);
  });

  test('sends an order if the server has foreign items', () => {
    expect(orderOf([a], [a, b]), 'modified [a], current [a, b]').toEqual([a]);
  });

  test('sends no order with a list that is new to the server, unless the patch deletes', () => {
    expect(orderOf([a, b], undefined, { list: [a, b] }), 'current is missing').toEqual([]);
    const list = [a, { $patch: 'delete', name: 'b' }];
    expect(orderOf([a], [], { list }), 'current is missing, and the patch deletes b').toEqual([a]);
  });

  test('sends the scalars themselves', () => {
    expect(orderOf(['x', 'y'], ['y', 'x']), 'modified [x, y], current [y, x]').toEqual(['x', 'y']);
    expect(orderOf(['x'], undefined, { list: ['x'], deletions: ['y'] }), 'the patch deletes y').toEqual([
      'x',
    ]);
  });

  const retained = (
    modified: JsonObject,
    current: JsonObject | undefined,
    patch: JsonObject,
  ): readonly string[] => retainedKeys({ modified, current }, patch);

  test.each<[string, JsonObject, JsonObject | undefined, JsonObject, readonly string[]]>([
    ['nothing, if the server has all', { type: 'a' }, { type: 'a' }, {}, []],
    ['all names of the manifest, if a field changes', { z: 1, a: 1 }, { a: 0 }, { z: 1, a: 1 }, ['a', 'z']],
    ['them, if the server has a foreign field', { type: 'a' }, { type: 'a', more: 1 }, {}, ['type']],
    ['nothing, if the object is new to the server', { type: 'a' }, undefined, { type: 'a' }, []],
    [
      'them, if the patch of a new object deletes',
      { type: 'a' },
      undefined,
      { type: 'a', old: null },
      ['type'],
    ],
    ['no name of a null', { type: 'a', old: null }, { type: 'b' }, { type: 'a', old: null }, ['type']],
  ])('retains %s', (_, modified, current, patch, wanted) => {
    const values = JSON.stringify({ modified, current, patch });
    expect(retained(modified, current, patch), `the retained keys of ${values}`).toEqual(wanted);
  });

  const rows = vectors<StrategicRow, { patch: JsonObject; twoWay: JsonObject }>(
    'strategic-merge',
    'create3',
    114,
    ({ id }) => id !== MANIFEST_WITH_DIRECTIVE,
  );
  test.each(named(rows))('sends the same patch as upstream: %s', (_, { input, expect: wanted }) => {
    expect(optionalSteps, 'optionalSteps needs both functions').toMatchObject({ elementOrder, retainedKeys });
    const { last = {}, desired = {}, live = {} } = input;
    expect(
      patchObject({ original: last, modified: desired, current: live }, vectorSchema),
      ruleFor('the patch from last (original), desired (modified) and live (current)', input),
    ).toEqual(wanted.patch);
    expect(
      patchObject({ original: last, modified: desired, current: last }, vectorSchema),
      ruleFor('the patch if live equals last: nobody else has changed the object', input),
    ).toEqual(wanted.twoWay);
  });

  test('changes a strategy although the server has defaults of the old one', () =>
    withCluster(async (run, admin) => {
      await run([deployment({ strategy: { type: 'RollingUpdate' } })]);
      const report = await run([deployment({ strategy: { type: 'Recreate' } })]);
      expect(report.errors, 'the errors: the defaults of rollingUpdate must go').toEqual([]);
      expect(outcomes(report), 'the outcome').toEqual(['web configured']);
      const { spec } = await admin.get(deployments, { namespace: 'default', name: 'web' });
      expect(spec.strategy, 'the strategy').toEqual({ type: 'Recreate' });
    }));
});
