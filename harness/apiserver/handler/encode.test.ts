import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { encodeList, encodeObject } from './encode.ts';

const object: KubeObject = {
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2024-04-17T00:00:00Z' },
  apiVersion: 'v1',
  kind: 'ConfigMap',
};
const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '1' } };

/** Returns an object that counts how often it is read. */
function counting() {
  const reads = { count: 0 };
  const counted = {
    ...object,
    get data() {
      reads.count++;
      return { x: '1' };
    },
  };
  return { counted, reads };
}

describe('encodeObject', () => {
  test('puts kind and apiVersion first', () => {
    expect(encodeObject(object)).toBe(
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":${JSON.stringify(object.metadata)}}`,
    );
  });

  test('encodes objects without a type, or with nothing but a type', () => {
    expect(encodeObject({})).toBe('{}');
    expect(encodeObject({ major: '1' } as object)).toBe('{"major":"1"}');
    expect(encodeObject({ kind: 'APIVersions' })).toBe('{"kind":"APIVersions"}');
  });

  test('encodes a frozen object once for lists and watches together', () => {
    const { counted, reads } = counting();
    Object.freeze(counted);
    // Extracting the type also reads the object.
    const first = encodeObject(counted);
    const { count } = reads;
    expect(encodeObject(counted)).toBe(first);
    expect(encodeList({ ...list, items: [counted, counted] })).toContain('"data":{"x":"1"}');
    expect(reads.count).toBe(count);
  });

  test('encodes a mutable object each time', () => {
    const changing = { ...object, data: { x: '1' } };
    expect(encodeObject(changing)).toContain('"x":"1"');
    changing.data.x = '2';
    expect(encodeObject(changing)).toContain('"x":"2"');
  });
});

describe('encodeList', () => {
  test('leaves kind and apiVersion of the items to the list', () => {
    expect(JSON.parse(encodeList({ ...list, items: [object] }))).toEqual({
      ...list,
      items: [{ metadata: object.metadata }],
    });
    expect(JSON.parse(encodeList({ ...list, items: [] }))).toEqual({ ...list, items: [] });
  });
});
