import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/objects.ts';
import { configMap } from './config-map.ts';
import { kindViolations, parts, said } from './kind-laws.ts';

function settings(content: object): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'settings',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    ...content,
  } as ConfigMap;
}

const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');

describe('ConfigMap', () => {
  test('maps file names to their contents', () => {
    const content = { data: { 'a.conf': 'x', '.hidden': '' }, binaryData: { _B: base64(3) } };
    expect(configMap.validate(settings(content))).toEqual([]);
    expect(configMap.validate(settings({}))).toEqual([]);
  });

  test('rejects keys that are not file names', () => {
    const rule =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or " +
      "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    expect(said(configMap.validate(settings({ data: { 'a/b': '' }, binaryData: { '..': '' } })))).toEqual([
      `data[a/b]: Invalid value: "a/b": ${rule}`,
      `binaryData[..]: Invalid value: "..": must not be '..'`,
    ]);
  });

  test('rejects a key that is in both data and binaryData', () => {
    expect(said(configMap.validate(settings({ data: { a: 'x' }, binaryData: { a: base64(1) } })))).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]);
  });

  test('holds one mebibyte of text and decoded binary data together', () => {
    const half = 512 * 1024;
    const full = { data: { text: 'ü'.repeat(half / 2) }, binaryData: { blob: base64(half) } };
    expect(configMap.validate(settings(full))).toEqual([]);
    const more = { ...full, data: { text: `${full.data.text}!` } };
    expect(said(configMap.validate(settings(more)))).toEqual([
      '[]: Too long: may not be more than 1048576 bytes',
    ]);
  });

  test('can change until it is immutable', () => {
    const old = settings({ data: { a: 'x' } });
    expect(configMap.validateUpdate(settings({ data: { a: 'y' }, immutable: true }), old)).toEqual([]);
  });

  test('cannot change once it is immutable', () => {
    const old = settings({ data: { a: 'x' }, immutable: true });
    const changed = settings({ data: { a: 'x', b: '' }, binaryData: { c: '' } });
    expect(said(configMap.validateUpdate(changed, old))).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
      'binaryData: Forbidden: field is immutable when `immutable` is set',
    ]);
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } };
    expect(configMap.validateUpdate(labelled, old)).toEqual([]);
  });

  test('has no generation', () => {
    expect(configMap.sameDesiredState).toBeUndefined();
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = settings({ data: { a: 'x', 'b/': '' }, binaryData: { a: '' }, immutable: true });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(configMap, part)).toEqual([]);
      }),
    );
  });
});
