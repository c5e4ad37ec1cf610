import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failedLawNames, failedLawOf, writeFailedLaws } from './failed-laws.ts';
import { hashOfKata } from './verdict.ts';

const KATA = '21-counter';
const [first, second] = ['The laws > Exact: it counts each call', 'The laws > Calm: it waits'];

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'failed-laws-'));
  mkdirSync(path.join(root, 'katas', KATA), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function write(...tests: readonly string[]): void {
  writeFailedLaws(root, KATA, { laws: tests.map((test) => ({ test })), at: '1' }, new Set(tests));
}

describe('A failed law', () => {
  test('is the first of the last run, which the screen showed', () => {
    write(first, second);
    expect(failedLawOf(root, '21')).toEqual({ kata: KATA, law: { test: first } });
    write(second);
    expect(failedLawOf(root, '21')).toEqual({ kata: KATA, law: { test: second } });
  });

  test('has a name, in any case', () => {
    write(first, second);
    expect(failedLawOf(root, KATA, 'calm')).toEqual({ kata: KATA, law: { test: second } });
  });

  test('that did not fail is refused, with the laws that did', () => {
    write(first, second);
    expect(failedLawOf(root, '21', 'Whole')).toEqual({
      problem: '"Whole" did not fail in the last run of 21-counter. These laws failed: "Exact", "Calm".',
    });
  });

  test('is refused for a kata without one, with the command that runs it', () => {
    expect(failedLawOf(root, '21')).toEqual({
      problem: 'No law of 21-counter failed in its last run. To run it: npm run kata -- run 21',
    });
  });

  test('is refused for a kata that does not exist', () => {
    expect(failedLawOf(root, '99')).toEqual({ problem: 'There is no kata 99. The katas are: 21-counter.' });
  });
});

describe('The failed laws of a kata', () => {
  test('have names, in the order of the last run', () => {
    write(first, second);
    expect(failedLawNames(root, '21').laws).toEqual(['Exact', 'Calm']);
    expect(failedLawNames(root, '99').laws).toEqual([]);
  });

  test('are stale after the code has changed', () => {
    writeFailedLaws(root, KATA, { laws: [{ test: first }], at: hashOfKata(root, KATA) }, new Set([first]));
    expect(failedLawNames(root, '21').isStale).toBe(false);
    writeFileSync(path.join(root, 'katas', KATA, 'counter.ts'), 'export const other = 1;\n');
    expect(failedLawNames(root, '21').isStale).toBe(true);
  });
});
