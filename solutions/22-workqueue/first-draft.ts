/** The functions of the short way, as a first draft: `done` puts the item in line, and then takes it out of hand. */
import type { WorkQueue } from '#harness';

export class Queue<T> implements WorkQueue<T> {
  readonly #dirty = new Set<T>();
  readonly #processing = new Set<T>();
  readonly #line = new Set<T>();
  readonly #getters: ((item: T | undefined) => void)[] = [];
  readonly #drainers: (() => void)[] = [];
  #shuttingDown = false;

  add(item: T): void {
    if (this.#shuttingDown) return;
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#lineUp(item);
  }

  len(): number {
    return this.#line.size;
  }

  async get(): Promise<T | undefined> {
    if (this.#line.size > 0) return this.#takeFirst();
    if (this.#shuttingDown) return undefined;
    return new Promise((resolve) => {
      this.#getters.push(resolve);
    });
  }

  done(item: T): void {
    if (!this.#processing.has(item)) return;
    if (this.#dirty.has(item)) this.#lineUp(item);
    this.#processing.delete(item);
    if (this.#processing.size === 0) this.#endDrain();
  }

  shutDown(): void {
    this.#close();
    this.#endDrain();
  }

  async shutDownWithDrain(): Promise<void> {
    this.#close();
    if (this.#processing.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#drainers.push(resolve);
    });
  }

  shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Puts an item in line, and serves a get that waits. */
  #lineUp(item: T): void {
    this.#line.add(item);
    const resolve = this.#getters.shift();
    if (resolve) resolve(this.#takeFirst());
  }

  #takeFirst(): T {
    const [item] = [...this.#line] as [T];
    this.#line.delete(item);
    this.#dirty.delete(item);
    this.#processing.add(item);
    return item;
  }

  #close(): void {
    this.#shuttingDown = true;
    for (const give of this.#getters.splice(0)) give(undefined);
  }

  #endDrain(): void {
    for (const resolve of this.#drainers.splice(0)) resolve();
  }
}
