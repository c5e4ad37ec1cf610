import { describe, expect, test } from 'vitest';
import { framework } from '#harness';
import { findNodesThatFit, numFeasibleNodesToFind } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '#laws/scheduling';
import { explained, type Found, full, namesOf, never, silent } from './sum.fixture.ts';
import { say } from './verdicts.fixture.ts';

describe('Level 6 · The sum', () => {
  test.each([
    ['no nodes', 0, 0, 0],
    ['fewer than 100 nodes: all', 0, 1, 1],
    ['fewer than 100 nodes: all, whatever the percentage', 5, 99, 99],
    ['at least 100', 0, 100, 100],
    ['49%, but at least 100', 0, 200, 100],
    ['48%', 0, 250, 120],
    ['43%, rounded down', 0, 999, 429],
    ['42%', 0, 1_000, 420],
    ['10%', 0, 5_000, 500],
    ['2%, but at least 5%', 0, 6_000, 300],
    ['less than nothing, but at least 5%', 0, 20_000, 1_000],
    ['40%', 40, 1_000, 400],
    ['33%, rounded down', 33, 1_001, 330],
    ['50 nodes, but at least 100', 5, 1_000, 100],
    ['1%, since the profile says so', 1, 20_000, 200],
    ['all', 100, 1_000, 1_000],
  ])('returns the number of nodes to find: %s', (_, percentage, all, wanted) =>
    expect(numFeasibleNodesToFind(percentage, all), `${percentage}% of ${all} nodes`).toBe(wanted),
  );

  const pod = aSchedulingPod({ name: 'web' });
  const ok = framework.success;
  const cluster = (count: number): framework.Snapshot =>
    aSnapshot(Array.from({ length: count }, (_, i) => aSchedulingNode(`n${i}`)));

  /** A plugin that returns this status for these nodes, and accepts all others. */
  const plugin = (
    name: string,
    verdicts: Readonly<Record<string, framework.Status>> = {},
    parts: Partial<framework.FilterPlugin> = {},
  ): framework.FilterPlugin => ({
    name,
    filter: (_state, _pod, info) => verdicts[info.name] ?? ok,
    eventsToRegister: () => [],
    ...parts,
  });

  const find = (
    plugins: readonly framework.FilterPlugin[],
    snapshot: framework.Snapshot,
    parts: Partial<framework.FindNodes> = {},
  ): Found => findNodesThatFit({ plugins, state: new framework.CycleState(), pod, snapshot, ...parts });
  /** Formats the result as plain text. */
  const outcome = (found: Found) => ({
    feasible: namesOf(found),
    told: Object.fromEntries([...found.diagnosis.nodeToStatus].map(([name, status]) => [name, say(status)])),
    by: [...found.diagnosis.unschedulablePlugins].toSorted(),
    preFilterMsg: found.diagnosis.preFilterMsg,
  });

  test('returns every node without plugins', () => {
    const snapshot = cluster(3);
    const found = find([], snapshot);
    expect(outcome(found)).toEqual({ feasible: ['n0', 'n1', 'n2'], told: {}, by: [], preFilterMsg: '' });
    expect(found.feasible[1], 'the NodeInfo of the snapshot').toBe(snapshot.nodeInfos[1]);
  });

  test('returns the nodes that no plugin rejects, and records the status of the others', () => {
    const plugins = [plugin('A', { n0: full }), plugin('B', { n2: never })];
    const snapshot = cluster(4);
    expect(outcome(find(plugins, snapshot)), explained(plugins, pod, snapshot)).toEqual({
      feasible: ['n1', 'n3'],
      told: { n0: 'Unschedulable: full', n2: 'UnschedulableAndUnresolvable: never here' },
      by: ['A', 'B'],
      preFilterMsg: '',
    });
  });

  test('calls no plugin after the first one that rejects a node', () => {
    const later = plugin('C', {}, { filter: silent('C was asked about a node that B had turned down.') });
    const plugins = [plugin('A'), plugin('B', { n0: full, n1: full }), later];
    const snapshot = cluster(2);
    expect(outcome(find(plugins, snapshot)), 'B rejects n0 and n1').toEqual({
      feasible: [],
      told: { n0: 'Unschedulable: full', n1: 'Unschedulable: full' },
      by: ['B'],
      preFilterMsg: '',
    });
  });

  test('keeps all reasons of the rejecting plugin', () => {
    const short = framework.unschedulable('Insufficient cpu', 'Insufficient memory');
    const { diagnosis } = find([plugin('A', { n0: short })], cluster(1));
    expect(diagnosis.nodeToStatus.get('n0')?.reasons).toEqual(['Insufficient cpu', 'Insufficient memory']);
  });

  test('calls each preFilter once, with the whole snapshot, before any filter', () => {
    const snapshot = cluster(2);
    const asked: string[] = [];
    const noting = (name: string): framework.FilterPlugin => ({
      ...plugin(name),
      preFilter: (_state, of, all) => {
        expect(of).toBe(pod);
        expect(all).toBe(snapshot);
        asked.push(`${name} before`);
        return ok;
      },
      filter: (_state, _pod, info) => {
        asked.push(`${name} ${info.name}`);
        return ok;
      },
    });
    find([noting('A'), noting('B')], snapshot);
    expect(asked.slice(0, 2)).toEqual(['A before', 'B before']);
    expect(asked.slice(2).toSorted()).toEqual(['A n0', 'A n1', 'B n0', 'B n1']);
  });

  test('passes the given state to preFilter and filter', () => {
    const key = framework.stateKey<string>('PreFilterA');
    const state = new framework.CycleState();
    const writing = plugin(
      'A',
      {},
      {
        preFilter(to) {
          to.write(key, 'n1');
          return ok;
        },
        filter: (from, _pod, info) => (from.read(key) === info.name ? ok : full),
      },
    );
    expect(namesOf(find([writing], cluster(3), { state }))).toEqual(['n1']);
    expect(state.read(key)).toBe('n1');
  });

  test('does not call the filter of a skipped plugin, and records it in the state', () => {
    const state = new framework.CycleState();
    const skipping = plugin(
      'A',
      {},
      {
        preFilter: () => framework.skip,
        filter: silent('The filter of A was asked after its preFilter had said Skip.'),
      },
    );
    expect(namesOf(find([skipping, plugin('B', { n0: full })], cluster(2), { state }))).toEqual(['n1']);
    expect([...state.skipFilterPlugins], 'state.skipFilterPlugins').toEqual(['A']);
  });

  /** A plugin whose preFilter says this. */
  const rejecting = (name: string, status: framework.Status): framework.FilterPlugin =>
    plugin(
      name,
      {},
      { preFilter: () => status, filter: silent(`The filter of ${name} was asked about a node.`) },
    );

  test('searches no node when a preFilter rejects the pod, and joins its reasons', () => {
    const found = find([rejecting('A', framework.unresolvable('this', 'that'))], cluster(3), {
      startIndex: 2,
    });
    expect(
      outcome(found),
      'only the preFilter of A rejected the pod, with the reasons "this" and "that"',
    ).toEqual({ feasible: [], told: {}, by: ['A'], preFilterMsg: 'this, that' });
    expect(found.nextStartIndex, 'no node had its turn').toBe(2);
  });

  test('calls no other plugin after an unresolvable preFilter', () => {
    const unasked = plugin(
      'B',
      {},
      { preFilter: silent('B was asked after A had turned the pod away for good.') },
    );
    expect(outcome(find([rejecting('A', never), unasked], cluster(1))).by, 'unschedulablePlugins').toEqual([
      'A',
    ]);
  });

  test('calls the other preFilters after an Unschedulable one: the last rejection counts, or an unresolvable one', () => {
    const later = framework.unschedulable('later');
    const afterFull = (second: framework.Status) => {
      const { by, preFilterMsg } = outcome(find([rejecting('A', full), rejecting('B', second)], cluster(1)));
      const message = `the preFilter of A returned "${say(full)}", then that of B "${say(second)}": the last rejection is the result`;
      return expect({ by, preFilterMsg }, message);
    };
    afterFull(ok).toEqual({ by: ['A'], preFilterMsg: 'full' });
    afterFull(later).toEqual({ by: ['B'], preFilterMsg: 'later' });
    afterFull(never).toEqual({ by: ['B'], preFilterMsg: 'never here' });
    afterFull(framework.skip).toEqual({ by: ['A'], preFilterMsg: 'full' });
  });

  test('starts at startIndex, and wraps around', () => {
    const found = find([plugin('A', { n3: full })], cluster(4), { startIndex: 2 });
    expect(namesOf(found), 'four nodes from startIndex 2 on; n3 is rejected').toEqual(['n2', 'n0', 'n1']);
    expect(found.nextStartIndex, 'all four were looked at').toBe(2);
  });

  test('accepts a startIndex beyond the last node', () => {
    expect(namesOf(find([], cluster(3), { startIndex: 3 })), 'startIndex 3 of 3 nodes is n0').toEqual([
      'n0',
      'n1',
      'n2',
    ]);
    expect(namesOf(find([], cluster(3), { startIndex: 7 })), 'startIndex 7 of 3 nodes is n1').toEqual([
      'n1',
      'n2',
      'n0',
    ]);
  });

  test('returns nothing for an empty snapshot', () => {
    const found = find([plugin('A')], cluster(0), { startIndex: 5 });
    expect(outcome(found)).toEqual({ feasible: [], told: {}, by: [], preFilterMsg: '' });
    expect(found.nextStartIndex, 'nextStartIndex of an empty cluster').toBe(0);
  });

  test('stops when it has enough nodes, and returns the next start index', () => {
    const snapshot = cluster(300);
    const first = find([plugin('A')], snapshot);
    expect(first.feasible.length, 'all 300 nodes fit; enough are 48 % of them, which are 144').toBe(144);
    expect(namesOf(first).at(-1), 'the last of 144 nodes from n0 on').toBe('n143');
    expect(first.nextStartIndex, 'nextStartIndex after n0 to n143').toBe(144);
    const second = find([plugin('A')], snapshot, { startIndex: first.nextStartIndex });
    expect(namesOf(second)[0], 'the first node from startIndex 144 on').toBe('n144');
    expect(second.nextStartIndex, 'nextStartIndex after n144 to n287').toBe(288);
    const third = find([plugin('A')], snapshot, { startIndex: second.nextStartIndex });
    expect(
      [namesOf(third)[0], namesOf(third)[12]],
      'from startIndex 288 on, and after n299 from n0 on',
    ).toEqual(['n288', 'n0']);
    expect(third.nextStartIndex, 'nextStartIndex after n288 to n299 and n0 to n131').toBe(132);
  });

  test('counts rejected nodes in the next start index', () => {
    const odd = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`n${2 * i + 1}`, full]));
    const found = find([plugin('A', odd)], cluster(300), { startIndex: 10, percentageOfNodesToScore: 40 });
    expect(found.feasible.length, 'the even nodes fit; enough are 40 % of 300').toBe(120);
    expect(found.diagnosis.nodeToStatus.size, 'the odd nodes between the 120 that fit').toBe(119);
    expect(found.nextStartIndex, 'from startIndex 10 on, 120 + 119 nodes were looked at').toBe(249);
  });

  test('searches all nodes when few are feasible', () => {
    const found = find(
      [plugin('A', {}, { filter: (_s, _p, { name }) => (name === 'n299' ? ok : full) })],
      cluster(300),
    );
    expect(namesOf(found), 'the only node of 300 that fits').toEqual(['n299']);
    expect(found.diagnosis.nodeToStatus.size, 'the rejected nodes').toBe(299);
    expect(found.nextStartIndex, 'all 300 nodes were looked at, from 0 on').toBe(0);
  });

  test('lets the error of a plugin through', () => {
    const failing = plugin('A', {}, { filter: silent('out of order') });
    expect(() => find([failing], cluster(1))).toThrow('out of order');
  });
});
