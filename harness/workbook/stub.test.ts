import { describe, expect, test } from 'vitest';
import { progressOf, todosIn } from './stub.ts';

const stub = `import { todo } from '#harness';
/** Throws until todo('x') is written. */
export class Cache {
  add(): void {
    todo('21-informer', 'Cache.add', 'Level 1'); // or todo('21-informer', 'no', 'Level 9')
  }
  get(): string {
    return todo(
      KATA,
      'Cache.get',
      'Level 2',
    );
  }
}`;

describe('A stub', () => {
  test('lists its unwritten functions, and where to read about them', () => {
    expect(todosIn(stub)).toEqual([
      { symbol: 'Cache.add', heading: 'Level 1' },
      { symbol: 'Cache.get', heading: 'Level 2' },
    ]);
  });

  test('goes from to do to started to done', () => {
    const half = stub.replace("todo('21-informer', 'Cache.add', 'Level 1');", 'this.n++;');
    const whole = half.replace(/return todo\([\s\S]*?\);/, "return '';");
    expect(progressOf(stub, stub)).toEqual({ state: 'to do', left: 2, total: 2 });
    expect(progressOf(half, stub)).toEqual({ state: 'started', left: 1, total: 2 });
    expect(progressOf(whole, stub)).toEqual({ state: 'done', left: 0, total: 2 });
  });

  test('with an unknown original is unfinished until its last todo is written', () => {
    expect(progressOf(stub)).toEqual({ state: 'to do', left: 2, total: 2 });
    expect(progressOf('')).toEqual({ state: 'done', left: 0, total: 0 });
  });
});
