import { describe, expect, test } from 'vitest';
import vectors from '../conformance/quantity.json' with { type: 'json' };
import {
  type Format,
  newMilliQuantity,
  newQuantity,
  parseQuantity,
  Quantity,
  QuantityError,
} from './quantity.ts';

/** An amount in a row: a text, or a number of 10⁻⁹ and its format. */
type Amount = string | { nanos: string; format: Format };

type Case = {
  id: string;
  op: string;
  name: string;
  input: {
    text?: string;
    alternate?: string;
    nanos?: string;
    format?: Format;
    value?: number;
    a?: Amount;
    b?: Amount;
  };
  expect: { nanos?: string; format?: Format; text?: string; cmp?: number; exact?: boolean; error?: boolean };
};

describe('Quantity, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (op: string) => cases.filter((each) => each.op === op);
  const amount = (given: Amount = '') =>
    typeof given === 'string' ? parseQuantity(given) : new Quantity(BigInt(given.nanos), given.format);

  test('cover every operation', () => {
    const counts = {
      parse: 106,
      print: 38,
      parsed: 10,
      cmp: 19,
      add: 10,
      sub: 11,
      neg: 4,
      ofMillis: 6,
      ofUnits: 6,
    };
    expect(Object.fromEntries(Object.keys(counts).map((op) => [op, of(op).length]))).toEqual(counts);
    expect(cases).toHaveLength(210);
  });

  test.each(of('parse'))('$id $name', ({ input: { text = '' }, expect: expected }) => {
    if (expected.error) {
      expect(() => parseQuantity(text)).toThrow(QuantityError);
      return;
    }
    const nanos = BigInt(expected.nanos ?? '');
    expect(parseQuantity(text)).toMatchObject({ nanos, format: expected.format });
    expect(parseQuantity(`+${text}`)).toMatchObject({ nanos, format: expected.format });
    expect(parseQuantity(`-${text}`)).toMatchObject({ nanos: -nanos, format: expected.format });
  });

  test.each(of('parsed'))('$id $name', ({ input: { text = '' }, expect: expected }) => {
    expect(parseQuantity(text).toString()).toBe(expected.text);
    if (expected.text !== '0') expect(parseQuantity(`-${text}`).toString()).toBe(`-${expected.text}`);
  });

  test.each(of('print'))('$id $name', ({ input, expect: expected }) => {
    const { nanos = '', format = 'DecimalSI', alternate } = input;
    const quantity = amount({ nanos, format });
    expect(quantity.toString()).toBe(expected.text);
    expect(quantity.neg().toString()).toBe(nanos === '0' ? '0' : `-${expected.text}`);
    expect(parseQuantity(expected.text ?? '').toString()).toBe(expected.text);
    if (alternate !== undefined) expect(parseQuantity(alternate).toString()).toBe(expected.text);
  });

  test.each(of('cmp'))('$id $name', ({ input: { a, b }, expect: expected }) => {
    expect(amount(a).cmp(amount(b))).toBe(expected.cmp);
    expect(amount(b).cmp(amount(a)) + (expected.cmp ?? Number.NaN)).toBe(0);
  });

  const results: Readonly<Record<string, (input: Case['input']) => Quantity>> = {
    add: ({ a, b }) => amount(a).add(amount(b)),
    sub: ({ a, b }) => amount(a).sub(amount(b)),
    neg: ({ a }) => amount(a).neg(),
  };
  test.each(Object.keys(results).flatMap(of))('$id $name', ({ op, input, expect: expected }) => {
    const result = results[op]?.(input);
    if (expected.text !== undefined) expect(result?.toString()).toBe(expected.text);
    else expect(result?.nanos).toBe(BigInt(expected.nanos ?? ''));
  });

  test.each(of('ofUnits'))(
    '$id $name',
    ({ input: { value = 0, format = 'DecimalSI' }, expect: expected }) => {
      const quantity = newQuantity(value, format);
      expect(quantity.toString()).toBe(expected.text);
      expect(parseQuantity(quantity.toString()).value()).toBe(value);
    },
  );

  test.each(of('ofMillis'))(
    '$id $name',
    ({ input: { value = 0, format = 'DecimalSI' }, expect: expected }) => {
      const quantity = newMilliQuantity(value, format);
      expect(quantity.toString()).toBe(expected.text);
      if (expected.exact) expect(parseQuantity(quantity.toString()).milliValue()).toBe(value);
    },
  );
});
