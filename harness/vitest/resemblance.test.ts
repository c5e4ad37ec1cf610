import { describe, expect, test } from 'vitest';
import { distance, resemblance } from './resemblance.ts';
import type { Signature } from './signatures.ts';

const rowsOf = (rows: Readonly<Record<string, string>>): readonly Signature[] =>
  Object.entries(rows).map(([id, marks]) => ({ id, fingerprint: '', marks }));

describe('A resemblance', () => {
  const rows = rowsOf({
    early: 'AA........',
    late: '..AA......',
    lost: '....AAA...',
    twin: '.......AA.',
    twins: '.......AA.',
  });

  test('is certain if all marks are those of one mistake, and no other mistake is near', () => {
    expect(resemblance(rows, 'AA........')).toEqual({ isCertain: true, ids: ['early'] });
  });

  test('names mistakes with equal signatures together, without certainty', () => {
    expect(resemblance(rows, '.......AA.')).toEqual({ isCertain: false, ids: ['twin', 'twins'] });
  });

  test('names a mistake without certainty if a mark differs', () => {
    expect(resemblance(rows, '....AA....')).toEqual({ isCertain: false, ids: ['lost'] });
    expect(resemblance(rows, '....AA*...')).toEqual({ isCertain: false, ids: ['lost'] });
  });

  test('is not certain if a probe has no result', () => {
    expect(resemblance(rows, 'AA.......-')).toEqual({ isCertain: false, ids: ['early'] });
  });

  test('is not certain because of a single failure', () => {
    expect(resemblance(rowsOf({ early: 'A.........', late: '..AA......' }), 'A.........')).toEqual({
      isCertain: false,
      ids: ['early'],
    });
  });

  test('is not certain if another mistake is near', () => {
    const near = rowsOf({ early: 'AA........', earlier: 'AAA.......' });
    expect(resemblance(near, 'AA........')?.isCertain).toBe(false);
  });

  test('is not certain if another mistake has the same failures and more', () => {
    const wider = rowsOf({ early: 'AA........', earlier: 'AABBB.....' });
    expect(resemblance(wider, 'AA........')).toEqual({ isCertain: false, ids: ['early'] });
  });

  test('does not exist if no probe fails, or if the failures are those of no mistake', () => {
    expect(resemblance(rows, '..........')).toBeUndefined();
    expect(resemblance(rows, '.........*')).toBeUndefined();
    expect(resemblance(rows, '**********')).toBeUndefined();
  });

  test('does not exist if too many mistakes are equally likely', () => {
    const same = rowsOf({ a: 'AA...', b: 'AA...', c: 'AA...', d: 'AA...', e: 'AA...' });
    expect(resemblance(same, 'AA...')).toBeUndefined();
  });
});

describe('The distance of two signatures', () => {
  test('counts the probes that end differently, except probes without a result', () => {
    expect(distance('.AB-o', '.AC.*')).toBe(2);
  });
});
