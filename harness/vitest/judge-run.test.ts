import { expect, test } from 'vitest';
import type { Variant } from '../testing/mistakes.ts';
import { askedOf, type JudgedCase } from './judge-run.ts';

const cases = ['Level 1', '★ Level 2', 'The laws', '★ The laws of more'].map(
  (fullName): JudgedCase => ({
    fullName,
    group: fullName,
    name: fullName,
    file: fullName.includes('laws') ? 'count.properties.test.ts' : 'count.test.ts',
    run: async () => {},
  }),
);

test.each<[string, Partial<Variant>, readonly string[]]>([
  ['every test', {}, ['Level 1', '★ Level 2', 'The laws', '★ The laws of more']],
  ['laws, if it is free', { free: true }, ['The laws', '★ The laws of more']],
  ['what is not ★, if it is of the core', { core: true }, ['Level 1', 'The laws']],
  ['laws that are not ★, if it is both', { core: true, free: true }, ['The laws']],
])('A variant must pass %s', (_, change, asked) => {
  const subject = { kind: 'variant', change: { id: 'odd', why: 'it may', edits: [], ...change } } as const;
  expect(askedOf(subject, cases).map(({ fullName }) => fullName)).toEqual(asked);
});

test('A reference must pass every test', () => {
  expect(askedOf({ kind: 'reference' }, cases)).toEqual(cases);
});
