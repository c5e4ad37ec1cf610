import { describe, expect, test } from 'vitest';
import type { JsonList, JsonObject } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { patchItems, patchObject } from '#kata/11-apply/apply';
import {
  hasScalars,
  MANIFEST_WITH_DIRECTIVE,
  retains,
  type StrategicRow,
  vectorSchema,
  withoutOrder,
} from './objects.fixture.ts';

const containers = { patchMergeKey: 'name', patchStrategy: 'merge' } as const;
const patched = (original: JsonList, modified: JsonList, current: JsonList): unknown =>
  withoutOrder(patchItems({ original, modified, current }, containers));

describe('Level 4 · Lists of objects', () => {
  const app = { name: 'app', image: 'a:1' };
  const log = { name: 'log', image: 'l:1' };

  test('sends nothing about an item that the server has', () => {
    expect(patched([app], [app], [app]), 'three equal lists').toEqual([]);
  });

  test('sends the changed fields of an item, and its merge key', () => {
    expect(patched([app], [{ ...app, image: 'a:2' }], [{ ...app, tty: true }]), 'another image').toEqual([
      { name: 'app', image: 'a:2' },
    ]);
  });

  test('sends an item that the server lacks as a whole', () => {
    expect(patched([app], [app, log], [app]), 'the manifest has a new item').toEqual([log]);
  });

  test('leaves an item alone that no manifest had', () => {
    expect(patched([app], [app], [app, log]), 'another client has added an item').toEqual([]);
  });

  test('deletes an item by a directive', () => {
    expect(patched([app, log], [app], [app, log]), 'the manifest has lost the item log').toEqual([
      { $patch: 'delete', name: 'log' },
    ]);
  });

  test('also deletes an item that the server has lost', () => {
    expect(patched([app, log], [app], [app]), 'the manifest and the server have lost the item log').toEqual([
      { $patch: 'delete', name: 'log' },
    ]);
  });

  test('finds items by their key, not by their index', () => {
    expect(patched([app, log], [log, app], [app, log]), 'the manifest has another order').toEqual([]);
  });

  test('deletes a field of an item', () => {
    const old = { ...app, command: ['x'] };
    expect(patched([old], [app], [old]), 'the item has lost its command').toEqual([
      { name: 'app', command: null },
    ]);
  });

  test('replaces one kind of value by another in an item: value, valueFrom', () => {
    const before = { name: 'A', value: '1' };
    const after = { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
    expect(patched([before], [after], [before]), 'the field value was applied, and must go').toEqual([
      { ...after, value: null },
    ]);
    expect(
      patched([], [after], [before]),
      'without a last applied configuration, nothing is deleted',
    ).toEqual([after]);
  });

  test('sends changes in the order of the manifest, and deletions last, in the order of their keys', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    expect(
      patched([d, c] as JsonList, [b, a] as JsonList, []),
      'original [d, c], modified [b, a], current []',
    ).toEqual([b, a, { $patch: 'delete', name: 'c' }, { $patch: 'delete', name: 'd' }]);
  });

  test('pairs items with the same key in their order: port 53 for TCP, and for UDP', () => {
    const ports = [
      { port: 53, protocol: 'TCP' },
      { port: 53, protocol: 'UDP' },
    ];
    const patch = patchItems(
      { original: ports, modified: ports, current: ports },
      { patchStrategy: 'merge', patchMergeKey: 'port' },
    );
    expect(patch, 'three equal lists, with two items of one key: the first pairs with the first').toEqual([]);
  });

  test('deletes an item although another one has the same key', () => {
    const udp = { port: 53, protocol: 'UDP' };
    const tcp = { port: 53, protocol: 'TCP' };
    const patch = patchItems(
      { original: [udp, tcp], modified: [tcp], current: [udp, tcp] },
      { patchStrategy: 'merge', patchMergeKey: 'port' },
    );
    expect(patch, 'port 53 for UDP has gone: TCP pairs with the first item').toEqual([
      { port: 53, protocol: 'TCP' },
      { $patch: 'delete', port: 53 },
    ]);
  });

  test('treats missing lists like empty ones', () => {
    expect(patchItems({ modified: [app] }, containers), 'only modified').toEqual([app]);
  });

  const rows = vectors<StrategicRow, { patch: JsonObject }>(
    'strategic-merge',
    'create3',
    61,
    (row) => !retains(row) && !hasScalars(row) && row.id !== MANIFEST_WITH_DIRECTIVE,
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
