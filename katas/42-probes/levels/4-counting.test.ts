import { describe, expect, test } from 'vitest';
import { nothingSeen } from '#given/42-probes';
import type { core, ProbeType } from '#harness';
import { count } from '#kata/42-probes/probes';
import { probed } from './probes.fixture.ts';

/** The results that `count` stores after each of these answers: `S` is a success, `F` a failure, `-` no result. */
function stored(type: ProbeType, probe: core.Probe, results: string): string {
  let state = { ...nothingSeen, containerID: 'containerd://c1' };
  return [...results]
    .map((letter) => {
      const tick = count(probed(type, probe), state, letter === 'S' ? 'Success' : 'Failure');
      state = tick.state;
      return tick.results.map(([first]) => first).join('') || '-';
    })
    .join('');
}

const start = { ...nothingSeen, containerID: 'containerd://c1' };

describe('Level 4 · Counting', () => {
  test.each([
    ['one of each is enough', { successThreshold: 1, failureThreshold: 1 }, 'SFSF', 'SFSF'],
    ['three failures', { successThreshold: 1, failureThreshold: 3 }, 'SFFFS', 'S--FS'],
    ['a success between failures', { successThreshold: 1, failureThreshold: 3 }, 'FFSFFF', '--S--F'],
    ['two successes', { successThreshold: 2, failureThreshold: 1 }, 'SSFSS', '-SF-S'],
    ['more than the threshold', { successThreshold: 2, failureThreshold: 2 }, 'FFFSSS', '-FF-SS'],
    ['the defaults, one success and three failures', {}, 'SFFFS', 'S--FS'],
  ])('needs as many in a row as the threshold: %s', (_, probe, results, expected) => {
    expect(
      stored('readiness', probe, results),
      `the results that count stores after the answers ${results} (S: Success, F: Failure, -: none), with ${JSON.stringify(probe)}`,
    ).toBe(expected);
  });

  test('waits for the next tick after each result', () => {
    expect(
      count(probed('readiness'), start, 'Success').next,
      'below and at the threshold, the worker waits for its next tick',
    ).toBe('wait');
  });

  test('remembers the last result, and how often it came in a row', () => {
    const one = probed('readiness');
    const { state } = count(one, count(one, start, 'Failure').state, 'Failure');
    expect(state, 'lastResult and resultRun after a second failure in a row').toEqual({
      ...start,
      lastResult: 'Failure',
      resultRun: 2,
    });
  });

  test.each([
    ['liveness', 'Failure', true],
    ['liveness', 'Success', false],
    ['startup', 'Success', true],
    ['startup', 'Failure', true],
    ['readiness', 'Failure', false],
    ['readiness', 'Success', false],
  ] as const)('a %s worker that stores %s goes on hold: %s', (type, result, onHold) => {
    const tick = count(probed(type, { failureThreshold: 1 }), start, result);
    expect(tick.results, 'the threshold is reached: count must store the result').toEqual([result]);
    expect(
      tick.state.onHold,
      'onHold: after a stored liveness failure or startup result, the worker waits for the next container',
    ).toBe(onHold);
    expect(
      tick.state.resultRun,
      'resultRun: 0 if the worker goes on hold, else the number of equal results in a row',
    ).toBe(onHold ? 0 : 1);
  });

  test('does not go on hold below the threshold', () => {
    expect(
      count(probed('liveness'), start, 'Failure').state.onHold,
      'the failure is below failureThreshold: the liveness worker is not on hold',
    ).toBe(false);
    expect(
      count(probed('startup'), start, 'Failure').state.onHold,
      'the failure is below failureThreshold: the startup worker is not on hold',
    ).toBe(false);
  });
});
