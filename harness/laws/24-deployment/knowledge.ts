/**
 * What a controller can have known when it decided something. A controller is bound to act on a view that is a little old;
 * how old it can have been is read off what its watches and lists had brought it by then.
 */
import type { Client } from '../../contracts/client.ts';
import type { Simulation, TraceEntry } from '../../sim/index.ts';
import { PROCESS } from './step.ts';

/** How long a controller may think between a look at its cache and what comes of it. */
const THOUGHT_MS = 1_000;

/** The resources that are watched, as they are called in a trace. */
export type Watched = 'deployments' | 'replicasets' | 'pods';

/** The newest revision that the controller had been told of, of each resource; 0 where it had been told of none. */
export type Told = Readonly<Record<Watched, number>>;

/** A time in which requests followed each other without a pause. */
interface Chain {
  readonly beganMs: number;
  /** When the chain before it was over, or the process began. */
  readonly idleSinceMs: number;
}

/** Watches the requests of a controller, but for those that tell of events: nothing is decided on them. */
export class RequestWatcher {
  readonly #sim: Simulation;
  readonly #chains: Chain[] = [];
  #pending = new Set<object>();
  #idleSinceMs = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** The client of a new life of the controller: what the last one waited for never comes. */
  client(client: Client): Client {
    this.#pending = new Set();
    this.#idleSinceMs = this.#sim.elapsedMs;
    const pending = this.#pending;
    return new Proxy(client, {
      get: (target, verb: keyof Client) => {
        const ask = target[verb].bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (verb === 'watch') return ask;
        return (...args: readonly unknown[]) => {
          const request = this.#sent(pending);
          const answer = ask(...args);
          const answered = (): void => this.#answered(request, pending);
          answer.then(answered, answered);
          return answer;
        };
      },
    });
  }

  /** Since when the controller, that acts at `atMs`, has not looked up: it may know no more than it knew then. */
  sinceMs(atMs: number): number {
    const chain = this.#chains.findLast(({ beganMs }) => beganMs <= atMs);
    return chain ? Math.max(chain.idleSinceMs, chain.beganMs - THOUGHT_MS) : 0;
  }

  #sent(pending: Set<object>): object {
    const { elapsedMs } = this.#sim;
    const request = {};
    if (pending.size === 0 && (this.#chains.length === 0 || elapsedMs > this.#idleSinceMs)) {
      this.#chains.push({ beganMs: elapsedMs, idleSinceMs: this.#idleSinceMs });
    }
    pending.add(request);
    return request;
  }

  #answered(request: object, pending: Set<object>): void {
    pending.delete(request);
    if (pending === this.#pending && pending.size === 0) this.#idleSinceMs = this.#sim.elapsedMs;
  }
}

/** What the controller had been told, moment by moment. */
export class Tellings {
  readonly #told: { readonly atMs: number; readonly told: Told }[] = [];

  /** @param latencyMs how long a list may travel from where the trace sees it */
  constructor(entries: readonly TraceEntry[], latencyMs: number) {
    let told: Told = NOTHING;
    for (const { actor, verb, object = '', revision = 0, outcome, atMs } of entries) {
      if (actor !== PROCESS) continue;
      if (verb === 'start') {
        told = NOTHING;
        this.#told.push({ atMs, told });
      }
      const isList = verb === 'list' && outcome === 'ok';
      if (!isList && !EVENTS.has(verb)) continue;
      const [resource = ''] = object.split('/');
      if (!isWatched(resource) || revision <= told[resource]) continue;
      told = { ...told, [resource]: revision };
      this.#told.push({ atMs: isList ? atMs + latencyMs : atMs, told });
    }
    this.#told.sort((a, b) => a.atMs - b.atMs);
  }

  /** Was it ever told of any object of this resource, or of there being none? */
  everOf(resource: Watched): boolean {
    return this.#told.some(({ told }) => told[resource] > 0);
  }

  /** What it had been told before `atMs`. Of what happens within one ms, who knows what came first. */
  at(atMs: number): Told {
    return this.#told.findLast((one) => one.atMs < atMs)?.told ?? NOTHING;
  }
}

const NOTHING: Told = { deployments: 0, replicasets: 0, pods: 0 };
const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function isWatched(resource: string): resource is Watched {
  return resource in NOTHING;
}
