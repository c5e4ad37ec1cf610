import { describe, expect, test } from 'vitest';
import { chooseProbes } from './choose-probes.ts';
import type { Probe } from './probe.ts';

const probe = (test: string, path: string): Probe => ({ test, seed: 1, input: { path } });
const rowsOf = (...rows: readonly string[]): readonly (readonly string[])[] => rows.map((row) => [...row]);
const all = { probesMax: 9, inputsMax: 9, margin: 1 };

describe('A choice of probes', async () => {
  test('begins with the probe that separates the most pairs, and ends when every pair is separated', async () => {
    const candidates = [probe('a', '0'), probe('b', '1'), probe('c', '2'), probe('d', '3')];
    const rows = rowsOf('....', 'x..x', '.xx.', 'xxy.');
    expect(await chooseProbes(candidates, rows, all)).toEqual([2, 0]);
  });

  test('omits a probe with the same outcome in all rows', async () => {
    expect(await chooseProbes([probe('a', '0'), probe('b', '0')], rowsOf('x.', 'xx'), all)).toEqual([1]);
  });

  test('separates each pair by as many probes as the margin asks for', async () => {
    const candidates = [probe('a', '0'), probe('b', '1'), probe('c', '2')];
    expect(await chooseProbes(candidates, rowsOf('...', 'xxx'), { ...all, margin: 2 })).toEqual([0, 1]);
  });

  test('takes further probes only on the inputs that it has, once it has enough of them', async () => {
    const candidates = [probe('a', '0'), probe('b', '1'), probe('c', '0')];
    const rows = rowsOf('...', 'x..', '.x.', 'x.x');
    expect(await chooseProbes(candidates, rows, { ...all, inputsMax: 1 })).toEqual([0, 2]);
  });

  test('does not count an unknown outcome as a difference', async () => {
    expect(await chooseProbes([probe('a', '0')], rowsOf('.', '-'), all)).toEqual([]);
  });
});
