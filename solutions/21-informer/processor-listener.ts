/** Level 6 · The informer: the queue of one of its handlers. */
import type {
  DeletedFinalStateUnknown,
  ResourceEventHandler,
  ResourceEventHandlerRegistration,
} from '#harness';

/** What a handler is told. */
export type Notification<T> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: T; readonly current: T }
  | { readonly type: 'delete'; readonly object: T | DeletedFinalStateUnknown<T> };

/** One handler's queue. Handlers share nothing, so that none waits for another. */
export class ProcessorListener<T> implements ResourceEventHandlerRegistration {
  readonly periodMs: number;
  /** Is it being told of everything again just now? */
  syncing = true;
  #nextResyncMs: number;
  /** How much of what was there when it began it has not been told yet. */
  #initialPending = 0;
  #pending: Notification<T>[] = [];
  #wake: (() => void) | undefined;
  readonly #handler: ResourceEventHandler<T>;
  readonly #upstreamHasSynced: () => boolean;

  constructor(
    handler: ResourceEventHandler<T>,
    periodMs: number,
    nowMs: number,
    upstreamHasSynced: () => boolean,
  ) {
    this.#handler = handler;
    this.periodMs = periodMs;
    this.#nextResyncMs = nowMs + periodMs;
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  hasSynced(): boolean {
    return this.#upstreamHasSynced() && this.#initialPending === 0;
  }

  /** Is it due? Then it is from now on that its next period counts. */
  shouldResync(nowMs: number): boolean {
    this.syncing = this.periodMs > 0 && nowMs >= this.#nextResyncMs;
    if (this.syncing) this.#nextResyncMs = nowMs + this.periodMs;
    return this.syncing;
  }

  add(notification: Notification<T>): void {
    if (notification.type === 'add' && notification.isInInitialList) this.#initialPending++;
    this.#pending.push(notification);
    this.rouse();
  }

  rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Tells the handler, one thing after another, until `ended`. */
  async run(ended: () => boolean, onPanic: (error: unknown) => Promise<void>): Promise<void> {
    while (!ended()) {
      const batch = this.#pending;
      this.#pending = [];
      for (const notification of batch) {
        if (ended()) return;
        try {
          await this.#tell(notification);
        } catch (error) {
          await onPanic(error);
        }
        if (notification.type === 'add' && notification.isInInitialList) this.#initialPending--;
      }
      if (this.#pending.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #tell(notification: Notification<T>): void | Promise<void> {
    switch (notification.type) {
      case 'add':
        return this.#handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return this.#handler.onUpdate?.(notification.previous, notification.current);
      case 'delete':
        return this.#handler.onDelete?.(notification.object);
    }
  }
}
