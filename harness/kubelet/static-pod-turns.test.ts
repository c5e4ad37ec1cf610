import { describe, expect, test } from 'vitest';
import { StaticPodTurns } from './static-pod-turns.ts';

describe('Static pods of one name', () => {
  test('take turns in the order in which they were added', () => {
    const turns = new StaticPodTurns(() => true);
    for (const uid of ['a', 'b', 'c']) turns.add('web_default', uid);
    expect(turns.take('web_default', 'b')).toBe(false);
    expect(turns.take('web_default', 'a')).toBe(true);
    expect(turns.take('web_default', 'a')).toBe(true);
    turns.release('web_default', 'a');
    expect(turns.take('web_default', 'c')).toBe(false);
    expect(turns.take('web_default', 'b')).toBe(true);
  });

  test('do not wait for a pod that is no longer desired', () => {
    const wanted = new Set(['a', 'b']);
    const turns = new StaticPodTurns((uid) => wanted.has(uid));
    turns.add('web_default', 'a');
    turns.add('web_default', 'b');
    wanted.delete('a');
    expect(turns.take('web_default', 'b')).toBe(true);
    expect(turns.holderOf('web_default')).toBe('b');
  });

  test('do not wait for pods of other names', () => {
    const turns = new StaticPodTurns(() => true);
    turns.add('web_default', 'a');
    turns.add('log_default', 'b');
    expect(turns.take('web_default', 'a')).toBe(true);
    expect(turns.take('log_default', 'b')).toBe(true);
  });
});
