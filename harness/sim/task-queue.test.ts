import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Task, TaskQueue } from './task-queue.ts';

const task = (atMs: number, what = ''): Task => ({ atMs, what, actor: 'test', run() {} });

describe('TaskQueue', () => {
  test('is empty at first', () => {
    const queue = new TaskQueue();
    expect([queue.size, queue.nextAtMs, queue.countDueNext]).toEqual([0, undefined, 0]);
    expect(() => queue.take(0)).toThrow('There is no task 0 among the 0 due next.');
  });

  test('returns the earliest task first, and tasks of one instant in the order they were pushed', () => {
    const queue = new TaskQueue();
    for (const [what, atMs] of Object.entries({ c: 2, a: 1, d: 2, b: 1 })) queue.push(task(atMs, what));
    const taken = Array.from({ length: 4 }, () => queue.take(0).what);
    expect(taken).toEqual(['a', 'b', 'c', 'd']);
  });

  test('offers a choice only among the tasks of one instant', () => {
    const queue = new TaskQueue();
    for (const [what, atMs] of Object.entries({ a: 1, b: 1, c: 1, d: 2 })) queue.push(task(atMs, what));
    expect([queue.countDueNext, queue.take(1).what, queue.take(1).what, queue.take(0).what]).toEqual([
      3,
      'b',
      'c',
      'a',
    ]);
    expect([queue.nextAtMs, queue.countDueNext]).toEqual([2, 1]);
    expect(() => queue.take(1)).toThrow(RangeError);
  });

  test('removes a cancelled task, once', () => {
    const queue = new TaskQueue();
    const cancel = queue.push(task(1, 'a'));
    cancel();
    cancel();
    expect([queue.size, queue.nextAtMs]).toEqual([0, undefined]);
    queue.push(task(1, 'b'));
    cancel();
    expect([queue.size, queue.take(0).what]).toEqual([1, 'b']);
  });

  test('agrees with a sorted list after any pushes, cancellations and takes', () => {
    fc.assert(
      fc.property(fc.commands(commands, { maxCommands: 60 }), (steps) => {
        fc.modelRun(() => ({ model: { tasks: [], cancels: [] }, real: new TaskQueue() }), steps);
      }),
    );
  });
});

interface Model {
  tasks: Task[];
  readonly cancels: { readonly task: Task; readonly cancel: () => void }[];
}

/** Returns the tasks that are due next, in the order they were pushed. */
function dueNext({ tasks }: Model): Task[] {
  const nextAtMs = Math.min(...tasks.map(({ atMs }) => atMs));
  return tasks.filter(({ atMs }) => atMs === nextAtMs);
}

function agree(model: Model, queue: TaskQueue): void {
  const due = dueNext(model);
  expect([queue.size, queue.nextAtMs, queue.countDueNext]).toEqual([
    model.tasks.length,
    due[0]?.atMs,
    due.length,
  ]);
}

class Command implements fc.Command<Model, TaskQueue> {
  readonly #name: string;
  readonly #step: (model: Model, queue: TaskQueue) => void;

  constructor(name: string, step: (model: Model, queue: TaskQueue) => void) {
    this.#name = name;
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, queue: TaskQueue): void {
    this.#step(model, queue);
    agree(model, queue);
  }

  toString(): string {
    return this.#name;
  }
}

const commands = [
  fc.nat({ max: 6 }).map(
    (atMs) =>
      new Command(`push ${atMs}`, (model, queue) => {
        const pushed = task(atMs);
        model.cancels.push({ task: pushed, cancel: queue.push(pushed) });
        model.tasks.push(pushed);
      }),
  ),
  fc.nat({ max: 20 }).map(
    (index) =>
      new Command(`cancel ${index}`, (model) => {
        const one = model.cancels[index % model.cancels.length];
        one?.cancel();
        model.tasks = model.tasks.filter((each) => each !== one?.task);
      }),
  ),
  fc.nat({ max: 5 }).map(
    (index) =>
      new Command(`take ${index}`, (model, queue) => {
        const due = dueNext(model);
        const wanted = due[index % due.length];
        if (!wanted) return;
        expect(queue.take(index % due.length)).toBe(wanted);
        model.tasks = model.tasks.filter((each) => each !== wanted);
      }),
  ),
];
