import { expect, test } from 'vitest';
import { CycleState, type FilterPlugin, type Profile, success } from '../contracts/framework/index.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../laws/scheduling/levels/objects.ts';
import { tracedProfile } from './traced-profile.ts';

const pod = aSchedulingPod({ name: 'web' });
const found = { feasible: [], nextStartIndex: 1 } as never;

function recorded(filter: FilterPlugin['filter'], nodes: number): readonly string[] {
  const lines: string[] = [];
  const plugin: FilterPlugin = { name: 'Moody', filter, eventsToRegister: () => [] };
  const filtering = { plugins: [plugin], findNodesThatFit: () => found, fitErrorMessage: () => '' };
  const scoring = {
    plugins: [],
    selectHost: () => '',
    prioritizeNodes: ({ feasible }) => feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
  } satisfies Profile['scoring'];
  const profile = { schedulerName: 'x', filtering, scoring, reserve: [], bind: [] };
  const snapshot = aSnapshot(Array.from({ length: nodes }, (_, i) => aSchedulingNode(`node-${i}`)));
  const { plugins, findNodesThatFit } = tracedProfile(profile, (_, line) => lines.push(line)).filtering;
  const result = findNodesThatFit({ plugins, state: new CycleState(), pod, snapshot });
  expect(result, 'what was decided').toBe(found);
  return lines;
}

test('A decision is explained with one line per node', () => {
  expect(recorded(() => success, 1)).toEqual([
    'default/web goes to node-0 (1 of 1 nodes can do)',
    'node-0  ✓ 0 = no opinion',
  ]);
});

test('A plugin that throws during the explanation changes no decision', () => {
  const moody = (): never => {
    throw new Error('not now');
  };
  expect(recorded(moody, 1)).toEqual(['cannot be explained: Error: not now']);
});

test('In a large cluster no decision is explained', () => {
  expect(recorded(() => success, 21)).toEqual([]);
});
