import { describe, expect, test } from 'vitest';
import {
  canonicalElement,
  compareElements,
  elementText,
  keyElement,
  pathText,
  valueElement,
} from './path-element.ts';

describe('A step of a path', () => {
  test('has one form, whatever the order of its keys', () => {
    const element = 'k:{"containerPort":80,"protocol":"TCP"}';
    expect(keyElement({ protocol: 'TCP', containerPort: 80 })).toBe(element);
    expect(canonicalElement('k:{ "protocol" : "TCP", "containerPort" : 8e1 }')).toBe(element);
    expect(canonicalElement('v: "a"')).toBe(valueElement('a'));
    expect(canonicalElement('i:+01')).toBe('i:1');
    expect(canonicalElement('f:a:b')).toBe('f:a:b');
  });

  test('is escaped as in Go', () => {
    expect(valueElement('<&>')).toBe('v:"\\u003c\\u0026\\u003e"');
  });

  test('of an unknown kind is undefined', () => {
    expect(canonicalElement('x:1')).toBeUndefined();
  });

  test.each([
    ['f', 'key must be 2 characters long:'],
    ['spec', 'missing colon: spec'],
    ['k:[]', 'expected an object: []'],
    ['k:{', 'JSON'],
    ['i:x', 'strconv.Atoi: parsing "x": invalid syntax'],
  ])('%s is invalid', (text, why) => {
    expect(() => canonicalElement(text)).toThrow(why);
  });

  test('is printed as in error messages', () => {
    expect(pathText(['f:spec', 'f:ports', 'k:{"containerPort":80,"protocol":"TCP"}', 'f:hostIP'])).toBe(
      '.spec.ports[containerPort=80,protocol="TCP"].hostIP',
    );
    expect(['v:"a"', 'v:1', 'v:null', 'i:3'].map(elementText)).toEqual(['[="a"]', '[=1]', '[=null]', '[3]']);
  });

  test('is ordered: fields, keys, values, indexes; numbers before strings', () => {
    const ordered = [
      'f:A',
      'f:a',
      'f:b',
      'k:{"name":"a"}',
      'k:{"name":"a","port":1}',
      'k:{"name":"b"}',
      'k:{"port":2}',
      'k:{"port":10}',
      'v:2',
      'v:10',
      'v:"1"',
      'v:true',
      'v:null',
      'i:2',
      'i:10',
    ];
    expect([...ordered].reverse().sort(compareElements)).toEqual(ordered);
  });
});
