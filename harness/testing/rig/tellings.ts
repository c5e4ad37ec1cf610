import type { KubeObject, List } from '../../api/objects.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { type RecordedRequest, THOUGHT_MS } from './recorder.ts';

/**
 * How much a component had been told at a moment: the newest revision that it had been told of, by the resource's plural; 0 where
 * it had been told of none.
 */
export type Told<R extends string> = Readonly<Record<R, number>> & {
  /** When this life of the component began, in virtual ms. */
  readonly bornMs: number;
};

/** Whose knowledge it is. */
export interface TellingsOptions<R extends string> {
  /** The process, as the trace calls it. */
  readonly process: string;
  /** The plurals of the resources that it watches. */
  readonly resources: readonly R[];
  /** How long a list may travel from where the trace sees it, in virtual ms. */
  readonly latencyMs: number;
  /**
   * Lists of whole resources that the component asked for itself, and that are not its informers': what it makes of them is its
   * business.
   *
   * @defaultValue none
   */
  readonly own?: readonly RecordedRequest[];
}

/**
 * What a component can have known when. It acts on a view that is a little old; how old that can have been is read off what its
 * watches and lists had brought it by then, as the trace has it.
 */
export class Tellings<R extends string> {
  readonly #options: TellingsOptions<R>;
  readonly #nothing: Told<R>;
  /** Those that have not been found in the trace yet. */
  readonly #own: Set<RecordedRequest>;
  readonly #told: { readonly atMs: number; readonly told: Told<R> }[] = [];
  /** When it was told anything, new or not. */
  readonly #heardMs: number[] = [];
  /** How many watches of each resource are open, of those that it has ever watched in this life. */
  readonly #watches = new Map<R, number>();
  #read = 0;

  constructor(options: TellingsOptions<R>) {
    this.#options = options;
    this.#own = new Set(options.own?.filter(({ verb, answer }) => verb === 'list' && answer !== undefined));
    const none = Object.fromEntries(options.resources.map((resource) => [resource, 0]));
    this.#nothing = { ...none, bornMs: 0 } as Told<R>;
  }

  /** Reads what has been added to a trace since it was read last. */
  read(entries: readonly TraceEntry[]): this {
    for (; this.#read < entries.length; this.#read++) this.#note(entries[this.#read] as TraceEntry);
    return this;
  }

  /** What it had been told before `atMs`. Of what happens within one ms, nothing says what came first. */
  at(atMs: number): Told<R> {
    return this.#told[countBefore(this.#told, atMs) - 1]?.told ?? this.#nothing;
  }

  /**
   * What it had been told when it began to think about what it does at `atMs`: a little before, but not before it had been told
   * of every resource. Whatever it does there, it does on a view that is at least as new.
   */
  atThought(atMs: number): Told<R> {
    const { bornMs } = this.at(atMs);
    const isSynced = (told: Told<R>): boolean =>
      told.bornMs === bornMs && this.#options.resources.every((resource) => told[resource] > 0);
    const before = this.at(atMs - THOUGHT_MS);
    if (isSynced(before)) return before;
    const synced = this.#told.find(({ told }) => isSynced(told));
    return synced && synced.atMs < atMs ? synced.told : { ...this.#nothing, bornMs };
  }

  /** What it knew from when on, oldest first. */
  get all(): readonly { readonly atMs: number; readonly told: Told<R> }[] {
    return this.#told;
  }

  /** All that it was told in the end. */
  get now(): Told<R> {
    return this.#told.at(-1)?.told ?? this.#nothing;
  }

  /** How often it was told something, new or not, from the one moment to the other, both included. */
  heard(fromMs: number, toMs: number): number {
    return this.#heardMs.filter((atMs) => atMs >= fromMs && atMs <= toMs).length;
  }

  /** Has its last watch of any resource ended, and it has not begun another yet? Then it may hear of nothing for a while. */
  get isCutOff(): boolean {
    return [...this.#watches.values()].includes(0);
  }

  /** Was it ever told of any object of this resource, or of there being none? */
  everOf(resource: R): boolean {
    return this.#told.some(({ told }) => told[resource] > 0);
  }

  #note({ actor, verb, object = '', revision = 0, outcome, atMs }: TraceEntry): void {
    if (actor !== this.#options.process) return;
    if (verb === 'start') {
      // What was still on its way to the life before was never heard.
      while ((this.#told.at(-1)?.atMs ?? 0) > atMs) this.#told.pop();
      this.#told.push({ atMs, told: { ...this.#nothing, bornMs: atMs } });
      this.#heardMs.push(atMs);
      this.#watches.clear();
      return;
    }
    this.#noteWatch(verb, object, outcome);
    const isList = verb === 'list' && outcome === 'ok';
    if (!isList && !EVENTS.has(verb)) return;
    // A list of one namespace is the component's own question; an informer lists all there is.
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

  /** Of two lists that it could be, the first is taken for it: so the component was told later rather than sooner. */
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

/** How many of these, in order of time, were before `atMs`. */
function countBefore(all: readonly { readonly atMs: number }[], atMs: number): number {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((all[middle] as { atMs: number }).atMs < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How the trace tells that a watch is over. */
const WATCH_ENDS: ReadonlySet<string> = new Set(['cut', 'end', 'ERROR']);

const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
