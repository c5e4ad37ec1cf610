import { describe, expect, test } from 'vitest';
import { Results } from '#kata/42-probes/probes';

const C1 = 'containerd://c1';

describe('Level 7 · Results', () => {
  test('has no result at first', () => {
    expect(new Results('liveness', () => {}).get(C1), 'a container without a stored result').toBeUndefined();
  });

  test('returns the stored result of each container', () => {
    const results = new Results('liveness', () => {});
    results.set(C1, 'Success', 'u');
    results.set('containerd://c2', 'Failure', 'u');
    expect([results.get(C1), results.get('containerd://c2')], 'each container has its own result').toEqual([
      'Success',
      'Failure',
    ]);
  });

  test('reports each change, and the first result', () => {
    const updates: unknown[] = [];
    const results = new Results('readiness', (update) => updates.push(update));
    for (const result of ['Failure', 'Failure', 'Success', 'Success', 'Failure'] as const)
      results.set(C1, result, 'u');
    const update = { podUID: 'u', containerID: C1, type: 'readiness' };
    expect(
      updates,
      'onUpdate must be called for the first result and for each change, and not for a result that stays',
    ).toEqual([
      { ...update, result: 'Failure' },
      { ...update, result: 'Success' },
      { ...update, result: 'Failure' },
    ]);
  });

  test('stores a result before it reports it', () => {
    const known: unknown[] = [];
    const results: Results = new Results('startup', ({ containerID }) => {
      known.push(results.get(containerID));
    });
    results.set(C1, 'Unknown', 'u');
    expect(known, 'get within onUpdate: set must store the result before it calls onUpdate').toEqual([
      'Unknown',
    ]);
  });

  test('reports no removal, and reports the first result after it', () => {
    const updates: string[] = [];
    const results = new Results('liveness', ({ result }) => updates.push(result));
    results.set(C1, 'Success', 'u');
    results.remove(C1);
    results.remove('containerd://none');
    expect(results.get(C1), 'remove must delete the result').toBeUndefined();
    results.set(C1, 'Success', 'u');
    expect(
      updates,
      'the calls of onUpdate: none for remove, and one for the first result after it, although it is the same as before',
    ).toEqual(['Success', 'Success']);
  });
});
