import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import type { Simulation, TraceEntry } from '../../sim/index.ts';
import type { ControllerRequest, Knowledge, Known } from './history.ts';
import { PROCESS } from './step.ts';
import { controllerOf } from './truth.ts';

/** How long a controller may think between a look at its cache and what comes of it. */
const THOUGHT_MS = 1_000;

/** A time in which requests followed each other without a pause. */
interface Chain {
  readonly beganMs: number;
  /** When the chain before it was over, or the process began. */
  readonly idleSinceMs: number;
}

/** Writes down what a controller asks for, and finds out what it can have known. */
export class Recorder {
  readonly requests: ControllerRequest[] = [];
  readonly #sim: Simulation;
  readonly #chains: Chain[] = [];
  #pending = new Set<ControllerRequest>();
  #idleSinceMs = 0;
  #count = 0;
  #life = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Does the controller wait for an answer? */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** The client of a new life of the controller, watched: what the last one waited for never comes. */
  client(client: Client): Client {
    this.#life++;
    this.#pending = new Set();
    this.#idleSinceMs = this.#sim.elapsedMs;
    const pending = this.#pending;
    const watched =
      <K extends keyof Client>(verb: K) =>
      (resource: Resource, ...rest: unknown[]): Promise<unknown> => {
        const ask = client[verb] as (...args: unknown[]) => Promise<unknown>;
        const request = this.#sent({ verb, resource: resource.plural, ...aboutWhat(verb, rest[0]) });
        const answer = ask.call(client, resource, ...rest);
        const answered = (error?: unknown): void => this.#answered(request, pending, error);
        answer.then(() => answered(), answered);
        return answer;
      };
    return {
      ...Object.fromEntries(WATCHED.map((verb) => [verb, watched(verb)])),
      watch: (resource, options) => client.watch(resource, options),
      bind: (pod, node, options) => client.bind(pod, node, options),
      evict: (pod, options) => client.evict(pod, options),
    } as Client;
  }

  #sent(what: Pick<ControllerRequest, 'verb' | 'resource' | 'name' | 'owner'>): ControllerRequest {
    const { elapsedMs: sentMs } = this.#sim;
    const request: ControllerRequest = { life: this.#life, ...what, sentMs, sentAs: this.#count++ };
    if (this.#pending.size === 0 && (this.#chains.length === 0 || sentMs > this.#idleSinceMs)) {
      this.#chains.push({ beganMs: sentMs, idleSinceMs: this.#idleSinceMs });
    }
    this.#pending.add(request);
    this.requests.push(request);
    return request;
  }

  #answered(request: ControllerRequest, pending: Set<ControllerRequest>, error: unknown): void {
    request.answeredMs = this.#sim.elapsedMs;
    request.answeredAs = this.#count++;
    if (error !== undefined) request.error = error;
    pending.delete(request);
    if (pending === this.#pending && pending.size === 0) this.#idleSinceMs = this.#sim.elapsedMs;
  }

  /** What the controller had been told when, by its watches and by lists of a whole resource. */
  knowledge(entries: readonly TraceEntry[], latencyMs: number): Knowledge {
    const told = tellings(entries, latencyMs);
    return {
      heard: (fromMs, toMs) => told.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).length,
      at: (atMs) => {
        const chain = this.#chains.findLast(({ beganMs }) => beganMs <= atMs) ?? {
          beganMs: 0,
          idleSinceMs: 0,
        };
        const sinceMs = Math.max(chain.idleSinceMs, chain.beganMs - THOUGHT_MS);
        const known = told.findLast((one) => one.atMs <= sinceMs);
        return known ? { ...known, sinceMs } : { sinceMs, bornMs: 0, pods: 0, replicaSets: 0 };
      },
    };
  }
}

function aboutWhat(verb: keyof Client, what: unknown): Pick<ControllerRequest, 'name' | 'owner'> {
  const { name, metadata } = (what ?? {}) as { name?: string; metadata?: { name?: string } };
  const owner = verb === 'create' ? controllerOf(what as KubeObject)?.uid : undefined;
  const called = name ?? metadata?.name;
  return { ...(called === undefined ? {} : { name: called }), ...(owner === undefined ? {} : { owner }) };
}

const WATCHED = [
  'get',
  'list',
  'create',
  'update',
  'updateStatus',
  'patch',
  'delete',
  'deleteCollection',
  'getScale',
  'updateScale',
] as const satisfies readonly (keyof Client)[];

/** After each thing that the process was told: how much it had been told. A new life begins with nothing. */
function tellings(entries: readonly TraceEntry[], latencyMs: number): readonly ({ atMs: number } & Known)[] {
  const told: ({ atMs: number } & Known)[] = [];
  let [bornMs, pods, replicaSets] = [0, 0, 0];
  const note = (atMs: number): void => void told.push({ atMs, sinceMs: atMs, bornMs, pods, replicaSets });
  for (const { actor, verb, object = '', revision = 0, outcome, atMs } of entries) {
    if (actor !== PROCESS) continue;
    if (verb === 'start') {
      [bornMs, pods, replicaSets] = [atMs, 0, 0];
      // What was still on its way to the life before was never heard.
      while ((told.at(-1)?.atMs ?? 0) > atMs) told.pop();
      note(atMs);
    }
    // A list was answered at that moment, and is heard of a little later.
    const isList = verb === 'list' && outcome === 'ok' && (object === 'pods' || object === 'replicasets');
    if (!isList && !EVENTS.has(verb)) continue;
    if (object.startsWith('pods')) pods = Math.max(pods, revision);
    else if (object.startsWith('replicasets')) replicaSets = Math.max(replicaSets, revision);
    else continue;
    note(isList ? atMs + latencyMs : atMs);
  }
  return told.sort((a, b) => a.atMs - b.atMs);
}

const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
