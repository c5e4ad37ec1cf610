import { describe, expect, test } from 'vitest';
import { countWords, labelOf, markOf, splitName } from './pod-mark.ts';
import { pod } from './views.fixture.ts';

describe('The mark of a pod', () => {
  test.each([
    ['is ready', {}, 'disc', 'Running'],
    ['runs, but is not ready', { isReady: false }, 'half', 'not ready'],
    [
      'waits for a node',
      { phase: 'Pending', status: 'Pending', isReady: false, node: undefined },
      'dashed',
      'Pending',
    ],
    [
      'starts',
      { phase: 'Pending', status: 'ContainerCreating', isReady: false },
      'ring',
      'ContainerCreating',
    ],
    ['crashes', { status: 'CrashLoopBackOff', isReady: false }, 'cross', 'CrashLoopBackOff'],
    ['has no image', { phase: 'Pending', status: 'ErrImagePull', isReady: false }, 'cross', 'ErrImagePull'],
    ['failed', { phase: 'Failed', status: 'Evicted', isReady: false }, 'cross', 'Evicted'],
    ['is done', { phase: 'Succeeded', status: 'Completed', isReady: false }, 'check', 'Completed'],
    ['ends', { status: 'Terminating', isTerminating: true }, 'minus', 'Terminating'],
  ] as const)('that %s', (_, more, shape, word) => {
    const mark = markOf(pod('web-1', more));
    expect([mark.shape, mark.word]).toEqual([shape, word]);
  });

  test('is a question while its node does not report, unless it ends', () => {
    expect(markOf(pod('web-1', { isReady: false }), true)).toMatchObject({
      shape: 'question',
      word: 'unknown',
    });
    expect(markOf(pod('web-1', { isTerminating: true }), true)).toMatchObject({ shape: 'minus' });
  });
});

describe('The label of a pod', () => {
  test('says all that its box shows', () => {
    expect(labelOf(pod('web-1', { restarts: 2 }))).toBe(
      'Pod default/web-1, Running, ready, on node-1, address 10.244.1.5, 2 restarts, of ReplicaSet web-7d4b9c',
    );
  });

  test('says that it has no node yet', () => {
    expect(labelOf(pod('web-1', { node: undefined, ip: undefined, isReady: false, owner: undefined }))).toBe(
      'Pod default/web-1, Running, not ready, without a node',
    );
  });
});

test('The tail of a name tells a pod from its siblings', () => {
  expect(splitName('web-7d4b9c5f8-x2x9k')).toEqual({ head: 'web-7d4b9c5f8', tail: '-x2x9k' });
  expect(splitName('curl')).toEqual({ head: 'curl', tail: '' });
});

test('The counts of many pods begin with the most frequent', () => {
  const pods = [pod('a', { isReady: false }), pod('b'), pod('c')];
  expect(countWords(pods)).toBe('2 Running, 1 not ready');
});
