import type { ObserveRequest, RequestStep } from '../../apiserver/request-steps.ts';
import { nameOf } from '../../client/connection.ts';
import type { Attributes } from '../../contracts/access/index.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import type { ApiVerb } from '../../contracts/request.ts';
import type { TraceEntry } from '../../sim/index.ts';

/** A request, as far as it has come. Times are virtual ms since the simulation began. */
export interface RequestRecord {
  readonly number: number;
  readonly actor: string;
  readonly attributes: Attributes;
  readonly verb: ApiVerb;
  /** The object as the trace names it: `pods/default/web-1` */
  readonly object: string;
  readonly isDryRun: boolean;
  readonly atMs: number;
  readonly steps: readonly { readonly atMs: number; readonly step: RequestStep }[];
}

/** The number of requests that are kept. */
const REQUESTS_MAX = 20_000;

/** The page reads as `admin`, and a cluster is installed as `kubeadm`: nobody asks for their requests. */
const IGNORED: ReadonlySet<string> = new Set(['admin', 'kubeadm', 'system:apiserver']);

/** The latest requests to the apiservers of one cluster. */
export class RequestLog {
  readonly #nowMs: () => number;
  readonly #records = new Map<number, RequestRecord>();
  readonly #byActor = new Map<string, RequestRecord[]>();
  /** The requests that have ended and are not found in the trace yet: by their end, and by their name in the trace. */
  readonly #ended = new Map<number, Map<string, RequestRecord[]>>();
  #count = 0;

  /** @param nowMs returns the virtual time since the simulation began */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Watches the apiservers of a cluster. */
  readonly observe: ObserveRequest = (attributes, actor, request) => {
    if (IGNORED.has(actor)) return undefined;
    const steps: RequestRecord['steps'][number][] = [];
    const { dryRun = false } = request.options as WriteOptions;
    const record: RequestRecord = {
      ...{ number: this.#count++, actor, attributes, verb: request.verb, object: nameOf(request) },
      ...{ isDryRun: dryRun, atMs: this.#nowMs(), steps },
    };
    this.#add(record);
    return (step) => {
      steps.push({ atMs: this.#nowMs(), step });
      if (step.step === 'answered' || step.step === 'refused') this.#end(record);
    };
  };

  /** The number of all requests up to now, and of the next one. */
  get count(): number {
    return this.#count;
  }

  /** Returns a request; undefined for one of long ago. */
  get(number: number): RequestRecord | undefined {
    return this.#records.get(number);
  }

  /** Returns the requests of an actor from this number on, oldest first. */
  since(first: number, actor: string): readonly RequestRecord[] {
    const own = this.of(actor);
    const at = own.findLastIndex(({ number }) => number < first);
    return own.slice(at + 1);
  }

  /** Returns the requests of an actor, oldest first. */
  of(actor: string): readonly RequestRecord[] {
    return this.#byActor.get(actor) ?? [];
  }

  /** Returns the request that a trace records. Entries must come in their order, each once. */
  match({ actor, verb, object = '', atMs }: TraceEntry): RequestRecord | undefined {
    for (const endMs of this.#ended.keys()) {
      if (endMs >= atMs) break;
      this.#ended.delete(endMs);
    }
    return this.#ended.get(atMs)?.get(`${actor} ${verb} ${object}`)?.shift();
  }

  #add(record: RequestRecord): void {
    this.#records.set(record.number, record);
    const own = this.#byActor.get(record.actor);
    if (own) own.push(record);
    else this.#byActor.set(record.actor, [record]);
    if (this.#records.size <= REQUESTS_MAX) return;
    const oldest = this.#records.get(record.number - REQUESTS_MAX) as RequestRecord;
    this.#records.delete(oldest.number);
    this.#byActor.get(oldest.actor)?.shift();
  }

  #end(record: RequestRecord): void {
    const endMs = this.#nowMs();
    const ended = this.#ended.get(endMs) ?? new Map<string, RequestRecord[]>();
    this.#ended.set(endMs, ended);
    const name = `${record.actor} ${record.verb} ${record.object}`;
    ended.set(name, [...(ended.get(name) ?? []), record]);
    // Nobody reads the trace of a run that waits to be shown.
    const [oldest = endMs] = this.#ended.keys();
    if (this.#ended.size > REQUESTS_MAX) this.#ended.delete(oldest);
  }
}
