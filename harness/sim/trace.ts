import { createHash } from 'node:crypto';

/**
 * One thing that happened in a simulation. Laws are checked on these, timelines are drawn from these, and two
 * runs are the same if these are the same.
 */
export interface TraceEntry {
  /** Virtual milliseconds since the simulation began. */
  readonly atMs: number;
  /** What did it, or what it happened to: `informer`, `apiserver-0`, `nemesis`. */
  readonly actor: string;
  /** `get`, `list`, `watch`, `ADDED`, `crash`, `log`, … */
  readonly verb: string;
  /** What it was done to: `pods`, `pods/default/web-1`. */
  readonly object?: string;
  /** The storage revision that it reached or asked for. */
  readonly revision?: number;
  /** `ok`, a failure's reason, or what else came of it. */
  readonly outcome?: string;
  /** Anything a reader wants to know and no checker reads. */
  readonly note?: string;
}

/** How many characters are hashed by one call, at least. */
const HASHED_AT_A_TIME = 65_536;

/** The append-only record of one run, or of the end of a long one. */
export class Trace {
  #entries: TraceEntry[] = [];
  readonly #now: () => number;

  /** `now` gives virtual milliseconds since the simulation began. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  record(entry: Omit<TraceEntry, 'atMs'>): void {
    this.#entries.push({ atMs: this.#now(), ...entry });
  }

  /** Forgets what was before this time. */
  forget(beforeMs: number): void {
    const first = this.#entries.findIndex(({ atMs }) => atMs >= beforeMs);
    this.#entries = first < 0 ? [] : this.#entries.slice(first);
  }

  /** Sixteen hex digits: equal for equal runs, on every machine and every version of Node. */
  hash(): string {
    const sum = createHash('sha256');
    let text = '';
    for (const e of this.#entries) {
      text += JSON.stringify([e.atMs, e.actor, e.verb, e.object, e.revision, e.outcome, e.note]);
      // Each call of `update` costs more than many entries do.
      if (text.length < HASHED_AT_A_TIME) continue;
      sum.update(text);
      text = '';
    }
    sum.update(text);
    return sum.digest('hex').slice(0, 16);
  }
}
