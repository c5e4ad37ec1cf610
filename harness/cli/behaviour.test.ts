import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../workbook/behaviour.ts';
import { writeFailedLaws } from '../workbook/failed-laws.ts';
import { hashOfKata } from '../workbook/verdict.ts';
import { behaviourLines } from './behaviour.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const KATA = '21-counter';
const LAW = 'The laws > Exact: it counts each call';
const asIs = (_: unknown, text: string): string => text;

const behaviour: Behaviour = {
  mistakes: { isCertain: true, misconceptions: ['You seem to trust your cache.'] },
  parting: {
    actor: 'controller',
    mine: { at: 't=9ms', what: 'create pods/default/web-…' },
    reference: { at: 't=8ms', what: 'list pods/default' },
  },
};

/** A workbook whose last run failed a law, with the behaviour that an earlier hint found. */
function workbookAfterRun(): SmallWorkbook {
  const workbook = new SmallWorkbook();
  const at = hashOfKata(workbook.root, KATA);
  writeFailedLaws(workbook.root, KATA, { laws: [{ test: LAW }], at }, new Set([LAW]));
  workbook.write(
    `node_modules/.cache/kubernetes-katas/behaviours/${KATA}.json`,
    JSON.stringify({ at, behaviours: { [LAW]: behaviour } }),
  );
  return workbook;
}

describe('The hint for a law', () => {
  test('first names the misconception and the parting, if the law failed in the last run', async () => {
    using workbook = workbookAfterRun();
    const { out } = await workbook.kata('hint', '21', 'Exact');
    expect(out).toMatch(
      /^Your code does here what this known mistake does:\n\n {2}You seem to trust your cache\.\n/,
    );
    expect(out).toContain('controller does the same with both codes until here');
    expect(out).toContain('The hints of Level 1 and Level 2 cover it:');
  });

  test('says nothing of misconceptions after the code has changed', async () => {
    using workbook = workbookAfterRun();
    workbook.write(`katas/${KATA}/counter.ts`, 'export const other = 1;\n');
    expect((await workbook.kata('hint', '21', 'Exact')).out).not.toContain('known mistake');
  });

  test('says nothing of misconceptions if the law did not fail', async () => {
    using workbook = workbookAfterRun();
    const at = hashOfKata(workbook.root, KATA);
    writeFailedLaws(workbook.root, KATA, { laws: [], at }, new Set([LAW]));
    expect((await workbook.kata('hint', '21', 'Exact')).out).not.toContain('known mistake');
  });
});

describe('A behaviour', () => {
  test('names several possibilities without certainty', () => {
    const mistakes = { isCertain: false, misconceptions: ['You seem to wait.', 'You seem to hurry.'] };
    expect(behaviourLines({ mistakes }, asIs)).toEqual([
      'Your code resembles one of these known mistakes:',
      '',
      '  You seem to wait.',
      '  You seem to hurry.',
      '',
    ]);
  });

  test('shows the two codes one below the other', () => {
    const parting = { actor: 'controller', mine: undefined, reference: { at: 't=8ms', what: 'list pods' } };
    expect(behaviourLines({ parting }, asIs).slice(2, 4)).toEqual([
      '  your code      does nothing more',
      '  the reference  t=8ms  list pods',
    ]);
  });

  test('stays silent about code that resembles no mistake', () =>
    expect(behaviourLines({}, asIs)).toEqual([]));
});

describe('The failed laws of a run', () => {
  test('stay after a run of other tests with the same code', async () => {
    using workbook = workbookAfterRun();
    const at = hashOfKata(workbook.root, KATA);
    writeFailedLaws(workbook.root, KATA, { laws: [], at }, new Set(['The laws > Another']));
    expect((await workbook.kata('hint', '21', 'Exact')).out).toContain('known mistake');
  });
});
