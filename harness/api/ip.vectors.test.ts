import { describe, expect, test } from 'vitest';
import vectors from '../conformance/ip.json' with { type: 'json' };
import { isValidCIDR, isValidIP } from './ip.ts';

describe('Addresses and networks, upstream vectors', () => {
  const checks: Readonly<Record<string, typeof isValidIP>> = {
    ip: isValidIP,
    cidr: isValidCIDR,
  };

  test('cover both checks', () => {
    expect(Object.keys(checks).map((op) => vectors.cases.filter((row) => row.op === op).length)).toEqual([
      24, 21,
    ]);
    expect(vectors.cases).toHaveLength(45);
  });

  test.each(vectors.cases)('$id $name', ({ op, input: { value }, expect: { refusal } }) => {
    const check = checks[op];
    const wanted = refusal === null ? [] : [expect.stringContaining(refusal)];
    expect(check?.(value)).toEqual(wanted);
    expect(check?.(value, [value])).toEqual([]);
  });
});
