import { describe, expect, test } from 'vitest';
import type { Cause } from '../../api/status.ts';
import vectors from '../../conformance/field-errors.json' with { type: 'json' };
import {
  duplicate,
  forbidden,
  internal,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.ts';

describe('Field errors, upstream vectors', () => {
  /** The error functions. Each takes a path first, and then the `args` of a row. */
  const kinds: Readonly<Record<string, (...args: never[]) => Cause>> = {
    required,
    forbidden,
    tooLong,
    tooMany,
    internal,
    invalid,
    notSupported,
    duplicate,
    typeInvalid,
  };

  test('cover every kind', () => {
    expect([...new Set(vectors.cases.map(({ op }) => op))]).toEqual(Object.keys(kinds));
    expect(vectors.cases).toHaveLength(17);
  });

  test.each(vectors.cases)('$id $name', ({ op, input: { path, args }, expect: { text } }) => {
    const made = kinds[op]?.(...([path, ...args] as never[]));
    expect(`${made?.field}: ${made?.message}`).toBe(text);
  });
});
