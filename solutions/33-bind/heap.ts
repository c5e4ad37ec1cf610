/** Level 1 · The queue: the pods that are to be tried, in their order. */
import type { QueuedPodInfo } from './queue.ts';

/**
 * Pods by uid, the least of them at hand, and of those that are equal the one that came first: a binary heap that knows where
 * each pod is, so that any one can be replaced or taken out. Whatever is done takes the logarithm of their number.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/heap/heap.go Heap
 */
export class Heap {
  readonly #less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
  /** A binary heap: no item goes before its parent, which is at `(index - 1) >> 1`. */
  readonly #items: HeapItem[] = [];
  readonly #indexes = new Map<string, number>();
  #came = 0;

  constructor(less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean) {
    this.#less = less;
  }

  has(uid: string): boolean {
    return this.#indexes.has(uid);
  }

  get(uid: string): QueuedPodInfo | undefined {
    const index = this.#indexes.get(uid);
    return index === undefined ? undefined : this.#items[index]?.info;
  }

  peek(): QueuedPodInfo | undefined {
    return this.#items[0]?.info;
  }

  list(): readonly QueuedPodInfo[] {
    return this.#items.map(({ info }) => info);
  }

  /** Adds it, or replaces the one of its uid. */
  put(info: QueuedPodInfo): void {
    const index = this.#indexes.get(info.pod.metadata.uid) ?? this.#items.length;
    this.#settle({ info, order: this.#items[index]?.order ?? this.#came++ }, index);
  }

  delete(uid: string): void {
    const index = this.#indexes.get(uid);
    if (index === undefined) return;
    this.#indexes.delete(uid);
    const last = this.#items.pop() as HeapItem;
    if (index < this.#items.length) this.#settle(last, index);
  }

  /** Puts it where it belongs, beginning at an index that is free for it. */
  #settle(item: HeapItem, start: number): void {
    let index = start;
    for (;;) {
      const parent = (index - 1) >> 1;
      const above = this.#items[parent];
      if (index === 0 || !above || !this.#goesBefore(item, above)) break;
      this.#place(above, index);
      index = parent;
    }
    for (;;) {
      const child = this.#firstChild(index);
      const below = this.#items[child];
      if (!below || !this.#goesBefore(below, item)) break;
      this.#place(below, index);
      index = child;
    }
    this.#place(item, index);
  }

  #firstChild(index: number): number {
    const left = 2 * index + 1;
    const [a, b] = [this.#items[left], this.#items[left + 1]];
    return a && b && this.#goesBefore(b, a) ? left + 1 : left;
  }

  #goesBefore(a: HeapItem, b: HeapItem): boolean {
    return this.#less(a.info, b.info) || (!this.#less(b.info, a.info) && a.order < b.order);
  }

  #place(item: HeapItem, index: number): void {
    this.#items[index] = item;
    this.#indexes.set(item.info.pod.metadata.uid, index);
  }
}

interface HeapItem {
  readonly info: QueuedPodInfo;
  /** How many came before it. */
  readonly order: number;
}
