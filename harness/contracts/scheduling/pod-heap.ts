import type { QueuedPodInfo } from './queued-pod-info.ts';

/**
 * A priority queue of pods by uid. The least pod comes first; among equal pods, the pod that was added first. It is a
 * binary heap with an index, so any pod can be replaced or removed. Each change takes logarithmic time.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/heap/heap.go Heap
 */
export class PodHeap {
  readonly #less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
  readonly #onPut: () => void;
  /** A binary heap: no item goes before its parent at `(index - 1) >> 1`. */
  readonly #items: HeapItem[] = [];
  readonly #indexes = new Map<string, number>();
  #came = 0;

  /** @param onPut called after each {@link put} */
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

  /** @returns the first pod; `undefined` if the heap is empty */
  peek(): QueuedPodInfo | undefined {
    return this.#items[0]?.info;
  }

  /** @returns all pods, in any order */
  list(): readonly QueuedPodInfo[] {
    return this.#items.map(({ info }) => info);
  }

  /** Adds the pod, or replaces the pod with its uid. */
  put(info: QueuedPodInfo): void {
    const index = this.#indexes.get(info.pod.metadata.uid) ?? this.#items.length;
    this.#settle({ info, order: this.#items[index]?.order ?? this.#came++ }, index);
    this.#onPut();
  }

  /** Removes the pod, if it is in the heap. */
  delete(uid: string): void {
    const index = this.#indexes.get(uid);
    if (index === undefined) return;
    this.#indexes.delete(uid);
    const last = this.#items.pop() as HeapItem;
    if (index < this.#items.length) this.#settle(last, index);
  }

  /** Moves the item to its place, starting from a free index. */
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
  /** The number of items that were added before it. */
  readonly order: number;
}
