import type { Trace, TraceEntry } from '../../sim/index.ts';
import { isStep, kindOf } from './verbs.ts';

/** The entries of one actor, oldest first. */
interface ActorEntries {
  /** Log lines, errors, explanations, starts and ends. */
  readonly notes: readonly TraceEntry[];
  /** Its calls to the services of a node, without calls that only read. */
  readonly calls: readonly TraceEntry[];
  /** The events of Services and their EndpointSlices that reached it. */
  readonly serviceEvents: readonly TraceEntry[];
}

const NO_ENTRIES: ActorEntries = { notes: [], calls: [], serviceEvents: [] };

/** The notes, calls and events in a trace by their actor. Each entry is read once. */
export class ActorNotes {
  readonly #trace: Trace;
  readonly #byActor = new Map<string, { readonly [K in keyof ActorEntries]: TraceEntry[] }>();
  #read = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  of(actor: string): ActorEntries {
    const { entries } = this.#trace;
    for (; this.#read < entries.length; this.#read++) this.#add(entries[this.#read] as TraceEntry);
    return this.#byActor.get(actor) ?? NO_ENTRIES;
  }

  #add(entry: TraceEntry): void {
    const list = listOf(entry);
    if (!list) return;
    const known = this.#byActor.get(entry.actor) ?? { notes: [], calls: [], serviceEvents: [] };
    this.#byActor.set(entry.actor, known);
    known[list].push(entry);
  }
}

function listOf(entry: TraceEntry): keyof ActorEntries | undefined {
  switch (kindOf(entry)) {
    case 'note':
      return 'notes';
    case 'call':
      return isStep(entry) ? undefined : 'calls';
    case 'event':
      return /^(?:services|endpointslices)\//.test(entry.object ?? '') ? 'serviceEvents' : undefined;
    default:
      return undefined;
  }
}
