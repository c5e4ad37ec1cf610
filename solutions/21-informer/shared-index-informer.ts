/** Level 8 · The informer. */
import {
  Indexer,
  ListerWatcher,
  type Notification,
  ProcessorListener,
  ResyncTimer,
} from '#given/21-informer';
import type {
  InformerOptions,
  KubeObject,
  NewInformer,
  ResourceEventHandler,
  ResourceEventHandlerRegistration,
  SharedInformer,
} from '#harness';
import { Backoff } from './backoff.ts';
import { Index } from './cache-index.ts';
import { processDelta } from './process-delta.ts';
import { RealFIFO } from './real-fifo.ts';
import { Reflector } from './reflector.ts';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedIndexInformer */
export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  readonly #options: InformerOptions<T>;
  readonly #queue = new RealFIFO<T>();
  readonly #listeners = new Set<ProcessorListener<T>>();
  readonly #reflector: Reflector<T>;
  readonly #resyncTimer: ResyncTimer;
  /** Set by {@link run}. */
  #signal: AbortSignal | undefined;

  constructor(options: InformerOptions<T>) {
    const { clock, random, indexers = {}, resyncPeriodMs = 0 } = options;
    const backoff = new Backoff(clock, random);
    this.#options = options;
    this.indexer = new Indexer(indexers, (indexFunc) => new Index(indexFunc));
    this.#reflector = new Reflector<T>({
      ...options,
      listerWatcher: new ListerWatcher(options),
      queue: this.#queue,
      nextBackoffMs: () => backoff.nextMs(),
    });
    this.#resyncTimer = new ResyncTimer({
      clock,
      periodMs: resyncPeriodMs,
      // Calls `shouldResync` of every listener, because it updates the listener's state.
      shouldResync: () => [...this.#listeners].filter((each) => each.shouldResync(clock.now())).length > 0,
      resync: () => this.#queue.push({ type: 'SyncAll' }),
    });
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const listener = registration as ProcessorListener<T>;
    this.#listeners.delete(listener);
    listener.stop();
  }

  addEventHandler(
    handler: ResourceEventHandler<T>,
    { resyncPeriodMs = 0 }: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    const { clock, onError } = this.#options;
    const listener = new ProcessorListener<T>({
      handler,
      resyncPeriodMs: this.#resyncTimer.join(resyncPeriodMs),
      clock,
      upstreamHasSynced: () => this.hasSynced(),
      onError,
    });
    for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });
    this.#listeners.add(listener);
    if (this.#signal) void listener.run(this.#signal);
    return listener;
  }

  hasSynced(): boolean {
    return this.#queue.hasSynced();
  }

  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  distribute(notification: Notification<T>): void {
    const isRepetition =
      notification.type === 'update' &&
      notification.previous.metadata.resourceVersion === notification.current.metadata.resourceVersion;
    for (const listener of this.#listeners) {
      if (!isRepetition || listener.isSyncing) listener.add(notification);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error('Failed to run the informer: it was started before. Make a new one.');
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#queue.close(), { once: true });
    if (signal.aborted) return;
    for (const listener of this.#listeners) void listener.run(signal);
    this.#resyncTimer.start(signal);
    await Promise.all([this.#reflector.run(signal), this.#processLoop(signal)]);
  }

  async #processLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#queue.pop((delta, isInInitialList) => {
        if (signal.aborted) return;
        for (const each of processDelta(delta, this.indexer, isInInitialList)) this.distribute(each);
      });
    }
  }
}

export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
