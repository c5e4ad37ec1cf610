import { describe, expect, test } from 'vitest';
import * as standIn from './stand-in.ts';

const names = (cases: readonly standIn.Case[]) => cases.map(({ fullName }) => fullName);

describe('The stand-in', () => {
  test('collects tests under the names Vitest would give them', async () => {
    const cases = await standIn.collect(async () => {
      standIn.describe('Level 1 · Indexer', () => {
        standIn.it('adds', () => {});
        standIn.describe('when full', { timeout: 5 }, () =>
          standIn.test('refuses', { timeout: 5 }, () => {}),
        );
      });
      standIn.test.each([
        [1, 'a'],
        [2, 'b'],
      ])('row %i is %s', () => {});
      standIn.test.each([{ key: { name: 'web' } }])('object $key.name', () => {});
      standIn.describe.each(['x', 'y'])('group %s', () => standIn.test.for([[1, 2]])('takes %j', () => {}));
    });
    expect(names(cases)).toEqual([
      'Level 1 · Indexer > adds',
      'Level 1 · Indexer > when full > refuses',
      'row 1 is a',
      'row 2 is b',
      'object web',
      'group x > takes 1',
      'group y > takes 1',
    ]);
    expect(cases.map(({ group }) => group)).toEqual([
      'Level 1 · Indexer',
      'Level 1 · Indexer',
      '',
      '',
      '',
      'group x',
      'group y',
    ]);
  });

  test('runs hooks from the outside in and back out, also around a failure', async () => {
    const log: string[] = [];
    const note = (what: string) => () => void log.push(what);
    const [one] = await standIn.collect(async () => {
      standIn.beforeEach(note('outer before'));
      standIn.afterEach(note('outer after'));
      standIn.describe('inner', () => {
        standIn.beforeAll(note('once'));
        standIn.beforeEach(note('inner before'));
        standIn.afterEach(note('inner after'));
        standIn.test('fails', () => {
          standIn.onTestFinished(note('finished'));
          throw new Error('red');
        });
      });
    });
    await expect(one?.run()).rejects.toThrow('red');
    await expect(one?.run()).rejects.toThrow('red');
    const round = ['inner before', 'inner after', 'outer after', 'finished'];
    expect(log).toEqual(['outer before', 'once', ...round, 'outer before', ...round]);
  });

  test('rejects a test without a body, which would pass', async () => {
    await expect(standIn.collect(async () => standIn.test('nothing'))).rejects.toThrow('no body');
  });
});
