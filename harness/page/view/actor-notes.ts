import type { Trace, TraceEntry } from '../../sim/index.ts';
import { noteVerbs } from './verbs.ts';

/** The notes in a trace by their actor: log lines, errors, explanations, starts and ends. Each entry is read once. */
export class ActorNotes {
  readonly #trace: Trace;
  readonly #byActor = new Map<string, TraceEntry[]>();
  #read = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** Returns the notes of an actor, oldest first. */
  of(actor: string): readonly TraceEntry[] {
    const { entries } = this.#trace;
    for (; this.#read < entries.length; this.#read++) {
      const entry = entries[this.#read] as TraceEntry;
      if (!noteVerbs.has(entry.verb)) continue;
      const known = this.#byActor.get(entry.actor);
      if (known) known.push(entry);
      else this.#byActor.set(entry.actor, [entry]);
    }
    return this.#byActor.get(actor) ?? [];
  }
}
