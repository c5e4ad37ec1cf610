import { describe, expect, test } from 'vitest';
import { Results } from '#kata/42-probes/probes';

const C1 = 'containerd://c1';

describe('Level 7 · Results', () => {
  test('knows nothing at first', () => {
    expect(new Results('liveness', () => {}).get(C1), 'a container without a stored result').toBeUndefined();
  });

  test('knows what was stored, of each container', () => {
    const results = new Results('liveness', () => {});
    results.set(C1, 'Success', 'u');
    results.set('containerd://c2', 'Failure', 'u');
    expect([results.get(C1), results.get('containerd://c2')], 'each container has its own result').toEqual([
      'Success',
      'Failure',
    ]);
  });

  test('tells of what has changed, also of the first', () => {
    const told: unknown[] = [];
    const results = new Results('readiness', (update) => told.push(update));
    for (const result of ['Failure', 'Failure', 'Success', 'Success', 'Failure'] as const)
      results.set(C1, result, 'u');
    const update = { podUID: 'u', containerID: C1, type: 'readiness' };
    expect(
      told,
      'onUpdate must be called for the first result and for each change, and not for a result that stays',
    ).toEqual([
      { ...update, result: 'Failure' },
      { ...update, result: 'Success' },
      { ...update, result: 'Failure' },
    ]);
  });

  test('knows a result already when it tells of it', () => {
    const known: unknown[] = [];
    const results: Results = new Results('startup', ({ containerID }) => {
      known.push(results.get(containerID));
    });
    results.set(C1, 'Unknown', 'u');
    expect(known, 'get within onUpdate: set must store the result before it calls onUpdate').toEqual([
      'Unknown',
    ]);
  });

  test('forgets, says nothing of that, and tells anew', () => {
    const told: string[] = [];
    const results = new Results('liveness', ({ result }) => told.push(result));
    results.set(C1, 'Success', 'u');
    results.remove(C1);
    results.remove('containerd://none');
    expect(results.get(C1), 'remove must delete the result').toBeUndefined();
    results.set(C1, 'Success', 'u');
    expect(
      told,
      'the calls of onUpdate: none for remove, and one for the first result after it, although it is the same as before',
    ).toEqual(['Success', 'Success']);
  });
});
