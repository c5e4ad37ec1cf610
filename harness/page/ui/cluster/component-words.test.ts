import { describe, expect, test } from 'vitest';
import type { ComponentView } from '../../protocol/view.ts';
import { labelOfComponent, wordsOf } from './component-words.ts';

const component = (more: Partial<ComponentView> = {}): ComponentView => ({
  name: 'replicaset-controller',
  part: 'replicaSetController',
  owner: 'reference',
  state: 'running',
  starts: 1,
  queued: 0,
  caches: [
    { resource: 'pods', objects: 3, revision: 40, behind: 0 },
    { resource: 'replicasets.apps', objects: 1, revision: 40, behind: 0 },
  ],
  behind: 0,
  ...more,
});

const late: Partial<ComponentView> = {
  caches: [{ resource: 'replicasets.apps', objects: 3, revision: 37, behind: 3 }],
  behind: 3,
};

describe('The line of a component', () => {
  test('shows its queue and that its caches are current', () => {
    expect(wordsOf(component())).toEqual({ text: 'queue 0 · caches current', tone: 'soft' });
  });

  test('names the cache that is furthest behind', () => {
    expect(wordsOf(component(late))).toEqual({ text: 'queue 0 · replicasets 3 behind', tone: 'warn' });
  });

  test('says that a cache has not been filled yet', () => {
    expect(wordsOf(component({ caches: [{ resource: 'pods', objects: 0, behind: 0 }] })).text).toBe(
      'queue 0 · caches fill',
    );
  });

  test('shows the first line of the error of a component that gave up', () => {
    const error = { atMs: 1, message: 'TypeError: x is undefined\n  at sync' };
    expect(wordsOf(component({ state: 'gave up', error }))).toEqual({
      text: 'gave up: TypeError: x is undefined',
      tone: 'bad',
    });
  });
});

test('The label of a component says all that its box shows', () => {
  expect(labelOfComponent(component({ ...late, owner: 'yours', starts: 2, queued: 1 }))).toBe(
    'replicaset-controller, your code, running, started 2 times, 1 item in its queue, its cache of replicasets is 3 behind',
  );
});
