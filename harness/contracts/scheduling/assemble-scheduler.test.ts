import { expect, test } from 'vitest';
import type { Node } from '../../api/objects.ts';
import { aSchedulingNode } from '../../laws/scheduling/index.ts';
import { nodeChanged } from './assemble-scheduler.ts';

test('An added, changed or deleted node is passed to the cache, and then to the queue', () => {
  const told: string[] = [];
  const cache = {
    addNode: () => told.push('cache: add'),
    updateNode: () => told.push('cache: update'),
    removeNode: () => told.push('cache: remove'),
  };
  const queue = {
    moveAllToActiveOrBackoffQueue: ({ resource, actionType }: { resource: string; actionType: string }) =>
      told.push(`queue: ${resource}/${actionType}`),
  };
  const change = (previous: Node | undefined, current: Node | undefined): string[] => {
    nodeChanged({ cache, queue } as never, previous, current);
    return told.splice(0);
  };
  const [first, second] = [aSchedulingNode('a'), aSchedulingNode('a', { labels: { disk: 'ssd' } })];
  expect(change(undefined, first)).toEqual(['cache: add', 'queue: Node/Add']);
  expect(change(first, aSchedulingNode('a'))).toEqual(['cache: update']);
  expect(change(first, second)).toEqual(['cache: update', 'queue: Node/UpdateNodeLabel']);
  expect(change(second, undefined)).toEqual(['cache: remove', 'queue: Node/Delete']);
});
