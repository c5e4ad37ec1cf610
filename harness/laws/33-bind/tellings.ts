/** What a scheduler had been told when, by its watches and lists, as its trace has it. */
import type { TraceEntry } from '../../sim/index.ts';
import { PROCESS } from './step.ts';

/** The newest revision that it had been told of, of each resource; 0 where it had been told of none. */
export interface Told {
  /** When this life of it began. */
  readonly bornMs: number;
  readonly pods: number;
  readonly nodes: number;
}

/** A list that the scheduler itself asked for, and was answered. */
export interface OwnList {
  readonly resource: string;
  readonly revision: number;
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** How long a scheduler may think between a look at its cache and what comes of it. */
export const THOUGHT_MS = 1_000;

const NOTHING: Told = { bornMs: 0, pods: 0, nodes: 0 };
const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

export class Tellings {
  readonly #latencyMs: number;
  /** Those that have not been found in the trace yet. */
  readonly #own: Set<OwnList>;
  readonly #told: { readonly atMs: number; readonly told: Told }[] = [];
  #read = 0;

  /**
   * @param latencyMs how long a list may travel from where the trace sees it
   * @param own lists that it asked for itself, and that are not its informers': what it makes of them is its business
   */
  constructor(latencyMs: number, own: readonly OwnList[] = []) {
    this.#latencyMs = latencyMs;
    this.#own = new Set(own);
  }

  /** Reads what has been added to a trace since it was read last. */
  read(entries: readonly TraceEntry[]): void {
    for (; this.#read < entries.length; this.#read++) this.#note(entries[this.#read] as TraceEntry);
  }

  /** What it had been told before `atMs`. Of what happens within one ms, who knows what came first. */
  at(atMs: number): Told {
    return this.#told.findLast((one) => one.atMs < atMs)?.told ?? NOTHING;
  }

  /**
   * What it had been told when it began to think about what it does at `atMs`: a little before, but not before it had been told
   * of pods and nodes at all. Whatever it does there, it does on a view that is at least as new.
   */
  atThought(atMs: number): Told {
    const { bornMs } = this.at(atMs);
    const before = this.at(atMs - THOUGHT_MS);
    if (before.bornMs === bornMs && before.pods > 0 && before.nodes > 0) return before;
    const synced = this.#told.find(({ told }) => told.bornMs === bornMs && told.pods > 0 && told.nodes > 0);
    return synced && synced.atMs < atMs ? synced.told : { ...NOTHING, bornMs };
  }

  /** All that it was told in the end. */
  get now(): Told {
    return this.#told.at(-1)?.told ?? NOTHING;
  }

  #note({ actor, verb, object = '', revision = 0, outcome, atMs }: TraceEntry): void {
    if (actor !== PROCESS) return;
    if (verb === 'start') {
      // What was still on its way to the life before was never heard.
      while ((this.#told.at(-1)?.atMs ?? 0) > atMs) this.#told.pop();
      this.#told.push({ atMs, told: { ...NOTHING, bornMs: atMs } });
      return;
    }
    const isList = verb === 'list' && outcome === 'ok';
    if (!isList && !EVENTS.has(verb)) return;
    const [resource] = object.split('/');
    if (resource !== 'pods' && resource !== 'nodes') return;
    if (isList && this.#isOwn(resource, revision, atMs)) return;
    if (revision <= this.now[resource]) return;
    const heardMs = Math.max(isList ? atMs + this.#latencyMs : atMs, this.#told.at(-1)?.atMs ?? 0);
    this.#told.push({ atMs: heardMs, told: { ...this.now, [resource]: revision } });
  }

  /** Of two lists that it could be, the first is taken for it: so the scheduler was told later rather than sooner. */
  #isOwn(resource: string, revision: number, atMs: number): boolean {
    for (const list of this.#own) {
      if (list.resource !== resource || list.revision !== revision) continue;
      if (atMs < list.sentMs || atMs > list.answeredMs) continue;
      this.#own.delete(list);
      return true;
    }
    return false;
  }
}
