import { describe, expect, test } from 'vitest';
import { type Json, LAST_APPLIED, type Manifest } from '#given/11-apply';
import { NotImplemented } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { encodeJson, lastAppliedOf, withLastApplied } from '#kata/11-apply/apply';
import { configMap, liveOf } from './objects.fixture.ts';

interface AnnotationRow {
  readonly manifest: Manifest;
}

const annotationOf = (manifest: Manifest): Json | undefined =>
  (manifest.metadata.annotations as Record<string, Json> | undefined)?.[LAST_APPLIED];

describe('Level 2 · The last applied configuration', () => {
  test.each<[string, Json, string]>([
    ['a text', 'a', '"a"'],
    ['a number', 1.5, '1.5'],
    ['true, false and null', [true, false, null], '[true,false,null]'],
    ['an object without spaces', { a: { b: [] }, c: {} }, '{"a":{"b":[]},"c":{}}'],
    ['keys in the order of their bytes', { b: 1, B: 2, a: 3, _: 4 }, '{"B":2,"_":4,"a":3,"b":1}'],
    ['keys in order also inside lists', [{ b: 1, a: 2 }], '[{"a":2,"b":1}]'],
    ['quotes and line breaks', 'a"b\n\\', '"a\\"b\\n\\\\"'],
    [
      'characters of HTML, in texts and keys',
      { '<&>': '<&>' },
      '{"\\u003c\\u0026\\u003e":"\\u003c\\u0026\\u003e"}',
    ],
    ['line separators', '\u2028\u2029', '"\\u2028\\u2029"'],
    ['other characters as they are', 'é…☃', '"é…☃"'],
  ])('writes %s as Go does', (_, value, text) => {
    expect(encodeJson(value), `the text of ${JSON.stringify(value)}`).toBe(text);
  });

  test('writes keys that look like numbers in the order of their bytes, too', () => {
    const value = { '9': 1, '10': 2, 'a.b': 3, '-': 4 };
    expect(
      encodeJson(value),
      'the keys are 9, 10, a.b and -: an object in JavaScript always has 9 before 10, and both before the others',
    ).toBe('{"-":4,"10":2,"9":1,"a.b":3}');
  });

  test.each(named(vectors<AnnotationRow, { annotation: string }>('apply-flow', 'lastApplied', 4)))(
    'annotates a manifest: %s',
    (_, { input, expect: { annotation } }) => {
      expect(annotationOf(withLastApplied(input.manifest)), ruleFor('the annotation', input)).toBe(
        annotation,
      );
    },
  );

  test('keeps other annotations, in the object and in the text', () => {
    const manifest = withLastApplied(configMap({}, { annotations: { a: 'b' } }));
    expect(manifest.metadata.annotations, 'the annotations of a ConfigMap that had one').toEqual({
      a: 'b',
      [LAST_APPLIED]:
        '{"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{"annotations":{"a":"b"},"name":"web","namespace":"default"}}\n',
    });
  });

  test('does not change the manifest that it gets', () => {
    const manifest = configMap({ a: '1' });
    withLastApplied(manifest);
    expect(manifest, 'the manifest after withLastApplied').toEqual(configMap({ a: '1' }));
  });

  test('reads the annotation of a live object', () => {
    const manifest = configMap({ a: '1' });
    const text = String(annotationOf(withLastApplied(manifest)));
    expect(lastAppliedOf(liveOf(manifest, text)), 'the last applied configuration').toEqual(
      configMap({ a: '1' }, { annotations: {} }),
    );
  });

  test('distinguishes a missing annotation from an empty one', () => {
    const manifest = configMap({});
    expect(lastAppliedOf(liveOf(manifest, undefined)), 'without the annotation').toBeUndefined();
    expect(
      lastAppliedOf(liveOf(manifest, undefined, { annotations: { a: 'b' } })),
      'with another one',
    ).toBeUndefined();
    expect(lastAppliedOf(liveOf(manifest, '')), 'with an empty annotation').toEqual({});
  });

  test.each(['{', '[]', 'null'])('rejects the annotation %s', (text) => {
    const isRejected = (): boolean => {
      try {
        lastAppliedOf(liveOf(configMap({}), text));
        return false;
      } catch (error) {
        if (error instanceof NotImplemented) throw error;
        return true;
      }
    };
    expect(isRejected(), `whether lastAppliedOf throws, if the annotation is ${text}`).toBe(true);
  });
});
