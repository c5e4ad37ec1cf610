import { describe, expect, test } from 'vitest';
import type { Replay, ReplayEntry } from '../workbook/replay.ts';
import { keepingSettings, replayOfLaw } from './replay.fixture.ts';

keepingSettings();

/** Returns the entries at which the two runs part. */
function partingIn({ parting, mine, reference }: Replay) {
  const entryAt = (entries: readonly ReplayEntry[], index: number | undefined) =>
    index === undefined ? undefined : entries[index];
  return {
    by: parting?.by,
    mine: entryAt(mine, parting?.mine),
    reference: entryAt(reference, parting?.reference),
  };
}

describe('The replay of a law about runs', async () => {
  const replay = await replayOfLaw('23-replicaset', 'Never too many');

  test('names the law and its statement', () => {
    expect(replay.law).toMatchObject({
      name: 'Never too many',
      statement: expect.stringMatching(/^it never creates more active pods/),
    });
    expect(replay.axis).toBe('time');
  });

  test('has the violation among the entries, at its time', () => {
    const at = replay.mine.findIndex(({ kind }) => kind === 'violation');
    const atMs = replay.mine[at]?.atMs ?? Number.NaN;
    expect(replay.mine[at]?.text).toBe(replay.violation.split('\n')[0]);
    expect(replay.mine[at - 1]?.atMs).toBeLessThanOrEqual(atMs);
    expect(replay.mine[at + 1]?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(atMs);
  });

  test('has a lane for each actor: faults, then the controller, then the others', () => {
    const roles = replay.lanes.map(({ role }) => role);
    expect(roles).toEqual([...roles].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
    expect(replay.lanes.filter(({ role }) => role === 'learner')).toEqual([
      { actor: 'replicaset-controller', role: 'learner' },
    ]);
    const actors = new Set([...replay.mine, ...replay.reference].map(({ actor }) => actor));
    actors.delete('');
    expect(new Set(replay.lanes.map(({ actor }) => actor))).toEqual(actors);
  });

  test('parts at the first write that the reference does not send', () => {
    const { by, mine, reference } = partingIn(replay);
    expect(by).toBe('act');
    expect(mine).toMatchObject({ actor: 'replicaset-controller', kind: 'request' });
    expect(mine?.text).not.toBe(reference?.text);
  });

  test('has the same entries in both runs before they part', () => {
    const { parting, mine, reference } = replay;
    const until = Math.min(
      mine[parting?.mine ?? 0]?.atMs ?? 0,
      reference[parting?.reference ?? 0]?.atMs ?? 0,
    );
    const writes = (entries: readonly ReplayEntry[]) =>
      entries
        .filter(
          ({ atMs = 0, kind, text }) => atMs < until && kind === 'request' && !/^(get|list|watch)/.test(text),
        )
        .map(({ atMs, actor }) => `${atMs} ${actor}`);
    expect(writes(mine)).toEqual(writes(reference));
  });
});

const ORDER = ['faults', 'learner', 'environment'];

describe('The replay of a law about decisions', async () => {
  const replay = await replayOfLaw('31-filter', 'Names its reason');

  test('shows the input and every call, without times', () => {
    expect(replay.axis).toBe('order');
    expect(replay.scenario).toContain('node node-0');
    expect(replay.mine.every(({ atMs }) => atMs === undefined)).toBe(true);
    expect(replay.lanes.every(({ role }) => role === 'learner')).toBe(true);
  });

  test('parts at the first call that gets another answer', () => {
    const { by, mine, reference } = partingIn(replay);
    expect(by).toBe('outcome');
    expect(mine?.text).toBe(reference?.text);
    expect(mine?.answer).not.toBe(reference?.answer);
  });
});

describe('The replay of a law about processes', async () => {
  const replay = await replayOfLaw('51-ipam', 'Round robin');

  test('has a lane for each process of the plugin', () => {
    const lanes = replay.lanes.filter(({ role }) => role === 'learner').map(({ actor }) => actor);
    expect(lanes).toEqual(expect.arrayContaining(['ADD pod-1', 'DEL pod-2']));
  });

  test('parts at a call that the reference makes with another argument', () => {
    const { mine, reference } = partingIn(replay);
    expect(mine?.actor).toBe(reference?.actor);
    expect(mine?.text).not.toBe(reference?.text);
  });
});
