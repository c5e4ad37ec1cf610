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
  readonly tasks: Task[];
  /** The number of tasks at the start of the list that were taken already. Shifting a long list for each is slow. */
  taken: number;
}

/** The taken tasks of an instant are removed from its list this many at a time. */
const TAKEN_MAX = 64;

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
    for (const { tasks, taken } of this.#instants.values()) yield* tasks.slice(taken);
  }

  /** The time of the earliest task; `undefined` if there is none. */
  get nextAtMs(): number | undefined {
    return this.#next()?.atMs;
  }

  /** Number of tasks that are due at the earliest instant. */
  get countDueNext(): number {
    const next = this.#next();
    return next ? next.tasks.length - next.taken : 0;
  }

  /** Adds a task. Returns a function that removes it, or does nothing if the task is no longer queued. */
  push(task: Task): () => void {
    let instant = this.#instants.get(task.atMs);
    if (!instant) {
      instant = { atMs: task.atMs, tasks: [], taken: 0 };
      this.#instants.set(task.atMs, instant);
      this.#rise(instant);
    }
    const of = instant;
    of.tasks.push(task);
    this.#size++;
    return () => {
      const index = of.tasks.indexOf(task, of.taken);
      if (index >= 0) this.#remove(of, index);
    };
  }

  /** Removes and returns the task at `index` among those due next. The others keep their order. */
  take(index: number): Task {
    const next = this.#next();
    const task = next?.tasks[next.taken + index];
    if (!next || !task)
      throw new RangeError(`There is no task ${index} among the ${this.countDueNext} due next.`);
    this.#remove(next, next.taken + index);
    return task;
  }

  #remove(instant: Instant, index: number): void {
    const { tasks } = instant;
    this.#size--;
    // Most instants have one task.
    if (index === tasks.length - 1) tasks.pop();
    else if (index > instant.taken) tasks.splice(index, 1);
    else if (++instant.taken === TAKEN_MAX) {
      tasks.splice(0, TAKEN_MAX);
      instant.taken = 0;
    }
  }

  #next(): Instant | undefined {
    for (let next = this.#heap[0]; next; next = this.#heap[0]) {
      if (next.tasks.length > next.taken) return next;
      this.#sink();
    }
    return undefined;
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
