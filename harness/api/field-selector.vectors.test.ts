import { describe, expect, test } from 'vitest';
import vectors from '../conformance/selectors.json' with { type: 'json' };
import {
  escapeValue,
  parseSelector,
  type Requirement,
  Selector,
  selectorFromSet,
  splitTerms,
  unescapeValue,
} from './field-selector.ts';
import { SelectorError } from './label-selector.ts';

type Term = { field: string; op: 'equals' | 'notEquals'; value: string };

type Case = {
  id: string;
  op: string;
  name: string;
  input: {
    selector?: string;
    fields?: Record<string, string>;
    set?: Record<string, string>;
    terms?: Term[];
    field?: string;
    value?: string;
    escaped?: string;
  };
  expect: {
    terms?: unknown[];
    escaped?: string;
    match?: boolean;
    error?: boolean;
    value?: string | null;
    text?: string;
    empty?: boolean;
  };
};

describe('Field selector, upstream vectors', () => {
  const cases = (vectors.cases as unknown as Case[]).filter(({ op }) => op.startsWith('field'));
  const of = (op: string) => cases.filter((each) => each.op === op);

  test('cover every operation', () => {
    const counts = {
      fieldParse: 11,
      fieldSplit: 13,
      fieldEscape: 9,
      fieldMatch: 15,
      fieldSet: 7,
      fieldExactMatch: 7,
      fieldTransform: 5,
    };
    expect(Object.fromEntries(Object.keys(counts).map((op) => [op, of(op).length]))).toEqual(counts);
    expect(cases).toHaveLength(67);
  });

  test.each(of('fieldParse'))('$id $name', ({ input, expect: expected }) => {
    const run = () => parseSelector(input.selector ?? '');
    if (expected.error) expect(run).toThrow(SelectorError);
    else {
      const actual = run().requirements.map(({ field, operator, value }) => ({
        field,
        op: operator === '=' ? 'equals' : 'notEquals',
        value,
      }));
      expect(actual).toEqual(expected.terms);
    }
  });

  test.each(of('fieldSplit'))('$id $name', ({ input, expect: expected }) => {
    expect(splitTerms(input.selector ?? '')).toEqual(expected.terms);
  });

  test.each(of('fieldEscape'))('$id $name', ({ input, expect: expected }) => {
    if (expected.error) expect(() => unescapeValue(input.escaped ?? '')).toThrow(SelectorError);
    else {
      expect(escapeValue(input.value ?? '')).toBe(expected.escaped);
      expect(unescapeValue(expected.escaped ?? '')).toBe(input.value);
    }
  });

  test.each(of('fieldMatch'))('$id $name', ({ input, expect: expected }) => {
    expect(parseSelector(input.selector ?? '').matches(input.fields ?? {})).toBe(expected.match);
  });

  test.each(of('fieldSet'))('$id $name', ({ input, expect: expected }) => {
    expect(selectorFromSet(input.set).matches(input.fields ?? {})).toBe(expected.match);
  });

  test.each(of('fieldExactMatch'))('$id $name', ({ input, expect: expected }) => {
    const requirements = (input.terms ?? []).map(
      ({ field, op, value }): Requirement => ({ field, operator: op === 'equals' ? '=' : '!=', value }),
    );
    expect(new Selector(requirements).requiresExactMatch(input.field ?? '') ?? null).toBe(expected.value);
  });

  test.each(vectors.cases.filter(({ op }) => op === 'fieldTransform'))('$id $name', (row) => {
    const { input, expect: expected } = row as unknown as {
      input: { selector: string; fields: Record<string, [field: string, value: string]> };
      expect: Case['expect'];
    };
    const transformed = parseSelector(input.selector).transform((field, value) => {
      const [newField, newValue] = input.fields[field] ?? [field, value];
      return { field: newField, value: newValue };
    });
    expect(transformed.toString()).toBe(expected.text);
    expect(transformed.empty).toBe(expected.empty);
  });
});
