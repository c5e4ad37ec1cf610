import { describe, expect, test } from 'vitest';
import { SharedList } from './shared-list.ts';

interface Item {
  readonly id: string;
  state: string;
}

const idsAndStates = (items: readonly Item[]): readonly string[] =>
  items.map(({ id, state }) => `${id} ${state}`);

describe('SharedList', () => {
  test('returns the same list until an item comes, goes or changes its state', () => {
    const list = new SharedList<Item, string>();
    const [a, b] = [
      { id: 'a', state: 'running' },
      { id: 'b', state: 'running' },
    ];
    const first = list.of([a], idsAndStates);
    expect(list.of([a], idsAndStates)).toBe(first);
    expect(list.of([a, b], idsAndStates)).toEqual(['a running', 'b running']);
    b.state = 'exited';
    expect(list.of([a, b], idsAndStates)).toEqual(['a running', 'b exited']);
    expect(list.of([b], idsAndStates)).toEqual(['b exited']);
    expect(list.of([], idsAndStates)).toEqual([]);
  });

  test('returns a list that no caller can change', () => {
    const shared = new SharedList<Item, string>().of([{ id: 'a', state: 'running' }], idsAndStates);
    expect(() => (shared as string[]).pop()).toThrow(TypeError);
  });
});
