import { describe, expect, test } from 'vitest';
import type { Moment } from '../../protocol/message.ts';
import { digest } from './digest.ts';

const moment = (atMs: number, kind: Moment['kind']): Moment => ({ atMs, kind, text: `${kind} at ${atMs}` });

const words = (moments: readonly Moment[]) =>
  digest(moments).map(({ moment, more }) => `${moment.text} +${more}`);

describe('News', () => {
  test('have one item for moments of one kind within a second', () => {
    const moments = [moment(0, 'rules'), moment(1, 'pod-ready'), moment(2, 'rules'), moment(3, 'rules')];
    expect(words(moments)).toEqual(['rules at 0 +2', 'pod-ready at 1 +0']);
  });

  test('have another item for a later moment of the kind', () => {
    expect(words([moment(0, 'rules'), moment(1000, 'rules')])).toEqual(['rules at 0 +0', 'rules at 1000 +0']);
  });

  test('list actions, crashes, errors and faults one by one', () => {
    expect(
      words([moment(0, 'action'), moment(0, 'action'), moment(0, 'crash'), moment(0, 'crash')]).length,
    ).toBe(4);
  });
});
