import type { ProcessEntry } from '../programs/program.ts';
import type { ProcessTable, Task } from '../programs/task.ts';

/**
 * The processes that see each other. A machine's own namespace contains all of them, with their numbers on the machine.
 * In any other one, the first process has the number 1.
 */
export class PidNamespace implements ProcessTable {
  readonly #parent: PidNamespace | undefined;
  readonly #numbers = new Map<Task, number>();
  #last = 0;

  /** @param parent - the namespace of the machine. @defaultValue this is the namespace of a machine */
  constructor(parent?: PidNamespace) {
    this.#parent = parent;
  }

  add(task: Task): void {
    this.#parent?.add(task);
    this.include(task);
  }

  /** Adds a process that its parent has already. */
  include(task: Task): void {
    this.#last += 1;
    this.#numbers.set(task, this.#parent ? this.#last : task.pid);
  }

  delete(task: Task): void {
    this.#parent?.delete(task);
    this.#numbers.delete(task);
  }

  list(): readonly ProcessEntry[] {
    return [...this.#numbers].map(([task, pid]) => ({ pid, argv: task.argv }));
  }
}
