/** Level 6 · The informer: it empties the queue into the cache and tells the handlers. */
import type {
  InformerOptions,
  KubeObject,
  NewInformer,
  ResourceEventHandler,
  ResourceEventHandlerRegistration,
  SharedInformer,
} from '#harness';
import { DeltaFIFO, type Deltas } from './delta-fifo.ts';
import { Indexer, metaNamespaceKeyFunc } from './indexer.ts';
import { type Notification, ProcessorListener } from './processor-listener.ts';
import { Reflector } from './reflector.ts';
import { joinResync } from './resync.ts';

/** A handler that threw is left alone for so long. */
const PANIC_PAUSE_MS = 1_000;

export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  readonly #options: InformerOptions<T>;
  readonly #fifo: DeltaFIFO<T>;
  readonly #reflector: Reflector<T>;
  readonly #listeners = new Set<ProcessorListener<T>>();
  #checkPeriodMs: number;
  /** Set by {@link run}. */
  #signal: AbortSignal | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#checkPeriodMs = options.resyncPeriodMs ?? 0;
    this.indexer = new Indexer<T>(metaNamespaceKeyFunc, options.indexers);
    this.#fifo = new DeltaFIFO<T>({
      keyFunc: metaNamespaceKeyFunc,
      knownObjects: this.indexer,
      emitDeltaTypeReplaced: true,
    });
    this.#reflector = new Reflector<T>({
      ...options,
      store: this.#fifo,
      getCheckPeriodMs: () => this.#checkPeriodMs,
      shouldResync: () => this.#shouldResync(),
    });
  }

  addEventHandler(
    handler: ResourceEventHandler<T>,
    { resyncPeriodMs = 0 }: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    const started = this.#signal !== undefined;
    const { checkPeriodMs, handlerPeriodMs } = joinResync(this.#checkPeriodMs, resyncPeriodMs, started);
    this.#checkPeriodMs = checkPeriodMs;
    const nowMs = this.#options.clock.now();
    const listener = new ProcessorListener<T>(handler, handlerPeriodMs, nowMs, () => this.hasSynced());
    this.#listeners.add(listener);
    if (started) {
      for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });
      this.#startListener(listener);
    }
    return listener;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const listener = registration as ProcessorListener<T>;
    this.#listeners.delete(listener);
    listener.rouse();
  }

  hasSynced(): boolean {
    return this.#fifo.hasSynced();
  }

  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error('Failed to run the informer: it was started before. Make a new one.');
    this.#signal = signal;
    for (const listener of this.#listeners) this.#startListener(listener);
    const stop = (): void => {
      this.#fifo.close();
      for (const listener of this.#listeners) listener.rouse();
    };
    signal.addEventListener('abort', stop, { once: true });
    await Promise.all([this.#reflector.run(signal), this.#process(signal)]);
  }

  async #process(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#fifo.pop((deltas, isInInitialList) => {
        if (!signal.aborted) this.#handleDeltas(deltas, isInInitialList);
      });
    }
  }

  #handleDeltas(deltas: Deltas<T>, isInInitialList: boolean): void {
    for (const { type, object } of deltas) {
      if (type === 'Deleted') {
        this.indexer.delete(this.#fifo.keyOf(object));
        this.#distribute({ type: 'delete', object });
        continue;
      }
      const current = object as T;
      const previous = this.indexer.getByKey(metaNamespaceKeyFunc(current));
      this.indexer.update(current);
      this.#distribute(
        previous === undefined
          ? { type: 'add', object: current, isInInitialList }
          : { type: 'update', previous, current },
      );
    }
  }

  /** A repetition, from a resync or a relist, goes only to those who asked to hear things again. */
  #distribute(notification: Notification<T>): void {
    const repeats =
      notification.type === 'update' &&
      notification.previous.metadata.resourceVersion === notification.current.metadata.resourceVersion;
    for (const listener of this.#listeners) {
      if (!repeats || (listener.syncing && listener.periodMs > 0)) listener.add(notification);
    }
  }

  #shouldResync(): boolean {
    const nowMs = this.#options.clock.now();
    // Every listener must be asked: the answer is kept in each.
    return [...this.#listeners].map((listener) => listener.shouldResync(nowMs)).includes(true);
  }

  #startListener(listener: ProcessorListener<T>): void {
    const signal = this.#signal as AbortSignal;
    const { clock, onError } = this.#options;
    const ended = (): boolean => signal.aborted || !this.#listeners.has(listener);
    void listener.run(ended, async (error) => {
      onError?.(error);
      await clock.sleep(PANIC_PAUSE_MS, signal).catch(() => {});
    });
  }
}

export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
