import { describe, expect, test } from 'vitest';
import type * as meta from '#api/meta/v1';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import vectors from '../../conformance/object-meta.json' with { type: 'json' };
import { validateConditions } from './conditions.ts';
import {
  validateAnnotations,
  validateLabelSelector,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta.ts';

/** A text, or the recipe of one that is too long to write down. */
type Text = string | { repeat: [text: string, times: number] };

type Case = {
  id: string;
  op: string;
  name: string;
  input: {
    map?: [Text, Text][];
    selector?: meta.LabelSelector;
    meta?: meta.ObjectMeta;
    old?: meta.ObjectMeta;
    new?: meta.ObjectMeta;
    conditions?: meta.Condition[];
  };
  expect: { reasons?: string[]; errors?: string[]; contains?: string | null; has?: string[]; lacks?: string };
};

describe('Metadata, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (...ops: string[]) => cases.filter((row) => ops.includes(row.op));
  const said = (causes: readonly Cause[]) => causes.map(({ field, message }) => `${field}: ${message}`);
  const textOf = (text: Text) => (typeof text === 'string' ? text : text.repeat[0].repeat(text.repeat[1]));

  const reasonsOf: Readonly<Record<string, (input: Case['input']) => readonly Cause[]>> = {
    labels: ({ map = [] }) => validateLabels(mapOf(map), 'field'),
    annotations: ({ map = [] }) => validateAnnotations(mapOf(map), 'field'),
    selector: ({ selector }) => validateLabelSelector(selector, 'field'),
  };
  const mapOf = (entries: readonly [Text, Text][]) =>
    Object.fromEntries(entries.map(([key, value]) => [textOf(key), textOf(value)]));

  test('cover every operation', () => {
    const counts = { labels: 22, annotations: 21, selector: 4, meta: 6, update: 12, conditions: 5 };
    expect(Object.fromEntries(Object.keys(counts).map((op) => [op, of(op).length]))).toEqual(counts);
    expect(cases).toHaveLength(70);
  });

  test.each(of('labels', 'annotations', 'selector'))(
    '$id $name',
    ({ op, input, expect: { reasons = [] } }) => {
      expect(said(reasonsOf[op]?.(input) ?? [])).toEqual(
        reasons.map((part) => expect.stringContaining(part)),
      );
    },
  );

  const errorsOf: Readonly<Record<string, (input: Case['input']) => readonly Cause[]>> = {
    meta: ({ meta: created = {} }) =>
      validateObjectMeta(created, { namespaced: true, validateName: (name) => isDNS1123Subdomain(name) }),
    update: ({ old = {}, new: changed = {} }) => validateObjectMetaUpdate(changed, old),
  };
  test.each(of('meta', 'update'))('$id $name', ({ op, input, expect: { errors, contains } }) => {
    const causes = said(errorsOf[op]?.(input) ?? []);
    if (typeof contains === 'string') expect(causes.join('\n')).toContain(contains);
    else expect(causes).toEqual(errors ?? []);
  });

  test.each(of('conditions'))('$id $name', ({ input: { conditions = [] }, expect: { has = [], lacks } }) => {
    const causes = said(validateConditions(conditions, 'status.conditions'));
    expect(causes).toEqual(expect.arrayContaining(has));
    if (lacks !== undefined) expect(causes.filter((cause) => cause.startsWith(lacks))).toEqual([]);
  });
});
