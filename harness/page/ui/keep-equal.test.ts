import { describe, expect, test } from 'vitest';
import { keepEqual } from './keep-equal.ts';

const view = () => ({
  atMs: 5,
  pods: [
    { uid: 'a', status: 'Running', containers: [{ name: 'web', isReady: true }] },
    { uid: 'b', status: 'Pending', containers: [] },
  ],
});

describe('A copy of a view', () => {
  test('is the view itself if nothing has changed', () => {
    const before = view();
    expect(keepEqual(before, view())).toBe(before);
  });

  test('shares its unchanged parts', () => {
    const before = view();
    const next = keepEqual(before, { ...view(), atMs: 6 });
    expect(next).toEqual({ ...view(), atMs: 6 });
    expect(next.pods).toBe(before.pods);
  });

  test('shares the items of a list that have moved', () => {
    const before = view();
    const next = keepEqual(before, { ...view(), pods: view().pods.slice(1) });
    expect(next.pods).not.toBe(before.pods);
    expect(next.pods[0]).toBe(before.pods[1]);
  });

  test('loses the fields that have been removed', () => {
    const next: { a: number; b?: number } = { a: 1 };
    expect(keepEqual({ a: 1, b: 2 }, next)).toEqual({ a: 1 });
  });
});
