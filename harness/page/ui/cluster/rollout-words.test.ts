import { describe, expect, test } from 'vitest';
import { rolloutWords } from './rollout-words.ts';
import { deployment } from './views.fixture.ts';

const web = { ...deployment('web', ['web-new', 'web-old']), isComplete: false };

describe('A roll-out', () => {
  test('shows the number of updated pods', () => {
    expect(rolloutWords({ ...web, updated: 1 })).toBe('rolls out: 1 of 3 updated');
  });

  test('waits for the old pods to end', () => {
    const replicaSets = web.replicaSets.map((one) => ({ ...one, current: 1 }));
    expect(rolloutWords({ ...web, replicaSets })).toBe('rolls out: 1 old pod left');
  });

  test('waits for the pods to be available', () => {
    expect(rolloutWords({ ...web, available: 2 })).toBe('2 of 3 available');
  });

  test('that is stuck shows the reason', () => {
    const stuck = { ...web, updated: 1, stuck: 'ProgressDeadlineExceeded' };
    expect(rolloutWords(stuck)).toBe('stuck: ProgressDeadlineExceeded');
  });

  test('that is paused or complete is called so', () => {
    expect(rolloutWords({ ...web, isPaused: true })).toBe('paused');
    expect(rolloutWords({ ...web, isComplete: true })).toBe('complete');
  });
});
