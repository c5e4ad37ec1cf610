/**
 * The informer with another queue and other listeners: single events in the order in which they came, as client-go
 * has it since v0.33 (tools/cache/the_real_fifo.go), and for each handler a chain of promises instead of a loop, with
 * the handlers told in reverse order, each thing in a turn of its own.
 */
import {
  type Clock,
  DeletedFinalStateUnknown,
  type IndexReader,
  type InformerOptions,
  type KubeObject,
  type NewInformer,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type SharedInformer,
} from '#harness';
import { Indexer, joinResync, metaNamespaceKeyFunc, Reflector, type ReflectorStore } from '../informer.ts';

export * from '../informer.ts';

type Event<T> = { readonly initial: boolean } & (
  | { readonly type: 'put'; readonly object: T }
  | { readonly type: 'delete'; readonly key: string; readonly object: T | DeletedFinalStateUnknown<T> }
);

/** Single events, in order. */
class Fifo<T extends KubeObject> implements ReflectorStore<T> {
  /** Not in the cache yet. */
  readonly events: Event<T>[] = [];
  readonly #known: IndexReader<T>;
  readonly #wake: () => void;
  #listed = false;

  constructor(known: IndexReader<T>, wake: () => void) {
    this.#known = known;
    this.#wake = wake;
  }

  get hasSynced(): boolean {
    return this.#listed && !this.events.some(({ initial }) => initial);
  }

  add(object: T): void {
    this.update(object);
  }

  update(object: T): void {
    this.#push({ type: 'put', object, initial: false });
  }

  delete(object: T): void {
    const key = metaNamespaceKeyFunc(object);
    if (this.#expected().has(key)) this.#push({ type: 'delete', key, object, initial: false });
  }

  replace(list: readonly T[]): void {
    const gone = this.#expected();
    for (const object of list) gone.delete(metaNamespaceKeyFunc(object));
    const initial = !this.#listed;
    this.#listed = true;
    for (const [key, last] of gone) {
      this.#push({ type: 'delete', key, object: new DeletedFinalStateUnknown(key, last), initial });
    }
    for (const object of list) this.#push({ type: 'put', object, initial });
  }

  resync(): void {
    const pending = new Set(this.events.map((event) => keyOf(event)));
    for (const object of this.#known.list()) {
      if (!pending.has(metaNamespaceKeyFunc(object))) this.update(object);
    }
  }

  /** What the cache will hold when every event is in it. */
  #expected(): Map<string, T> {
    const objects = new Map(this.#known.list().map((object) => [metaNamespaceKeyFunc(object), object]));
    for (const event of this.events) {
      if (event.type === 'delete') objects.delete(event.key);
      else objects.set(keyOf(event), event.object);
    }
    return objects;
  }

  #push(event: Event<T>): void {
    this.events.push(event);
    this.#wake();
  }
}

function keyOf<T extends KubeObject>(event: Event<T>): string {
  return event.type === 'delete' ? event.key : metaNamespaceKeyFunc(event.object);
}

class Listener<T> implements ResourceEventHandlerRegistration {
  readonly handler: ResourceEventHandler<T>;
  readonly periodMs: number;
  syncing = true;
  nextResyncMs: number;
  #pendingInitial = 0;
  #chain: Promise<void> = Promise.resolve();
  readonly #clock: Clock;
  readonly #cacheHasSynced: () => boolean;

  constructor(
    handler: ResourceEventHandler<T>,
    options: { readonly periodMs: number; readonly clock: Clock; readonly cacheHasSynced: () => boolean },
  ) {
    this.handler = handler;
    this.periodMs = options.periodMs;
    this.nextResyncMs = options.clock.now() + options.periodMs;
    this.#clock = options.clock;
    this.#cacheHasSynced = options.cacheHasSynced;
  }

  hasSynced(): boolean {
    return this.#cacheHasSynced() && this.#pendingInitial === 0;
  }

