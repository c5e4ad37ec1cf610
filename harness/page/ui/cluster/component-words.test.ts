import { describe, expect, test } from 'vitest';
import type { ComponentView } from '../../protocol/view.ts';
import { briefLag, labelOfComponent, wordsOf } from './component-words.ts';

const component = (more: Partial<ComponentView> = {}): ComponentView => ({
  name: 'replicaset-controller',
  part: 'replicaSetController',
  owner: 'reference',
  state: 'running',
  starts: 1,
  queued: 0,
  caches: [
    { resource: 'pods', objects: 3, revision: 40, behind: 0, lag: 'none' },
    { resource: 'replicasets.apps', objects: 1, revision: 40, behind: 0, lag: 'none' },
  ],
  behind: 0,
  lag: 'none',
  ...more,
});

const late: Partial<ComponentView> = {
  caches: [{ resource: 'replicasets.apps', objects: 3, revision: 37, behind: 3, lag: 'late' }],
  behind: 3,
  lag: 'late',
};

describe('The line of a component', () => {
  test('shows its queue and that its caches are current', () => {
    expect(wordsOf(component())).toEqual({ text: 'queue 0 · caches current', tone: 'soft' });
  });

  test('names the cache that is furthest behind', () => {
    expect(wordsOf(component(late))).toEqual({ text: 'queue 0 · replicasets 3 behind', tone: 'warn' });
  });

  test('is calm while an event is on its way, as always for some milliseconds', () => {
    const moving = { resource: 'pods', objects: 3, revision: 39, behind: 1, lag: 'moving' } as const;
    expect(wordsOf(component({ caches: [moving], behind: 1, lag: 'moving' }))).toEqual({
      text: 'queue 0 · caches current',
      tone: 'soft',
    });
  });

  test('names the caches whose events a fault holds back, even without a new write', () => {
    const held = { resource: 'replicasets.apps', objects: 3, revision: 37, behind: 0, lag: 'held' } as const;
    const pods = { resource: 'pods', objects: 3, revision: 37, behind: 0, lag: 'none' } as const;
    expect(wordsOf(component({ caches: [held], lag: 'held' }))).toEqual({
      text: 'held back by a fault',
      tone: 'warn',
    });
    const behind = component({ caches: [pods, { ...held, behind: 2 }], behind: 2, queued: 1, lag: 'held' });
    expect(wordsOf(behind).text).toBe('queue 1 · replicasets held back, 2 behind');
    expect(briefLag(behind)).toBe('held');
  });

  test('says that a cache has not been filled yet', () => {
    expect(
      wordsOf(component({ caches: [{ resource: 'pods', objects: 0, behind: 0, lag: 'none' }] })).text,
    ).toBe('queue 0 · caches fill');
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
