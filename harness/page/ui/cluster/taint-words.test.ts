import { expect, test } from 'vitest';
import { briefTaints } from './taint-words.ts';

test('The taints of a dead node are one, which evicts its pods', () => {
  const key = 'node.kubernetes.io/unreachable';
  const cordoned = 'node.kubernetes.io/unschedulable:NoSchedule';
  expect(briefTaints([`${key}:NoExecute`, cordoned, `${key}:NoSchedule`, 'gpu=a/b:NoSchedule'])).toEqual([
    'unschedulable:NoSchedule',
    'unreachable:NoExecute',
    'gpu=a/b:NoSchedule',
  ]);
});
