import { describe, expect, test } from 'vitest';
import vectors from '../conformance/resource-version.json' with { type: 'json' };
import { compareResourceVersion, InvalidResourceVersion } from './resource-version.ts';

describe('Resource versions, upstream vectors', () => {
  const of = (op: string) => vectors.cases.filter((row) => row.op === op);

  test('cover every case', () => {
    expect(of('compare')).toHaveLength(18);
    expect(vectors.cases).toHaveLength(18);
  });

  test.each(of('compare'))('$id $name', ({ input: { a, b }, expect: { order, error } }) => {
    const run = () => compareResourceVersion(a, b);
    if (error) expect(run).toThrow(InvalidResourceVersion);
    else expect(run()).toBe(order);
  });
});
