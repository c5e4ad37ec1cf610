import type { Simulation } from './simulation.ts';
import type { TraceEntry } from './trace.ts';

/** A call from an actor across a boundary: to an apiserver, a container runtime, or a network plugin. */
export interface Call<R> {
  /** The port: `api`, `cri`, `cni`. */
  readonly port: string;
  /** The method: `get`, `RunPodSandbox`, `ADD`. */
  readonly verb: string;
  /** The subject of the call in the trace: `pods/default/web-1`. */
  readonly object: string;
  /** Whether the call can change state at the other end. */
  readonly mutates: boolean;
  /** Performs the call at the other end, on arrival. */
  perform(): Promise<R>;
  /** Returns the revision of the result for the trace. */
  revisionOf?(result: R): number | undefined;
  /** Discards a result that no caller will receive, if it holds resources, such as an open watch. */
  discard?(result: R): void;
  readonly signal?: AbortSignal | undefined;
}

/** The fate of a call. */
export type Effect =
  | { readonly kind: 'pass' }
  /**
   * The caller receives `error`, `afterMs` later than an answer would arrive. `performed`: the call took effect
   * nevertheless.
   */
  | { readonly kind: 'fail'; readonly error: Error; readonly performed: boolean; readonly afterMs?: number }
  /** The caller receives no answer, because it crashed. `onPerformed` is called if the call took effect. */
  | { readonly kind: 'vanish'; readonly performed: boolean; readonly onPerformed?: () => void };

/** Decides the effect of each call before it is sent. */
export type Interference = (call: Pick<Call<unknown>, 'port' | 'verb' | 'object' | 'mutates'>) => Effect;

const PASS: Effect = { kind: 'pass' };

/** Options of a {@link Line}. */
interface LineOptions {
  readonly actor: string;
  /** Returns the time that a message travels, one way, in ms. Called for each message. */
  readonly latencyMs: () => number;
  readonly interference?: Interference;
}

/**
 * One actor's connection to the rest of the simulation. Every call takes a latency in each direction, appears in the
 * trace, and can be disturbed. When the actor crashes, its line is severed. Code of the actor that still runs then has
 * no effect.
 */
export class Line {
  readonly actor: string;
  readonly #sim: Simulation;
  readonly #latencyMs: () => number;
  readonly #interference: Interference | undefined;
  readonly #onSever = new Set<() => void>();
  #severed = false;

  constructor(sim: Simulation, options: LineOptions) {
    this.#sim = sim;
    this.actor = options.actor;
    this.#latencyMs = options.latencyMs;
    this.#interference = options.interference;
  }

  get severed(): boolean {
    return this.#severed;
  }

  /** Cuts the line permanently. Calls in flight never settle. */
  sever(): void {
    if (this.#severed) return;
    this.#severed = true;
    for (const callback of [...this.#onSever]) callback();
    this.#onSever.clear();
  }

  /** Calls back when the line is severed. */
  onSever(callback: () => void): void {
    this.#onSever.add(callback);
  }

  /**
   * Makes a call. It arrives after one latency, and its answer after another. An abort rejects at once, but a sent call
   * may still be performed.
   */
  async call<R>(call: Call<R>): Promise<R> {
    const what = `${call.verb} ${call.object}`;
    // Count the call before the abort check: a loop of aborted calls takes no time, but it is a loop.
    await this.#sim.spend(this.actor, what);
    call.signal?.throwIfAborted();
    if (this.#severed) return never();
    return abortable(call, this.#send(call, what, this.#interference?.(call) ?? PASS));
  }

  /** Delivers a message of a stream to the actor: resolves when it arrives, at `atMs` of elapsed time. */
  arrival(atMs: number, what: string): Promise<void> {
    return this.#sim.turn(Math.max(0, atMs - this.#sim.elapsedMs), this.actor, what);
  }

  /** Elapsed time, in ms. */
  nowMs(): number {
    return this.#sim.elapsedMs;
  }

  /** Returns when a message sent now will arrive, in elapsed time. */
  arrivesMs(): number {
    return this.#sim.elapsedMs + this.#latencyMs();
  }

  async #send<R>(call: Call<R>, what: string, effect: Effect): Promise<R> {
    await this.#travel(what);
    // A vanishing call is the last one of its process, and left before the crash.
    if (this.#severed && effect.kind !== 'vanish') await never();
    if (effect.kind !== 'pass' && !effect.performed) {
      this.#record(call, effect.kind === 'vanish' ? 'lost' : outcomeOf(effect.error));
      return this.#answer(what, effect, never<R>());
    }
    // If no server listens, `perform` throws synchronously.
    const result = (async () => call.perform())();
    await result.then(
      (value) => this.#record(call, effect.kind === 'pass' ? 'ok' : 'ok, unheard', call.revisionOf?.(value)),
      (error) => this.#record(call, outcomeOf(error)),
    );
    if (effect.kind === 'vanish') effect.onPerformed?.();
    const answer = this.#answer(what, effect, result);
    return call.discard ? this.#heardOr(call.discard, effect, result, answer) : answer;
  }

  /** Returns the answer, or discards the result if the answer never arrives. */
  #heardOr<R>(
    discard: (result: R) => void,
    { kind }: Effect,
    result: Promise<R>,
    answer: Promise<R>,
  ): Promise<R> {
    const lost = (): void => void result.then(discard, () => {});
    if (kind === 'pass') this.#onSever.add(lost);
    else lost();
    return answer.finally(() => this.#onSever.delete(lost));
  }

  /** Returns the answer after its latency, or the error of the effect. */
  async #answer<R>(what: string, effect: Effect, result: Promise<R>): Promise<R> {
    if (effect.kind === 'vanish') return never();
    await this.#travel(what, effect.kind === 'fail' ? effect.afterMs : 0);
    if (this.#severed) return never();
    if (effect.kind === 'fail') throw effect.error;
    return result;
  }

  async #travel(what: string, extraMs = 0): Promise<void> {
    await this.#sim.turn(this.#latencyMs() + extraMs, this.actor, what);
  }

  /** Adds an entry to the trace, under the actor's name, unless the actor is severed. */
  record(entry: Omit<TraceEntry, 'atMs' | 'actor'>): void {
    if (!this.#severed) this.#sim.trace.record({ actor: this.actor, ...entry });
  }

  #record<R>({ verb, object }: Call<R>, outcome: string, revision?: number): void {
    const { actor } = this;
    this.#sim.trace.record({ actor, verb, object, ...(revision === undefined ? {} : { revision }), outcome });
  }
}

/** Returns a promise that never settles: a severed actor receives neither an answer nor an error. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}

function outcomeOf(error: unknown): string {
  const { reason, code, name } = error as { reason?: unknown; code?: unknown; name?: unknown };
  for (const word of [reason, code, name]) if (typeof word === 'string') return word;
  return 'Error';
}

function abortable<R>({ signal, discard }: Call<R>, answer: Promise<R>): Promise<R> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason);
      answer.then(discard, () => {});
    };
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
