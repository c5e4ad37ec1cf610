import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../api/freeze.ts';
import { pathsOf } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import { pathText } from './path-element.ts';

const pathsIn = (fields: unknown) => [...pathsOf(decodeFields(fields))].map(pathText);

describe('FieldsV1', () => {
  test('has an empty object for a leaf, and a dot for a field with subfields', () => {
    const fields = { 'f:spec': { 'f:ports': { '.': {}, 'k:{"port":80}': { 'f:port': {} } } } };
    expect(pathsIn(fields)).toEqual(['.spec.ports', '.spec.ports[port=80].port']);
    expect(encodeFields(decodeFields(fields))).toEqual(fields);
  });

  test('is written in order', () => {
    const fields = { 'f:b': {}, 'v:"x"': {}, 'f:a': { 'f:z': {}, '.': null } };
    expect(JSON.stringify(encodeFields(decodeFields(fields)))).toBe(
      '{"f:a":{".":{},"f:z":{}},"f:b":{},"v:\\"x\\"":{}}',
    );
  });

  test('skips unknown steps and merges equal ones', () => {
    const fields = { 'x:new': {}, 'k:{"a":1,"b":2}': { 'f:a': {} }, 'k:{"b":2,"a":1}': { 'f:b': {} } };
    expect(pathsIn(fields)).toEqual(['[a=1,b=2].a', '[a=1,b=2].b']);
  });

  test('is empty without fields', () => {
    expect(pathsIn(undefined)).toEqual([]);
    expect(encodeFields(decodeFields({}))).toEqual({});
  });

  test('must consist of objects at every level', () => {
    expect(() => decodeFields({ 'f:a': 1 })).toThrow('expected an object: 1');
  });

  test('returns the same object if it is immutable', () => {
    const fields = encodeFields(decodeFields(deepFreeze({ 'f:a': {} })));
    expect(encodeFields(decodeFields(fields))).toBe(fields);
  });
});
