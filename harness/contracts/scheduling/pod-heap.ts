import type { QueuedPodInfo } from './queued-pod-info.ts';

/**
 * Pods by uid, the least of them at hand, and of those that are equal the one that came first: a binary heap that knows where
 * each pod is, so that any one can be replaced or taken out. Whatever is done takes the logarithm of their number.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/heap/heap.go Heap
 */
export class PodHeap {
  readonly #less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
  readonly #onPut: () => void;
  /** A binary heap: no item goes before its parent, which is at `(index - 1) >> 1`. */
  readonly #items: HeapItem[] = [];
  readonly #indexes = new Map<string, number>();
  #came = 0;

  /** @param onPut is called after each {@link put} */
  constructor(less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean, onPut: () => void = () => {}) {
    this.#less = less;
    this.#onPut = onPut;
  }

  has(uid: string): boolean {
    return this.#indexes.has(uid);
  }

  get(uid: string): QueuedPodInfo | undefined {
    const index = this.#indexes.get(uid);
    return index === undefined ? undefined : this.#items[index]?.info;
  }

  /** @returns the first; `undefined` if there is none */
  peek(): QueuedPodInfo | undefined {
    return this.#items[0]?.info;
  }

  /** @returns all, in any order */
  list(): readonly QueuedPodInfo[] {
    return this.#items.map(({ info }) => info);
  }

  /** Adds it, or replaces the one of its uid. */
  put(info: QueuedPodInfo): void {
    const index = this.#indexes.get(info.pod.metadata.uid) ?? this.#items.length;
    this.#settle({ info, order: this.#items[index]?.order ?? this.#came++ }, index);
    this.#onPut();
  }

  /** Takes it out, if it is there. */
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
