import { createHash } from '#platform/hash';

/**
 * One event of a simulation. Laws check these, timelines are drawn from these, and two runs are equal if these are
 * equal.
 */
export interface TraceEntry {
  /** Virtual milliseconds since the simulation began. */
  readonly atMs: number;
  /** The component that acts or is affected: `informer`, `apiserver-0`, `nemesis`. */
  readonly actor: string;
  /** `get`, `list`, `watch`, `ADDED`, `crash`, `log`, … */
  readonly verb: string;
  /** The object of the action: `pods`, `pods/default/web-1`. */
  readonly object?: string;
  /** The storage revision that the action reached or requested. */
  readonly revision?: number;
  /** `ok`, the reason of a failure, or another result. */
  readonly outcome?: string;
  /** Information for readers that no law checks. */
  readonly note?: string;
}

/** Minimum number of characters to hash in one call. */
const HASHED_AT_A_TIME = 65_536;

/** The append-only record of one run, or of the end of a long run. */
export class Trace {
  #entries: TraceEntry[] = [];
  readonly #now: () => number;

  /** @param now returns virtual milliseconds since the simulation began */
  constructor(now: () => number) {
    this.#now = now;
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  record(entry: Omit<TraceEntry, 'atMs'>): void {
    this.#entries.push({ atMs: this.#now(), ...entry });
  }

  /** Forgets the entries before this time. */
  forget(beforeMs: number): void {
    const first = this.#entries.findIndex(({ atMs }) => atMs >= beforeMs);
    this.#entries = first < 0 ? [] : this.#entries.slice(first);
  }

  /** Returns sixteen hex digits: equal for equal runs, on every machine and version of Node. */
  hash(): string {
    const sum = createHash('sha256');
    let text = '';
    for (const e of this.#entries) {
      text += JSON.stringify([e.atMs, e.actor, e.verb, e.object, e.revision, e.outcome, e.note]);
      // One call of `update` costs more than many entries do.
      if (text.length < HASHED_AT_A_TIME) continue;
      sum.update(text);
      text = '';
    }
    sum.update(text);
    return sum.digest('hex').slice(0, 16);
  }
}
