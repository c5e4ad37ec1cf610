import { describe, expect, test } from 'vitest';
import vectors from '../../conformance/resource-version-reads.json' with { type: 'json' };
import { decodeContinue, encodeContinue } from '../verbs/continue-token.ts';
import { validateListOptions, validateWatchOptions } from './list-options.ts';

type Case = {
  id: string;
  op: string;
  name: string;
  input: Parameters<typeof validateListOptions>[0] & {
    verb: string;
    token: string;
    rv: number;
    start: string;
  };
  expect: { messages: string[]; token: string };
};

describe('Reads with a resourceVersion, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (op: string) => cases.filter((row) => row.op === op);

  test('cover every operation', () => {
    expect(['validate', 'decodeContinue', 'encodeContinue'].map((op) => of(op).length)).toEqual([9, 7, 1]);
  });

  test.each(of('validate'))('$id $name', ({ input: { verb, ...options }, expect: { messages } }) => {
    const causes = verb === 'list' ? validateListOptions(options) : validateWatchOptions(options);
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(messages);
  });

  test.each(of('decodeContinue'))('$id $name', ({ input }) => {
    expect(() => decodeContinue(input.token)).toThrow('invalid continue token');
  });

  test.each(of('encodeContinue'))('$id $name', ({ input: { rv, start }, expect: { token } }) => {
    expect(encodeContinue({ revision: rv, start })).toBe(token);
    expect(decodeContinue(token)).toEqual({ revision: rv, start });
  });
});
