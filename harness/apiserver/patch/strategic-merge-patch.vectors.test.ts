import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import { deepFreeze } from './frozen.fixture.ts';
import type { JsonObject } from './json-value.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

interface ApplyCase {
  readonly id: string;
  readonly op: 'apply';
  readonly name: string;
  readonly input: { readonly original: JsonObject; readonly patch: JsonObject };
  readonly expect: { readonly result: JsonObject } | { readonly error: true; readonly message: string };
}

interface Create3Case {
  readonly id: string;
  readonly op: 'create3';
  readonly name: string;
  readonly input: { readonly last: JsonObject; readonly desired: JsonObject; readonly live: JsonObject };
  readonly expect: {
    readonly patch: JsonObject;
    readonly result: JsonObject;
    readonly twoWay: JsonObject;
    /** The result of the two-way patch on `last`. @defaultValue the desired object */
    readonly twoWayResult?: JsonObject;
    /** An alternative result that follows upstream's documented rule instead of its code. */
    readonly alsoAcceptable?: JsonObject;
    readonly conflict?: true;
  };
}

const vectors = new URL('../../conformance/strategic-merge.json', import.meta.url);
const { cases } = deepFreeze(
  JSON.parse(readFileSync(vectors, 'utf8')) as { cases: (ApplyCase | Create3Case)[] },
);
const applyCases = cases.filter((c) => c.op === 'apply');
const create3Cases = cases.filter((c) => c.op === 'create3');

/** The schema from the note in the vectors: lists whose items have the same tags as the whole. */
const item: Record<string, MergeField> = {};
const schema: MergeSchema = Object.assign(item, {
  mergingList: { patchStrategy: 'merge', patchMergeKey: 'name', schema: item },
  mergeItemPtr: { patchStrategy: 'merge', patchMergeKey: 'name', schema: item },
  mergingIntList: { patchStrategy: 'merge' },
  retainKeysMap: { patchStrategy: 'retainKeys', schema: item },
  retainKeysMergingList: { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name', schema: item },
} satisfies MergeSchema);

describe('strategic merge conformance', () => {
  test('includes all cases', () => {
    expect(applyCases).toHaveLength(28);
    expect(create3Cases).toHaveLength(115);
    expect(cases).toHaveLength(143);
    expect(create3Cases.filter((c) => c.expect.conflict)).toHaveLength(30);
    expect(applyCases.filter((c) => 'error' in c.expect)).toHaveLength(3);
  });

  test.each(applyCases)('$id applies: $name', ({ input, expect: expected }) => {
    const apply = () => applyStrategicMergePatch(input.original, input.patch, schema);
    if ('error' in expected) expect(apply).toThrow(expected.message);
    else expect(apply()).toStrictEqual(expected.result);
  });

  test.each(create3Cases)('$id applies the two-way patch: $name', ({ input, expect: expected }) => {
    const result = applyStrategicMergePatch(input.last, expected.twoWay, schema);
    expect(result).toStrictEqual(expected.twoWayResult ?? input.desired);
  });

  test.each(create3Cases)(
    '$id applies the three-way patch to the live object: $name',
    ({ input, expect: expected }) => {
      const result = applyStrategicMergePatch(input.live, expected.patch, schema);
      const { alsoAcceptable = expected.result } = expected;
      expect([expected.result, alsoAcceptable]).toContainEqual(result);
    },
  );
});
