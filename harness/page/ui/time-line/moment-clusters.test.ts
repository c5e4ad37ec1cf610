import { describe, expect, test } from 'vitest';
import type { Moment } from '../../protocol/message.ts';
import { clusterMoments, headlines, momentAfter, momentBefore } from './moment-clusters.ts';

const moment = (atMs: number, kind: Moment['kind'] = 'pod-ready'): Moment => ({
  atMs,
  kind,
  text: `${kind} at ${atMs}`,
});

describe('Marks of the time line', () => {
  test('stand alone where there is room', () => {
    expect(clusterMoments([moment(0), moment(100), moment(200)], 100).map(({ atMs }) => atMs)).toEqual([
      0, 100, 200,
    ]);
  });

  test('are never closer to each other than the distance', () => {
    const crowded = Array.from({ length: 500 }, (_, index) => moment(index * 7));
    const marks = clusterMoments(crowded, 100);
    marks.slice(1).forEach((mark, index) => {
      expect(mark.atMs - (marks[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(100);
    });
    expect(marks.flatMap(({ moments }) => moments)).toEqual(crowded);
  });

  test('have the shape of their most important moment', () => {
    const [mark] = clusterMoments([moment(0), moment(1, 'crash'), moment(2, 'scheduled')], 10);
    expect(mark?.kind).toBe('crash');
  });

  test('show their most important moments, in the order of their times', () => {
    const [mark] = clusterMoments(
      [moment(0, 'rules'), moment(1, 'error'), moment(2), moment(3, 'action')],
      10,
    );
    expect(mark && headlines(mark, 2).map(({ kind }) => kind)).toEqual(['error', 'action']);
  });

  test('show each kind before the second moment of any kind', () => {
    const [mark] = clusterMoments(
      [
        moment(0, 'error'),
        moment(1, 'error'),
        moment(2, 'error'),
        moment(3, 'rollout'),
        moment(4, 'pod-deleted'),
      ],
      10,
    );
    expect(mark && headlines(mark, 3).map(({ kind }) => kind)).toEqual(['error', 'rollout', 'pod-deleted']);
  });
});

describe('The moment', () => {
  const moments = [moment(100), moment(100), moment(300)];

  test('before a moment is strictly earlier', () => {
    expect(momentBefore(moments, 300)).toBe(100);
    expect(momentBefore(moments, 100)).toBe(0);
  });

  test('after a moment is strictly later', () => {
    expect(momentAfter(moments, 100)).toBe(300);
    expect(momentAfter(moments, 300)).toBeUndefined();
  });
});
