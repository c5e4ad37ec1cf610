import { drawSequence } from '../drawing/sequence-diagram.ts';
import type { TraceEntry } from '../sim/index.ts';

const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED']);
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'updateStatus', 'patch', 'delete', 'bind']);

/** Written all the time, by all nodes or about all objects; or part of the cluster itself. */
const BACKGROUND = /^(leases|nodes|events)\/|\/kube-system\//;

/**
 * Draws a run as a sequence diagram in Mermaid. It has each write, the watch event that preceded it, and the scores of
 * each node. All other events and all reads are left out: most components receive many events that they do nothing
 * about.
 */
export function tellSequence(trace: readonly TraceEntry[]): string {
  /** The last event that an actor has received since its last write. */
  const heard = new Map<string, TraceEntry>();
  const shown = new Set<TraceEntry>();
  for (const entry of trace) {
    const { actor, verb, object = '' } = entry;
    if (BACKGROUND.test(object)) continue;
    if (EVENTS.has(verb)) heard.set(actor, entry);
    if (verb === 'explain') shown.add(entry);
    if (!WRITES.has(verb)) continue;
    const cause = heard.get(actor);
    if (cause) shown.add(cause);
    heard.delete(actor);
    shown.add(entry);
  }
  return drawSequence(trace.filter((entry) => shown.has(entry)));
}
