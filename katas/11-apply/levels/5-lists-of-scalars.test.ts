import { describe, expect, test } from 'vitest';
import type { JsonList, JsonObject } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { patchObject, patchScalars } from '#kata/11-apply/apply';
import { hasScalars, retains, type StrategicRow, vectorSchema, withoutOrder } from './objects.fixture.ts';

const patched = (original: JsonList, modified: JsonList, current: JsonList): unknown =>
  patchScalars({ original, modified, current });

describe('Level 5 · Lists of scalars', () => {
  test.each<[string, JsonList, JsonList, JsonList, JsonList, JsonList]>([
    ['nothing, if the server has all items', ['a'], ['a'], ['a'], [], []],
    ['the items that the server lacks', ['a'], ['a', 'b'], ['a'], ['b'], []],
    ['no foreign item', ['a'], ['a'], ['a', 'x'], [], []],
    ['the items to delete', ['a', 'b'], ['a'], ['a', 'b', 'x'], [], ['b']],
    ['an item to delete that the server has lost', ['a', 'b'], ['a'], ['a'], [], ['b']],
    ['an item that another client has removed', ['a'], ['a'], [], ['a'], []],
    ['nothing about an item that the manifest had twice', ['a', 'b'], ['b', 'a'], ['a', 'b'], [], []],
    ['each deletion once', ['b', 'a', 'b'], [], [], [], ['a', 'b']],
    ['new items in the order of the manifest', [], ['c', 'a', 'b'], ['a'], ['c', 'b'], []],
  ])('sends %s', (_, original, modified, current, list, deletions) => {
    const lists = JSON.stringify({ original, modified, current });
    expect(patched(original, modified, current), `the patch of ${lists}`).toEqual({ list, deletions });
  });

  test('treats missing lists like empty ones', () => {
    expect(patchScalars({ modified: ['a'] }), 'only modified').toEqual({ list: ['a'], deletions: [] });
  });

  const rows = vectors<StrategicRow, { patch: JsonObject }>(
    'strategic-merge',
    'create3',
    16,
    (row) => !retains(row) && hasScalars(row),
  );
  test.each(named(rows))('agrees with upstream, except for orders: %s', (_, { input, expect: wanted }) => {
    const { last = {}, desired = {}, live = {} } = input;
    const patch = patchObject({ original: last, modified: desired, current: live }, vectorSchema);
    expect(
      withoutOrder(patch),
      ruleFor('the patch from last (original), desired (modified) and live (current)', input),
    ).toEqual(withoutOrder(wanted.patch));
  });
});
