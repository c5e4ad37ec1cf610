import { MessageQueue } from '../../../../contracts/message-queue.ts';
import {
  type KeyEvent,
  type KeyRange,
  type KeyValueStore,
  type KeyWatch,
  type KeyWatchRequest,
  type Lease,
  type RangeRequest,
  type RangeResult,
  StoreError,
  type Transaction,
  type TransactionResult,
  type WatchResponse,
} from '../../../../contracts/store/index.ts';
import type { Random, Simulation } from '../../../../sim/index.ts';
import { covers, type Request } from '../../history.ts';
import { type Expected, FRESH, type State, stateAt, step } from '../../oracle/model.ts';

/** The ways of messages to and from a {@link GivenStore}. */
interface Ways {
  readonly latencyMs: number;
  readonly lagMs: number;
}

/** A key-value store far away: calls take their time, and watches lag behind, each in its order. */
export class GivenStore implements KeyValueStore {
  readonly #sim: Simulation;
  readonly #ways: Ways;
  readonly #random: Random;
  readonly #watches = new Set<GivenWatch>();
  #state: State = FRESH;
  #heldUntilMs = 0;

  constructor(sim: Simulation, ways: Ways) {
    this.#sim = sim;
    this.#ways = ways;
    this.#random = sim.random.fork('given store');
  }

  get state(): State {
    return this.#state;
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.#call({ call: 'range', request }) as Promise<RangeResult>;
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    return this.#call({ call: 'transact', transaction }) as Promise<TransactionResult>;
  }

  async compact(revision: number): Promise<void> {
    await this.#call({ call: 'compact', revision });
  }

  grantLease(): Promise<Lease> {
    return Promise.reject(new Error('Failed to grant a lease: no object of these scenarios expires.'));
  }

  revokeLease(): Promise<void> {
    return Promise.reject(new StoreError('LeaseNotFound'));
  }

  watch(request: KeyWatchRequest): KeyWatch {
    const watch: GivenWatch = new GivenWatch(this, request, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    watch.send();
    return watch.keyWatch;
  }

  /** Delays all messages of watches. */
  hold(forMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, this.#sim.elapsedMs + forMs);
  }

  /** Ends all watches. */
  cut(): void {
    for (const watch of [...this.#watches]) watch.end();
  }

  /** Returns the arrival time of a message of a watch, not before that of an earlier message. */
  arrivalMs(lastMs: number): number {
    const lag = this.#random.int(this.#ways.lagMs + 1);
    return Math.max(lastMs, this.#heldUntilMs, this.#sim.elapsedMs + lag);
  }

  deliver(atMs: number, run: () => void): void {
    this.#sim.schedule(atMs - this.#sim.elapsedMs, 'store', 'watch', run);
  }

  async #call(request: Request): Promise<unknown> {
    await this.#travel(request.call);
    const { state, expected } = step(this.#state, request);
    this.#state = state;
    for (const watch of this.#watches) watch.send();
    await this.#travel(request.call);
    return resultOf(expected);
  }

  async #travel(what: string): Promise<void> {
    const stuck = this.#sim.spend('the apiserver', what);
    if (stuck) await stuck;
    await this.#sim.turn(this.#random.int(this.#ways.latencyMs + 1), 'network', what);
  }
}

function resultOf(expected: Expected): unknown {
  if (expected.kind === 'refused') throw new StoreError(expected.codes[0] ?? 'Compacted');
  return 'result' in expected ? expected.result : undefined;
}

/** Returns an event without the state before it, if a compaction has forgotten that state. */
function remembered({ previous, ...event }: KeyEvent, compacted: number): KeyEvent {
  return previous && event.kv.modRevision > compacted ? { ...event, previous } : event;
}

/** A watch of a {@link GivenStore}. */
class GivenWatch {
  readonly #store: GivenStore;
  readonly #range: KeyRange;
  readonly #queue: MessageQueue<WatchResponse>;
  readonly keyWatch: KeyWatch;
  #next: number;
  #lastMs = 0;
  readonly #onTheirWay: (() => void)[] = [];

  constructor(store: GivenStore, { startRevision, ...range }: KeyWatchRequest, onStop: () => void) {
    this.#store = store;
    this.#range = range;
    this.#next = startRevision ?? store.state.revision + 1;
    this.#queue = new MessageQueue(onStop);
    this.keyWatch = Object.assign(this.#queue, { requestProgress: () => this.#progress() });
  }

  /** Sends everything that it has not sent. */
  send(): void {
    const { state } = this.#store;
    if (this.#next < state.compacted) {
      this.#push({ revision: state.revision, events: [], compactRevision: state.compacted });
      this.#later(() => this.#queue.end());
      return;
    }
    for (; this.#next <= state.revision; this.#next++) {
      const { events } = stateAt(state, this.#next);
      const own = events.filter(({ kv }) => covers(this.#range, kv.key));
      // The revision of the store can be ahead of the changes.
      if (own.length > 0)
        this.#later(() => {
          const { revision, compacted } = this.#store.state;
          this.#queue.push({ revision, events: own.map((event) => remembered(event, compacted)) });
        });
    }
  }

  /** Ends the stream at once; messages on their way are lost. */
  end(): void {
    this.#queue.end();
  }

  #progress(): void {
    this.#push({ revision: this.#store.state.revision, events: [] });
  }

  #push(response: WatchResponse): void {
    this.#later(() => this.#queue.push(response));
  }

  /** Messages arrive in their order, also at the same time. */
  #later(run: () => void): void {
    this.#lastMs = this.#store.arrivalMs(this.#lastMs);
    this.#onTheirWay.push(run);
    this.#store.deliver(this.#lastMs, () => this.#onTheirWay.shift()?.());
  }
}
