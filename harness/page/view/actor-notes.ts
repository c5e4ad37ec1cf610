import type { Trace, TraceEntry } from '../../sim/index.ts';
import { isStep, kindOf } from './verbs.ts';

/** The entries of one actor, oldest first. */
interface ActorEntries {
  /** Log lines, errors, explanations, starts and ends. */
  readonly notes: readonly TraceEntry[];
  /** Its calls to the services of a node, without calls that only read. */
  readonly calls: readonly TraceEntry[];
}

/** The notes and the calls in a trace by their actor. Each entry is read once. */
export class ActorNotes {
  readonly #trace: Trace;
  readonly #byActor = new Map<string, { readonly notes: TraceEntry[]; readonly calls: TraceEntry[] }>();
  #read = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  of(actor: string): ActorEntries {
    const { entries } = this.#trace;
    for (; this.#read < entries.length; this.#read++) this.#add(entries[this.#read] as TraceEntry);
    return this.#byActor.get(actor) ?? { notes: [], calls: [] };
  }

  #add(entry: TraceEntry): void {
    const kind = kindOf(entry);
    if (kind !== 'note' && (kind !== 'call' || isStep(entry))) return;
    const known = this.#byActor.get(entry.actor) ?? { notes: [], calls: [] };
    this.#byActor.set(entry.actor, known);
    (kind === 'note' ? known.notes : known.calls).push(entry);
  }
}
