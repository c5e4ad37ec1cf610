import { describe, expect, test } from 'vitest';
import { podsToRemove, wantedActive } from '#kata/65-job/job';
import { aJob, anIndexedJob, aPod, namesOf } from './objects.fixture.ts';

describe('Level 4 · How many pods', () => {
  const rows: readonly (readonly [string, Parameters<typeof aJob>[0], number, number, number])[] = [
    ['one pod for each missing completion', { completions: 5, parallelism: 9 }, 0, 3, 2],
    ['at most parallelism', { completions: 9, parallelism: 2 }, 0, 3, 2],
    ['none when enough have succeeded', { completions: 5, parallelism: 2 }, 1, 5, 0],
    ['none when too many have succeeded', { completions: 5, parallelism: 2 }, 1, 6, 0],
    ['none with parallelism 0', { completions: 5, parallelism: 0 }, 2, 0, 0],
    ['parallelism for a work queue', { parallelism: 3 }, 1, 0, 3],
    ['as many as are active once a pod of a work queue has succeeded', { parallelism: 3 }, 2, 1, 2],
    ['all active pods of such a work queue, even above parallelism', { parallelism: 1 }, 3, 1, 3],
    ['none while suspended', { completions: 5, parallelism: 2, suspend: true }, 2, 0, 0],
    ['none of a suspended work queue', { parallelism: 2, suspend: true }, 2, 1, 0],
  ];
  test.each(rows)('wants %s', (_, spec, active, succeeded, expected) => {
    expect(
      wantedActive(aJob(spec), { active, succeeded }),
      `${JSON.stringify(spec)}, ${active} active, ${succeeded} succeeded`,
    ).toBe(expected);
  });

  const pending = aPod({ name: 'pending', phase: 'Pending', node: 'node-1' });
  const free = aPod({ name: 'free', phase: 'Pending' });
  const running = aPod({ name: 'running', node: 'node-1' });
  const ready = aPod({ name: 'ready', node: 'node-1', ready: true });
  const all = [ready, pending, running, free];

  test('removes the pods that have come less far', () => {
    expect(namesOf(podsToRemove(aJob(), all, 3)), '3 of 4').toEqual(['free', 'pending', 'running']);
    expect(namesOf(podsToRemove(aJob(), all, 0)), '0 of 4').toEqual([]);
    expect(namesOf(all), 'the active pods must not change').toEqual(['ready', 'pending', 'running', 'free']);
  });

  const job = anIndexedJob(3);

  test('removes pods without a valid index first, even if no pod is too many', () => {
    const pods = [
      aPod({ name: 'zero', index: 0, phase: 'Pending' }),
      aPod({ name: 'none', ready: true, node: 'node-1' }),
      aPod({ name: 'three', index: 3, ready: true, node: 'node-1' }),
    ];
    expect(namesOf(podsToRemove(job, pods, 0)).sort(), '3 completions: index 3 does not exist').toEqual([
      'none',
      'three',
    ]);
  });

  test('keeps the best pod of each index', () => {
    const pods = [
      aPod({ name: 'a', index: 0, ready: true, node: 'node-1' }),
      aPod({ name: 'b', index: 0, phase: 'Pending' }),
      aPod({ name: 'c', index: 1, phase: 'Pending' }),
      aPod({ name: 'd', index: 1, node: 'node-1' }),
    ];
    expect(namesOf(podsToRemove(job, pods, 0)).sort(), 'a and b have index 0, c and d have index 1').toEqual([
      'b',
      'c',
    ]);
  });

  test('removes more pods if the needless ones are not enough', () => {
    const pods = [
      aPod({ name: 'a', index: 0, ready: true, node: 'node-1' }),
      aPod({ name: 'b', index: 0, phase: 'Pending' }),
      aPod({ name: 'c', index: 1, phase: 'Pending' }),
    ];
    expect(namesOf(podsToRemove(job, pods, 1)), '1 of 3').toEqual(['b']);
    expect(namesOf(podsToRemove(job, pods, 2)).sort(), '2 of 3').toEqual(['b', 'c']);
    expect(namesOf(podsToRemove(job, pods, 3)).sort(), '3 of 3').toEqual(['a', 'b', 'c']);
  });
});
