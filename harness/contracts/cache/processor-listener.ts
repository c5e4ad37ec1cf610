import type { Clock } from '../../sim/index.ts';
import type { ResourceEventHandler, ResourceEventHandlerRegistration } from '../informer.ts';
import type { Notification } from './delta.ts';

/** How long a handler that threw is told nothing, in ms. */
const PANIC_PAUSE_MS = 1_000;

/** What a {@link ProcessorListener} needs to be given. */
interface ProcessorListenerOptions<T> {
  readonly handler: ResourceEventHandler<T>;
  /** How often the handler is told of everything again, in ms; 0: never. */
  readonly resyncPeriodMs: number;
  readonly clock: Clock;
  /** Is the first list in the cache, and was it given to the listeners? */
  readonly upstreamHasSynced: () => boolean;
  /** Told what the handler throws. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * One handler and its queue. What is {@link add}ed waits until the handler is done with what came before, so that `add` never
 * waits, and no handler waits for another.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go processorListener; synctrack/synctrack.go
 * SingleFileTracker
 */
export class ProcessorListener<T> implements ResourceEventHandlerRegistration {
  readonly #options: ProcessorListenerOptions<T>;
  #isSyncing = false;
  #nextResyncMs: number;
  /** How many adds of the initial list the handler is not done with. */
  #initialPending = 0;
  #pending: Notification<T>[] = [];
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(options: ProcessorListenerOptions<T>) {
    this.#options = options;
    this.#nextResyncMs = options.clock.now() + options.resyncPeriodMs;
  }

  /** Is the handler being told of everything again? Only then does it get updates that say nothing new. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Is the handler done with all that was there when it began, and has the informer synced? */
  hasSynced(): boolean {
    return this.#options.upstreamHasSynced() && this.#initialPending === 0;
  }

  /** Is the handler due to be told of everything again? Its next period begins now if it is. */
  shouldResync(nowMs: number): boolean {
    const { resyncPeriodMs } = this.#options;
    this.#isSyncing = resyncPeriodMs > 0 && nowMs >= this.#nextResyncMs;
    if (this.#isSyncing) this.#nextResyncMs = nowMs + resyncPeriodMs;
    return this.#isSyncing;
  }

  /** Puts one notification into the handler's queue. */
  add(notification: Notification<T>): void {
    if (notification.type === 'add' && notification.isInInitialList) this.#initialPending++;
    this.#pending.push(notification);
    this.#rouse();
  }

  /**
   * Tells the handler one thing after another, until it is stopped or aborted. If the handler throws, it is told the next thing
   * a second later. Run it once.
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

  /** The handler is told nothing more, not even what waits already. */
  stop(): void {
    this.#stopped = true;
    this.#rouse();
  }

  #ended(signal: AbortSignal): boolean {
    return this.#stopped || signal.aborted;
  }

  /** Tells what waits, or waits for something. */
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
