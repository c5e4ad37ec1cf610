import type { Simulation } from './simulation.ts';
import type { TraceEntry } from './trace.ts';

/** One call that an actor makes across a boundary: to an apiserver, a container runtime, a network plugin. */
export interface Call<R> {
  /** Where it goes: `api`, `cri`, `cni`. */
  readonly port: string;
  /** What is asked: `get`, `RunPodSandbox`, `ADD`. */
  readonly verb: string;
  /** What it is asked of, for the trace: `pods/default/web-1`. */
  readonly object: string;
  /** Does it change anything over there? */
  readonly mutates: boolean;
  /** Does it, over there, when it arrives. */
  perform(): Promise<R>;
  /** What the trace shows of the result. */
  revisionOf?(result: R): number | undefined;
  /** Lets go of a result that no caller will ever get, if it holds on to something: a watch that was opened. */
  discard?(result: R): void;
  readonly signal?: AbortSignal | undefined;
}

/** What becomes of a call. */
export type Effect =
  | { readonly kind: 'pass' }
  /** The caller gets `error`, `afterMs` later than an answer would take. `performed`: but it was carried out. */
  | { readonly kind: 'fail'; readonly error: Error; readonly performed: boolean; readonly afterMs?: number }
  /** The caller never hears of it again: it crashed. `onPerformed`: called when it has been carried out all the same. */
  | { readonly kind: 'vanish'; readonly performed: boolean; readonly onPerformed?: () => void };

/** Decides over each call before it is made. */
export type Interference = (call: Pick<Call<unknown>, 'port' | 'verb' | 'object' | 'mutates'>) => Effect;

const PASS: Effect = { kind: 'pass' };

/** Whose line it is, and what it is like. */
interface LineOptions {
  readonly actor: string;
  /** How long a message travels, one way, in ms. Asked for each. */
  readonly latencyMs: () => number;
  readonly interference?: Interference;
}

/**
 * One actor's connection to the rest of the world. Every call takes its time there and back, is in the trace, and
 * can be disturbed; when the actor dies the line is severed, and nothing that the actor still does, if it does not
 * know that it is dead, has any effect.
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

  /** Cuts the line for good. Calls that are under way never return. */
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
   * Makes a call. It arrives after a latency and its answer after another; an abort rejects at once, but what has
   * been sent may still be carried out.
   */
  async call<R>(call: Call<R>): Promise<R> {
    const what = `${call.verb} ${call.object}`;
    // Counted first: a loop whose signal was aborted makes no call that takes time, but it is a loop.
    await this.#sim.spend(this.actor, what);
    call.signal?.throwIfAborted();
    if (this.#severed) return never();
    return abortable(call, this.#send(call, what, this.#interference?.(call) ?? PASS));
  }

  /** Takes a message the other way, for streams: resolves when it has arrived, in `atMs` of elapsed time. */
  arrival(atMs: number, what: string): Promise<void> {
    return this.#sim.turn(Math.max(0, atMs - this.#sim.elapsedMs), this.actor, what);
  }

  /** Elapsed time, in ms. */
  nowMs(): number {
    return this.#sim.elapsedMs;
  }

  /** When a message that is sent now arrives, in elapsed time. */
  arrivesMs(): number {
    return this.#sim.elapsedMs + this.#latencyMs();
  }

  async #send<R>(call: Call<R>, what: string, effect: Effect): Promise<R> {
    await this.#travel(what);
    // The dying process's last request had left before it died.
    if (this.#severed && effect.kind !== 'vanish') await never();
    if (effect.kind !== 'pass' && !effect.performed) {
      this.#record(call, effect.kind === 'vanish' ? 'lost' : outcomeOf(effect.error));
      return this.#answer(what, effect, never<R>());
    }
    // Where no server listens, to perform it throws at once.
    const result = (async () => call.perform())();
    await result.then(
      (value) => this.#record(call, effect.kind === 'pass' ? 'ok' : 'ok, unheard', call.revisionOf?.(value)),
      (error) => this.#record(call, outcomeOf(error)),
    );
    if (effect.kind === 'vanish') effect.onPerformed?.();
    const answer = this.#answer(what, effect, result);
    return call.discard ? this.#heardOr(call.discard, effect, result, answer) : answer;
  }

  /** The answer, or, if it never arrives, its disposal. */
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

  /** Brings the answer back, or what there is instead of one. */
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

  /** Writes into the trace, under the actor's name; nothing if the actor is severed. */
  record(entry: Omit<TraceEntry, 'atMs' | 'actor'>): void {
    if (!this.#severed) this.#sim.trace.record({ actor: this.actor, ...entry });
  }

  #record<R>({ verb, object }: Call<R>, outcome: string, revision?: number): void {
    const { actor } = this;
    this.#sim.trace.record({ actor, verb, object, ...(revision === undefined ? {} : { revision }), outcome });
  }
}

/** For an actor that was cut off: there is no answer, not even that there is none. */
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
