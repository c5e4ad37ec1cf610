import { describe, expect, test } from 'vitest';
import vectors from '../../conformance/list-options.json' with { type: 'json' };
import { decodeContinue } from '../verbs/continue-token.ts';
import { validateListOptions, validateWatchOptions } from './list-options.ts';

type Case = {
  id: string;
  op: string;
  name: string;
  input: Parameters<typeof validateListOptions>[0] & { v?: string; rv?: number; start?: string };
  expect: { errors?: string[]; error?: boolean; revision?: number; start?: string };
};

describe('Options of lists and watches, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (op: string) => cases.filter((row) => row.op === op);

  test('cover every operation', () => {
    expect(['list', 'watch', 'continue'].map((op) => of(op).length)).toEqual([6, 10, 10]);
    expect(cases).toHaveLength(26);
  });

  test.each([...of('list'), ...of('watch')])('$id $name', ({ op, input, expect: { errors } }) => {
    const causes = op === 'list' ? validateListOptions(input) : validateWatchOptions(input);
    expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors);
  });

  test.each(of('continue'))('$id $name', ({ input, expect: { error, ...goesOn } }) => {
    const run = () => decodeContinue(Buffer.from(JSON.stringify(input)).toString('base64url'));
    if (error) expect(run).toThrow('invalid continue token');
    else expect(run()).toEqual(goesOn);
  });
});
