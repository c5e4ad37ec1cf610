import type { Clock } from '../../sim/index.ts';
import type { ResourceEventHandler, ResourceEventHandlerRegistration } from '../informer.ts';
import type { Notification } from './delta.ts';

/** Pause after a handler has thrown, in ms. */
const PANIC_PAUSE_MS = 1_000;

/** Options of a {@link ProcessorListener}. */
interface ProcessorListenerOptions<T> {
  readonly handler: ResourceEventHandler<T>;
  /** The interval at which the handler is notified again of every object, in ms; 0: never. */
  readonly resyncPeriodMs: number;
  readonly clock: Clock;
  /** Returns whether the first list is in the cache and its objects are in the queues of the listeners. */
  readonly upstreamHasSynced: () => boolean;
  /** Called with each error that the handler throws. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * One handler and its queue. A notification that is {@link add}ed waits until the handler has finished the earlier
 * ones. So `add` never waits, and no handler waits for another.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go processorListener; synctrack/synctrack.go
 * SingleFileTracker
 */
export class ProcessorListener<T> implements ResourceEventHandlerRegistration {
  readonly #options: ProcessorListenerOptions<T>;
  #isSyncing = false;
  #nextResyncMs: number;
  /** Adds of the initial list that the handler has not finished. */
  #initialPending = 0;
  #pending: Notification<T>[] = [];
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(options: ProcessorListenerOptions<T>) {
    this.#options = options;
    this.#nextResyncMs = options.clock.now() + options.resyncPeriodMs;
  }

  /** Whether a resync of this handler is in progress. Only then does the handler get updates without a change. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Returns whether the informer has synced and the handler has finished all objects of the initial list. */
  hasSynced(): boolean {
    return this.#options.upstreamHasSynced() && this.#initialPending === 0;
  }

  /** Returns whether the handler is due for a resync. If it is, its next period starts now. */
  shouldResync(nowMs: number): boolean {
    const { resyncPeriodMs } = this.#options;
    this.#isSyncing = resyncPeriodMs > 0 && nowMs >= this.#nextResyncMs;
    if (this.#isSyncing) this.#nextResyncMs = nowMs + resyncPeriodMs;
    return this.#isSyncing;
  }

  /** Adds one notification to the queue of the handler. */
  add(notification: Notification<T>): void {
    if (notification.type === 'add' && notification.isInInitialList) this.#initialPending++;
    this.#pending.push(notification);
    this.#rouse();
  }

  /**
   * Delivers the notifications one by one until the listener is stopped or aborted. After an error of the handler it
   * waits for a second before the next notification. Call it once.
   */
  async run(signal: AbortSignal): Promise<void> {
    const rouse = (): void => this.#rouse();
    signal.addEventListener('abort', rouse);
    try {
      while (!this.#ended(signal)) await this.#tellPending(signal);
    } finally {
      signal.removeEventListener('abort', rouse);
    }
  }

  /** Stops the delivery. The handler gets no more notifications, not even queued ones. */
  stop(): void {
    this.#stopped = true;
    this.#rouse();
  }

  #ended(signal: AbortSignal): boolean {
    return this.#stopped || signal.aborted;
  }

  /** Delivers the queued notifications, then waits for the next one. */
  async #tellPending(signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.#options;
    const batch = this.#pending;
    this.#pending = [];
    for (const notification of batch) {
      if (this.#ended(signal)) return;
      try {
        await this.#tell(notification);
      } catch (error) {
        onError?.(error);
        await clock.sleep(PANIC_PAUSE_MS, signal).catch(() => {});
      }
      if (notification.type === 'add' && notification.isInInitialList) this.#initialPending--;
    }
    if (this.#pending.length > 0 || this.#ended(signal)) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  #tell(notification: Notification<T>): void | Promise<void> {
    const { handler } = this.#options;
    switch (notification.type) {
      case 'add':
        return handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return handler.onUpdate?.(notification.previous, notification.current);
      case 'delete':
        return handler.onDelete?.(notification.object);
    }
  }
}