  tell(what: {
    readonly initial: boolean;
    readonly ended: () => boolean;
    readonly onError: (error: unknown) => void;
    call(): void | Promise<void>;
  }): void {
    if (what.initial) this.#pendingInitial++;
    this.#chain = this.#chain.then(async () => {
      await this.#clock.sleep(0);
      if (what.ended()) return;
      try {
        await what.call();
      } catch (error) {
        what.onError(error);
        await this.#clock.sleep(1_000);
      }
      if (what.initial) this.#pendingInitial--;
    });
  }
}

export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  readonly #clock: Clock;
  readonly #onError: InformerOptions<T>['onError'];
  readonly #fifo: Fifo<T>;
  readonly #reflector: Reflector<T>;
  readonly #listeners = new Set<Listener<T>>();
  #checkPeriodMs: number;
  #signal: AbortSignal | undefined;
  #scheduled = false;

  constructor(options: InformerOptions<T>) {
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#checkPeriodMs = options.resyncPeriodMs ?? 0;
    this.indexer = new Indexer<T>(metaNamespaceKeyFunc, options.indexers);
    this.#fifo = new Fifo<T>(this.indexer, () => this.#schedule());
    this.#reflector = new Reflector<T>({
      ...options,
      store: this.#fifo,
      getCheckPeriodMs: () => this.#checkPeriodMs,
      shouldResync: () => [...this.#listeners].map((listener) => this.#isDue(listener)).includes(true),
    });
  }

  addEventHandler(
    handler: ResourceEventHandler<T>,
    { resyncPeriodMs = 0 }: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    const joined = joinResync(this.#checkPeriodMs, resyncPeriodMs, this.#signal !== undefined);
    this.#checkPeriodMs = joined.checkPeriodMs;
    const listener = new Listener<T>(handler, {
      periodMs: joined.handlerPeriodMs,
      clock: this.#clock,
      cacheHasSynced: () => this.hasSynced(),
    });
    this.#listeners.add(listener);
    for (const object of this.indexer.list()) {
      this.#tell(listener, true, () => handler.onAdd?.(object, true));
    }
    return listener;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    this.#listeners.delete(registration as Listener<T>);
  }

  hasSynced(): boolean {
    return this.#fifo.hasSynced;
  }

  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error('Failed to run the informer: it was started before. Make a new one.');
    this.#signal = signal;
    await this.#reflector.run(signal);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      // Each event is queued until it is in the cache and with every listener.
      for (let event = this.#fifo.events[0]; event; event = this.#fifo.events[0]) {
        if (!this.#signal?.aborted) this.#apply(event);
        this.#fifo.events.shift();
      }
    });
  }

  #apply(event: Event<T>): void {
    const previous = this.indexer.getByKey(keyOf(event));
    if (event.type === 'delete') {
      this.indexer.delete(event.key);
      this.#distribute(false, (handler) => handler.onDelete?.(event.object));
      return;
    }
    const { object: current, initial } = event;
    this.indexer.update(current);
    if (previous === undefined) {
      this.#distribute(initial, (handler) => handler.onAdd?.(current, initial));
      return;
    }
    const repeats = previous.metadata.resourceVersion === current.metadata.resourceVersion;
    this.#distribute(false, (handler) => handler.onUpdate?.(previous, current), repeats);
  }

  #distribute(
    initial: boolean,
    call: (handler: ResourceEventHandler<T>) => void | Promise<void>,
    repeats = false,
  ): void {
    for (const listener of [...this.#listeners].reverse()) {
      if (repeats && !(listener.syncing && listener.periodMs > 0)) continue;
      this.#tell(listener, initial, () => call(listener.handler));
    }
  }

  #tell(listener: Listener<T>, initial: boolean, call: () => void | Promise<void>): void {
    const ended = (): boolean => this.#signal?.aborted === true || !this.#listeners.has(listener);
    listener.tell({ initial, ended, call, onError: (error) => this.#onError?.(error) });
  }

  #isDue(listener: Listener<T>): boolean {
    const nowMs = this.#clock.now();
    listener.syncing = listener.periodMs > 0 && nowMs >= listener.nextResyncMs;
    if (listener.syncing) listener.nextResyncMs = nowMs + listener.periodMs;
    return listener.syncing;
  }
}

export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
