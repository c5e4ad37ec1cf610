import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceEntry } from '../sim/index.ts';
import { drawTimeline, entriesOf } from './timeline.ts';

const apply: readonly TraceEntry[] = [
  { atMs: 1, actor: 'kubectl', verb: 'get', object: 'deployments/default/web', outcome: 'NotFound' },
  {
    atMs: 3,
    actor: 'kubectl',
    verb: 'create',
    object: 'deployments/default/web',
    outcome: 'ok',
    revision: 5,
  },
  { atMs: 4, actor: 'informer', verb: 'ADDED', object: 'deployments/default/web', revision: 5 },
  { atMs: 1000.25, actor: 'informer', verb: 'log', note: 'onAdd\n  web' },
];

const ticks = (...timesMs: readonly number[]): readonly TraceEntry[] =>
  timesMs.map((atMs, index) => ({ atMs, actor: 'clock', verb: `tick-${index}` }));

describe('A timeline', () => {
  test('has one line per entry, in columns', () => {
    expect(drawTimeline(apply)).toEqual([
      '      t=1ms  kubectl   get deployments/default/web     NotFound',
      '      t=3ms  kubectl   create deployments/default/web  ok · revision 5',
      '      t=4ms  informer  ADDED deployments/default/web   revision 5',
      't=1000.25ms  informer  log                             onAdd web',
    ]);
  });

  test('knows the entry of each line, if it is whole', () => {
    expect(entriesOf(drawTimeline(apply))).toEqual(apply);
    expect(entriesOf(drawTimeline(apply, { around: { atMs: 3, count: 2 } }))).toBeUndefined();
    expect(entriesOf(['t=1ms  kubectl  get'])).toBeUndefined();
  });

  test('without entries has no lines', () => {
    expect(drawTimeline([])).toEqual([]);
    expect(drawTimeline([], { around: { atMs: 0, count: 3 } })).toEqual([]);
  });

  test('keeps its columns if one cell is very long', () => {
    const long = { atMs: 5, actor: 'kubelet', verb: 'get', object: 'x'.repeat(80), outcome: 'ok' };
    const [first, , , , last] = drawTimeline([...apply, long]);
    expect(first).toBe('      t=1ms  kubectl   get deployments/default/web     NotFound');
    expect(last).toBe(`      t=5ms  kubelet   get ${'x'.repeat(80)}  ok`);
  });

  test('rounds fractions of a millisecond to three digits', () => {
    expect(drawTimeline(ticks(0.1 + 0.2))).toEqual(['t=0.3ms  clock  tick-0']);
  });
});

describe('A timeline around a moment', () => {
  const shown = (timesMs: readonly number[], around: { atMs: number; count: number }): string[] =>
    drawTimeline(ticks(...timesMs), { around }).map((line) => line.replace(/^.*(?=tick)/, ''));

  test('shows the nearest entries, and the numbers of omitted ones', () => {
    expect(shown([0, 10, 20, 30, 40], { atMs: 20, count: 3 })).toEqual([
      '… 1 earlier',
      'tick-1',
      'tick-2',
      'tick-3',
      '… 1 later',
    ]);
  });

  test('prefers earlier entries', () => {
    expect(shown([0, 10, 20, 30], { atMs: 20, count: 2 })).toEqual([
      '… 1 earlier',
      'tick-1',
      'tick-2',
      '… 1 later',
    ]);
  });

  test('shows the last entries if the time is later than all', () => {
    expect(shown([0, 10, 20], { atMs: 99, count: 2 })).toEqual(['… 1 earlier', 'tick-1', 'tick-2']);
  });

  test('shows everything if the count exceeds the number of entries', () => {
    expect(shown([0, 10], { atMs: 0, count: 9 })).toEqual(['tick-0', 'tick-1']);
  });

  test('Exact: it shows exactly the requested number of nearest entries, and counts the rest', () => {
    const times = fc.array(fc.nat({ max: 50 }), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(times, fc.nat({ max: 60 }), fc.nat({ max: 40 }), (timesMs, atMs, count) => {
        const lines = shown(timesMs, { atMs, count });
        const indices = lines.flatMap((line) => (/^tick-(\d+)$/.exec(line)?.[1] ?? []) as string).map(Number);
        const omitted = lines
          .map((line) => Number(/^… (\d+)/.exec(line)?.[1] ?? 0))
          .reduce((a, b) => a + b, 0);
        expect(indices).toHaveLength(Math.min(count, timesMs.length));
        expect(indices.length + omitted).toBe(timesMs.length);
        const distance = (index: number): number => Math.abs((timesMs[index] ?? 0) - atMs);
        const farthest = Math.max(0, ...indices.map(distance));
        const others = timesMs.map((_, index) => index).filter((index) => !indices.includes(index));
        for (const index of others) expect(distance(index)).toBeGreaterThanOrEqual(farthest);
      }),
    );
  });
});

describe('A timeline of a violation', () => {
  test('marks exactly one entry, even among equal ones', () => {
    const entries = ticks(1, 1, 1).map((entry) => ({ ...entry, verb: 'tick' }));
    const [, violation] = entries;
    expect(violation).toBeDefined();
    expect(drawTimeline(entries, violation ? { violation } : {})).toEqual([
      '  t=1ms  clock  tick',
      '✗ t=1ms  clock  tick',
      '  t=1ms  clock  tick',
    ]);
  });

  test('indents the counts of omitted entries like the rest', () => {
    const [first, second, third] = ticks(1, 2, 3) as [TraceEntry, TraceEntry, TraceEntry];
    expect(
      drawTimeline([first, second, third], { violation: second, around: { atMs: 2, count: 1 } }),
    ).toEqual(['  … 1 earlier', '✗ t=2ms  clock  tick-1', '  … 1 later']);
  });
});
