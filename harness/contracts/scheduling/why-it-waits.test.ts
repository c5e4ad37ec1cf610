import { expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { aSchedulingPod } from '../../laws/scheduling/index.ts';
import { podScheduledCondition } from './why-it-waits.ts';

test('returns the condition of an unscheduled pod, unless it is already set', () => {
  const now = Date.UTC(2024, 3, 17, 12);
  const withCondition = (condition: object): Pod => ({
    ...aSchedulingPod({ name: 'web' }),
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False' }, condition as never],
    },
  });
  const said = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'full' };
  const since = '2024-04-17T11:00:00Z';
  const say = (pod: Pod, message = 'full') => podScheduledCondition(pod, 'Unschedulable', message, now);
  expect(say(aSchedulingPod({ name: 'web' }))).toEqual({
    ...said,
    lastTransitionTime: '2024-04-17T12:00:00Z',
  });
  expect(say(withCondition({ ...said, lastTransitionTime: since }))).toBeUndefined();
  expect(say(withCondition({ ...said, lastTransitionTime: since }), 'fuller')).toEqual({
    ...said,
    message: 'fuller',
    lastTransitionTime: since,
  });
  const other = withCondition({ ...said, reason: 'SchedulerError', lastTransitionTime: since });
  expect(say(other)).toEqual({ ...said, lastTransitionTime: since });
  const was = withCondition({ type: 'PodScheduled', status: 'True', lastTransitionTime: since });
  expect(say(was)).toEqual({ ...said, lastTransitionTime: '2024-04-17T12:00:00Z' });
});
