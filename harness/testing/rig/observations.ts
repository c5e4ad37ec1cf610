import type { KubeObject, List } from '../../api/objects.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { type RecordedRequest, THOUGHT_MS } from './recorder.ts';

/**
 * The observed revisions of a component at some time: for each resource (plural), the newest revision that it has
 * observed; 0 if none.
 */
export type Observed<R extends string> = Readonly<Record<R, number>> & {
  /** The start of this incarnation of the component, in virtual ms. */
  readonly bornMs: number;
};

/** Options of {@link Tellings}. */
export interface ObservationsOptions<R extends string> {
  /** The process, by its name in the trace. */
  readonly process: string;
  /** The plurals of the watched resources. */
  readonly resources: readonly R[];
  /** The longest latency of a list after its entry in the trace, in virtual ms. */
  readonly latencyMs: number;
  /**
   * Lists of whole resources that the component requested itself, outside its informers. They do not count as
   * observations.
   *
   * @defaultValue none
   */
  readonly own?: readonly RecordedRequest[];
}

/**
 * The revisions that a component has certainly observed at each time. A component acts on a slightly old view. Its age
 * follows from the events and lists that the trace shows for its watches.
 */
export class Observations<R extends string> {
  readonly #options: ObservationsOptions<R>;
  readonly #nothing: Observed<R>;
  /** Own lists that have not been found in the trace yet. */
  readonly #own: Set<RecordedRequest>;
  readonly #told: { readonly atMs: number; readonly told: Observed<R> }[] = [];
  /** The times of all observations, new or not. */
  readonly #heardMs: number[] = [];
  /** Number of open watches by resource, for resources that this incarnation has watched. */
  readonly #watches = new Map<R, number>();
  #read = 0;

  constructor(options: ObservationsOptions<R>) {
    this.#options = options;
    this.#own = new Set(options.own?.filter(({ verb, answer }) => verb === 'list' && answer !== undefined));
    const none = Object.fromEntries(options.resources.map((resource) => [resource, 0]));
    this.#nothing = { ...none, bornMs: 0 } as Observed<R>;
  }

  /** Reads the entries that were added to a trace since the last call. */
  read(entries: readonly TraceEntry[]): this {
    for (; this.#read < entries.length; this.#read++) this.#note(entries[this.#read] as TraceEntry);
    return this;
  }

  /** Returns the revisions observed before `atMs`. The order within one ms is unknown. */
  at(atMs: number): Observed<R> {
    return this.#told[countBefore(this.#told, atMs) - 1]?.told ?? this.#nothing;
  }

  /**
   * Returns the revisions observed when the component started to decide what it does at `atMs`: {@link THOUGHT_MS}
   * before, but not before it had observed every resource. Its action depends on a view that is at least as new.
   */
  atThought(atMs: number): Observed<R> {
    const { bornMs } = this.at(atMs);
    const isSynced = (told: Observed<R>): boolean =>
      told.bornMs === bornMs && this.#options.resources.every((resource) => told[resource] > 0);
    const before = this.at(atMs - THOUGHT_MS);
    if (isSynced(before)) return before;
    const synced = this.#told.find(({ told }) => isSynced(told));
    return synced && synced.atMs < atMs ? synced.told : { ...this.#nothing, bornMs };
  }

  /** The observed revisions with their times, oldest first. */
  get all(): readonly { readonly atMs: number; readonly told: Observed<R> }[] {
    return this.#told;
  }

  /** The revisions observed at the end. */
  get now(): Observed<R> {
    return this.#told.at(-1)?.told ?? this.#nothing;
  }

  /** Returns the number of observations between two times, both included, new or not. */
  heard(fromMs: number, toMs: number): number {
    return this.#heardMs.filter((atMs) => atMs >= fromMs && atMs <= toMs).length;
  }

  /**
   * Whether the last watch of any resource has ended and no new one has begun: then the component may observe nothing
   * for a while.
   */
  get isCutOff(): boolean {
    return [...this.#watches.values()].includes(0);
  }

  /** Returns whether the component ever observed the resource, even an empty list of it. */
  everOf(resource: R): boolean {
    return this.#told.some(({ told }) => told[resource] > 0);
  }

  #note({ actor, verb, object = '', revision = 0, outcome, atMs }: TraceEntry): void {
    if (actor !== this.#options.process) return;
    if (verb === 'start') {
      // Messages in flight to the previous incarnation were never received.
      while ((this.#told.at(-1)?.atMs ?? 0) > atMs) this.#told.pop();
      this.#told.push({ atMs, told: { ...this.#nothing, bornMs: atMs } });
      this.#heardMs.push(atMs);
      this.#watches.clear();
      return;
    }
    this.#noteWatch(verb, object, outcome);
    const isList = verb === 'list' && outcome === 'ok';
    if (!isList && !EVENTS.has(verb)) return;
    // A list of one namespace is the component's own request; an informer lists all namespaces.
    const about = isList ? object : object.split('/')[0];
    const resource = this.#options.resources.find((each) => each === about);
    if (resource === undefined || (isList && this.#isOwn(resource, revision, atMs))) return;
    const arrivedMs = isList ? atMs + this.#options.latencyMs : atMs;
    this.#heardMs.push(arrivedMs);
    if (revision <= this.now[resource]) return;
    const heardMs = Math.max(arrivedMs, this.#told.at(-1)?.atMs ?? 0);
    this.#told.push({ atMs: heardMs, told: { ...this.now, [resource]: revision } });
  }

  #noteWatch(verb: string, object: string, outcome: string | undefined): void {
    const began = verb === 'watch' && outcome === 'ok';
    const resource = this.#options.resources.find((each) => each === object.split('/')[0]);
    if (resource === undefined || !(began || WATCH_ENDS.has(verb))) return;
    const open = this.#watches.get(resource) ?? 0;
    this.#watches.set(resource, Math.max(0, open + (began ? 1 : -1)));
  }

  /** If two lists match, takes the first: so the observation counts as later rather than earlier. */
  #isOwn(resource: string, revision: number, atMs: number): boolean {
    for (const list of this.#own) {
      const { metadata } = list.answer as List<KubeObject>;
      if (list.resource !== resource || Number(metadata.resourceVersion) !== revision) continue;
      if (atMs < list.sentMs || atMs > (list.answeredMs ?? atMs)) continue;
      this.#own.delete(list);
      return true;
    }
    return false;
  }
}

/** Returns the number of entries before `atMs`; the entries are sorted by time. */
function countBefore(all: readonly { readonly atMs: number }[], atMs: number): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((all[middle] as { atMs: number }).atMs < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Trace entries that end a watch. */
const WATCH_ENDS: ReadonlySet<string> = new Set(['cut', 'end', 'ERROR']);

const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
