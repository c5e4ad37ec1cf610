import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mistake } from '../testing/mistakes.ts';
import { type Probe, templateOf } from './probe.ts';
import { marksOf, outdated, readSignatures, signaturesOf, writeSignatures } from './signatures.ts';

const mistake = (id: string, to = id): Mistake => ({
  id,
  why: '',
  origin: '',
  law: '',
  edits: [['from', to]],
});
const probes: readonly Probe[] = [
  { test: 'Laws > Unique', seed: 7, input: { path: '3', workload: 'a crash' } },
  { test: 'Laws > Unique', seed: 7, input: { path: '4' } },
  { test: 'End to end', seed: 7 },
];
const signatures = signaturesOf(probes, [
  { mistake: mistake('one'), outcomes: ['two owners', '.', '-'] },
  { mistake: mistake('two'), outcomes: ['no owner', 'two owners', 'o'] },
]);

describe('Signatures', () => {
  test('have one mark for each probe, and a letter for each failure of its test', () => {
    expect(signatures.rows.map(({ id, marks }) => [id, marks])).toEqual([
      ['one', 'A.-'],
      ['two', 'BAo'],
    ]);
    expect(marksOf(signatures, ['.', 'three owners', 'two owners'])).toBe('.**');
  });

  test('are read as they were written', () => {
    const solution = mkdtempSync(path.join(tmpdir(), 'signatures-'));
    onTestFinished(() => rmSync(solution, { recursive: true }));
    expect(readSignatures({ solution })).toBeUndefined();
    writeSignatures({ solution }, signatures);
    expect(readSignatures({ solution })).toEqual(signatures);
  });

  test('are outdated if a mistake is new, has other edits, or no longer exists', () => {
    expect(outdated(signatures, [mistake('one'), mistake('two')])).toEqual([]);
    expect(
      outdated(signatures, [
        mistake('one', 'other'),
        mistake('three'),
        { ...mistake('four'), hidden: 'why' },
      ]),
    ).toEqual([
      'the edits of one have changed',
      'three has no row',
      'two names a hidden or a deleted mistake',
    ]);
  });
});

describe('The template of a failure', () => {
  test('has no time, no numbers and no names', () => {
    const error = new Error('long', {
      cause: Object.assign(
        new Error('At 302010 ms: the controller created web-x2 for web (and 3 more)\nwhy'),
        {
          name: 'LawBroken',
        },
      ),
    });
    expect(templateOf(error)).toBe('the controller created # for web');
  });

  test('is the same for a list of any length', () => {
    expect(templateOf(new Error("lacks '10.1.0.1', '10.1.0.2'"))).toBe(
      templateOf(new Error("lacks '10.1.0.1'")),
    );
  });
});
