import { describe, expect, test } from 'vitest';
import { byBytes, manifestOf } from './manifest.ts';

const object = (metadata: unknown): unknown => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });

describe('manifestOf', () => {
  test('returns an object with its name, and keeps all fields', () => {
    const value = { ...(object({ name: 'a', labels: { x: 'y' } }) as object), data: { k: 'v' } };
    expect(manifestOf(value, 'a.yaml')).toEqual(value);
  });

  test('accepts an object without a name: kubectl fails later', () => {
    expect(manifestOf(object({ generateName: 'a-' }), 'a.yaml')).toEqual(object({ generateName: 'a-' }));
  });

  test('turns a null annotation into an empty text, and leaves a null label alone', () => {
    const metadata = { name: 'a', annotations: { x: null, y: 'z' }, labels: { l: null } };
    expect(manifestOf(object(metadata), 'a.yaml').metadata).toEqual({
      ...metadata,
      annotations: { x: '', y: 'z' },
    });
  });

  const validating = (problems: string): string =>
    `error validating "a.yaml": error validating data: ${problems}; if you choose to ignore these errors, turn validation off with --validate=false`;

  test.each([
    ['no kind', { apiVersion: 'v1', metadata: {} }, validating('kind not set')],
    ['neither kind nor apiVersion', { metadata: {} }, validating('[apiVersion not set, kind not set]')],
    ['a kind that is a number', { apiVersion: 'v1', kind: 1, metadata: {} }, validating('kind not set')],
    [
      'metadata that is a text',
      object('a'),
      'unable to decode "a.yaml": json: cannot unmarshal string into Go struct field ObjectMeta.metadata',
    ],
    [
      'a number as an annotation',
      object({ name: 'a', annotations: { x: 1 } }),
      'unable to decode "a.yaml": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.annotations',
    ],
    [
      'a list of labels',
      object({ name: 'a', labels: [] }),
      'unable to decode "a.yaml": json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels',
    ],
    [
      'a number as a name',
      object({ name: 1 }),
      'unable to decode "a.yaml": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name',
    ],
  ])('rejects an object with %s', (_, value, message) => {
    expect(() => manifestOf(value, 'a.yaml')).toThrow(message);
  });

  test.each([['text'], [null], [[]], [1]])('rejects %j, which is not an object', (value) => {
    expect(() => manifestOf(value, 'a.yaml')).toThrow('unable to decode "a.yaml"');
  });
});

describe('byBytes', () => {
  test('orders texts by their bytes in UTF-8, not by their UTF-16 units', () => {
    const texts = ['\u{1F600}', '\uFB01', 'b', 'a', 'ab', '', 'B', '10', '9', '-'];
    const byBuffer = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(texts.toSorted(byBytes)).toEqual(byBuffer);
    expect(byBuffer).toEqual(['', '-', '10', '9', 'B', 'a', 'ab', 'b', '\uFB01', '\u{1F600}']);
  });
});
