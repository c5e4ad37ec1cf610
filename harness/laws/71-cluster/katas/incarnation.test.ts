import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../sim/index.ts';
import type { ClusterHistory } from '../history.ts';
import { endOf, Incarnation } from './incarnation.ts';

describe('Incarnation', () => {
  test('measures the time of the simulation, also on a clock that is wrong', async () => {
    const sim = new Simulation();
    const clock = sim.clockFor('kubelet-node-1');
    await sim.run({ forMs: 1_000 });
    clock.skewMs = 5_000;
    const incarnation = new Incarnation(clock);
    await sim.run({ forMs: 500 });

    expect(incarnation).toMatchObject({ process: 'kubelet-node-1', fromMs: 1_000, elapsedMs: 1_500 });
  });
});

describe('endOf', () => {
  test('is the first crash after the start', () => {
    const history = historyWith({ crashes: [500, 2_000, 3_000] });

    expect(endOf(history, startedAt(1_000))).toEqual({ atMs: 2_000, isAlive: false });
  });

  test('is the first jump of the clock of its node', () => {
    const history = historyWith({
      crashes: [3_000],
      jumps: [
        ['node-2', 1_500],
        ['node-1', 2_000],
      ],
    });

    expect(endOf(history, startedAt(1_000))).toEqual({ atMs: 2_000, isAlive: false });
  });

  test('is the end of the history for a process that runs on', () => {
    expect(endOf(historyWith({ crashes: [500] }), startedAt(1_000))).toEqual({ atMs: 9_000, isAlive: true });
  });
});

const startedAt = (fromMs: number) => ({ process: 'kubelet-node-1', fromMs }) as Incarnation;

function historyWith({
  crashes,
  jumps = [],
}: {
  crashes: readonly number[];
  jumps?: readonly (readonly [node: string, atMs: number])[];
}): ClusterHistory {
  return {
    endMs: 9_000,
    trace: crashes.map((atMs) => ({ actor: 'kubelet-node-1', verb: 'crash', atMs })),
    starts: [{ process: 'kubelet-node-1', atMs: 0 }],
    struck: jumps.map(([node, atMs]) => ({ fault: { fault: 'clock-jump', node, byMs: 1 }, atMs })),
    machines: new Map([
      ['node-1', []],
      ['node-2', []],
    ]),
  } as unknown as ClusterHistory;
}
