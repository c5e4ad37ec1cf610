import { OrderedList } from './ordered-list.ts';

/** One step of the simulation, at one instant. */
export interface Task {
  /** Virtual milliseconds since the simulation began. */
  readonly atMs: number;
  readonly actor: string;
  readonly what: string;
  run(): void;
}

/** The tasks that are due at one instant, in the order they were pushed. */
interface Instant {
  readonly atMs: number;
  readonly tasks: OrderedList<Task>;
}

/**
 * Tasks by due time. The tasks of one instant are in one list, because the simulation chooses among them. In a heap of
 * tasks it would have to search for equal times.
 */
export class TaskQueue {
  /**
   * Binary heap by `atMs`, with exactly the instants of the map. An instant whose tasks were all cancelled stays until
   * it is the earliest.
   */
  readonly #heap: Instant[] = [];
  readonly #instants = new Map<number, Instant>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Every task, in no particular order. */
  *[Symbol.iterator](): Generator<Task> {
    for (const { tasks } of this.#instants.values()) yield* tasks;
  }

  /** The time of the earliest task; `undefined` if there is none. */
  get nextAtMs(): number | undefined {
    return this.#next()?.atMs;
  }

  /** Number of tasks that are due at the earliest instant. */
  get countDueNext(): number {
    return this.#next()?.tasks.length ?? 0;
  }

  /** Adds a task. Returns a function that removes it, or does nothing if the task is no longer queued. */
  push(task: Task): () => void {
    let instant = this.#instants.get(task.atMs);
    if (!instant) {
      instant = { atMs: task.atMs, tasks: new OrderedList<Task>() };
      this.#instants.set(task.atMs, instant);
      this.#rise(instant);
    }
    const { tasks } = instant;
    tasks.push(task);
    this.#size++;
    return () => {
      if (tasks.remove(task)) this.#size--;
    };
  }

  /** Removes and returns the task at `index` among those due next. The others keep their order. */
  take(index: number): Task {
    const tasks = this.#next()?.tasks;
    const task = tasks?.take(index);
    if (!task) throw new RangeError(`There is no task ${index} among the ${tasks?.length ?? 0} due next.`);
    this.#size--;
    return task;
  }

  #next(): Instant | undefined {
    while (this.#heap[0]?.tasks.length === 0) this.#sink();
    return this.#heap[0];
  }

  #rise(instant: Instant): void {
    const heap = this.#heap;
    let i = heap.push(instant) - 1;
    for (let up = (i - 1) >> 1; i > 0 && (heap[up] as Instant).atMs > instant.atMs; up = (i - 1) >> 1) {
      heap[i] = heap[up] as Instant;
      i = up;
    }
    heap[i] = instant;
  }

  /** Removes the first instant from the heap. */
  #sink(): void {
    const heap = this.#heap;
    this.#instants.delete((heap[0] as Instant).atMs);
    const last = heap.pop() as Instant;
    if (heap.length === 0) return;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      const right = heap[child + 1];
      if (right && right.atMs < (heap[child] as Instant).atMs) child++;
      if ((heap[child] as Instant).atMs >= last.atMs) break;
      heap[i] = heap[child] as Instant;
      i = child;
    }
    heap[i] = last;
  }
}
