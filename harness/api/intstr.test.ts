import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../conformance/intstr.json' with { type: 'json' };
import {
  getIntOrPercentValue,
  getScaledValueFromIntOrPercent,
  type IntOrString,
  IntOrStringError,
  isIntOrString,
  parse,
} from './intstr.ts';

describe('IntOrString', () => {
  test('returns a number unchanged', () => {
    expect(getScaledValueFromIntOrPercent(3, 10, true)).toBe(3);
  });

  test('returns a percentage of the total, rounded in the given direction', () => {
    expect(getScaledValueFromIntOrPercent('25%', 10, true)).toBe(3);
    expect(getScaledValueFromIntOrPercent('25%', 10, false)).toBe(2);
  });

  test('accepts percentages above 100 and below 0', () => {
    expect(getScaledValueFromIntOrPercent('150%', 3, false)).toBe(4);
    expect(getScaledValueFromIntOrPercent('-50%', 3, false)).toBe(-2);
  });

  test('never returns minus zero', () => {
    expect(getScaledValueFromIntOrPercent('-1%', 3, true)).toBe(0);
    expect(parse('-0')).toBe(0);
  });

  test.each([
    ['90', 'invalid value for IntOrString: invalid type: string is not a percentage'],
    ['a%', 'invalid value for IntOrString: invalid value "a%": strconv.Atoi: parsing "a": invalid syntax'],
    [
      '9223372036854775808%',
      'invalid value for IntOrString: invalid value "9223372036854775808%": strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    [undefined, 'nil value for IntOrString'],
  ])('rejects %j with the message of the API', (value, message) => {
    expect(() => getScaledValueFromIntOrPercent(value, 10, true)).toThrow(new IntOrStringError(message));
  });

  test('accepts an int32 or a string', () => {
    for (const value of [0, -1, 2147483647, -2147483648, '', 'http', '25%'])
      expect(isIntOrString(value)).toBe(true);
    for (const value of [1.5, 2147483648, Number.NaN, null, undefined, true, {}]) {
      expect(isIntOrString(value)).toBe(false);
    }
  });

  test('parses a printed int32', () => {
    fc.assert(fc.property(fc.integer(), (value) => parse(String(value)) === value));
  });

  test('rounds up and down with a difference of at most one around the exact value', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 200_000 }),
        (percent, total) => {
          const up = getScaledValueFromIntOrPercent(`${percent}%`, total, true);
          const down = getScaledValueFromIntOrPercent(`${percent}%`, total, false);
          expect(up - down).toBe((percent * total) % 100 === 0 ? 0 : 1);
          expect(down * 100).toBeLessThanOrEqual(percent * total);
          expect(up * 100).toBeGreaterThanOrEqual(percent * total);
        },
      ),
    );
  });
});

type Case = {
  id: string;
  op: string;
  input: { value?: IntOrString | null; total?: number; roundUp?: boolean; text?: string; json?: string };
  expect: { value?: IntOrString; percent?: boolean; type?: string; error?: boolean };
};

describe('IntOrString, upstream vectors', () => {
  const cases: Case[] = vectors.cases;
  const subjects: Record<string, (input: Case['input']) => unknown> = {
    scaled: ({ value, total = Number.NaN, roundUp = false }) => ({
      value: getScaledValueFromIntOrPercent(value, total, roundUp),
    }),
    intOrPercent: ({ value }) => getIntOrPercentValue(value ?? ''),
    parse: ({ text = '' }) => ({ value: parse(text) }),
    json: ({ json = '' }) => {
      const { val } = JSON.parse(json) as { val: unknown };
      if (!isIntOrString(val)) throw new IntOrStringError('neither int nor percentage');
      return { type: typeof val === 'number' ? 'int' : 'string', value: val };
    },
  };

  test('cover every operation', () => {
    const counts = Object.fromEntries(
      Object.keys(subjects).map((op) => [op, cases.filter((c) => c.op === op).length]),
    );
    expect(counts).toEqual({ scaled: 10, intOrPercent: 9, parse: 9, json: 2 });
    expect(cases).toHaveLength(30);
  });

  test.each(cases)('$id $name', ({ op, input, expect: expected }) => {
    const run = () => subjects[op]?.(input);
    if (expected.error) expect(run).toThrow(IntOrStringError);
    else expect(run()).toEqual(expected);
  });
});
