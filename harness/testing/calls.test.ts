import { afterEach, describe, expect, test } from 'vitest';
import { recordCalls, recorded } from './calls.ts';

/** A plugin that keeps its data in a private field, as classes of learners may. */
class Counter {
  readonly name = 'Counter';
  #calls = 0;

  get calls(): number {
    return this.#calls;
  }

  filter(_state: object, node: { readonly name: string }): unknown {
    this.#calls++;
    return node.name === 'node-0'
      ? { code: 'Success', reasons: [] }
      : { code: 'Unschedulable', reasons: ['Too many pods', 'Insufficient cpu'] };
  }
}

const subject = {
  plugins: [new Counter()],
  scores: (weights: { readonly weight: number }) => [{ name: 'node-0', score: 50 * weights.weight }],
  fails(): never {
    throw new TypeError('no nodes');
  },
};

afterEach(() => recordCalls(false));

describe('The calls of a subject', () => {
  test('are recorded in their order, with arguments and answers by name', () => {
    recordCalls(true);
    const { subject: copy, calls } = recorded(subject);
    copy.plugins[0]?.filter({}, { name: 'node-0' });
    copy.plugins[0]?.filter({}, { name: 'node-1' });
    copy.scores({ weight: 2 });
    expect(calls).toEqual([
      { actor: 'Counter', what: 'filter node-0', answer: 'Success' },
      { actor: 'Counter', what: 'filter node-1', answer: 'Unschedulable: Too many pods, Insufficient cpu' },
      { actor: 'scores', what: 'scores weight 2', answer: 'node-0 score 100' },
    ]);
  });

  test('have the thrown error as their answer', () => {
    recordCalls(true);
    const { subject: copy, calls } = recorded(subject);
    expect(() => copy.fails()).toThrow('no nodes');
    expect(calls).toEqual([
      { actor: 'fails', what: 'fails', answer: 'throws TypeError: no nodes', isError: true },
    ]);
  });

  test('reach the original object, with its private fields', () => {
    recordCalls(true);
    const plugin = new Counter();
    const { subject: copy } = recorded({ plugins: [plugin] });
    copy.plugins[0]?.filter({}, { name: 'node-0' });
    expect([plugin.calls, copy.plugins[0]?.calls]).toEqual([1, 1]);
    expect(copy.plugins[0]).toBe(copy.plugins[0]);
  });

  test('are not recorded unless a replay asks for them', () => {
    const { subject: same, calls } = recorded(subject);
    same.scores({ weight: 1 });
    expect(same).toBe(subject);
    expect(calls).toEqual([]);
  });
});
