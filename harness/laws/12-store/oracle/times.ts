import type { Call } from './calls.ts';
import type { Order } from './linearize.ts';
import type { State } from './model.ts';

/** Lower and upper bounds of the store at each entry, from an order of its calls. */
export interface Bounds {
  /** The state of each revision, by its number. */
  readonly states: readonly (State | undefined)[];
  /** The revision at an entry: at least that of all finished calls, at most that of all begun calls. */
  revisionAt(index: number): { readonly least: number; readonly most: number };
  /** The compacted revision at an entry: certainly, and possibly. */
  compactedAt(index: number): { readonly sure: number; readonly possible: number };
}

const known = new WeakMap<Order, Bounds>();

/** Returns the bounds of an order of calls. */
export function boundsOf(order: Order, calls: readonly Call[]): Bounds {
  const cached = known.get(order);
  if (cached) return cached;
  const states: (State | undefined)[] = [];
  // The last state of a revision may be compacted; its changes are the same.
  for (let at: State | undefined = order.state; at; at = at.before) states[at.revision] = at;
  const { placed } = order;
  const bounds: Bounds = {
    states,
    revisionAt(index) {
      const done = placed.findLast(({ call }) => call.to < index);
      const begun = placed.findLast(({ call }) => call.from < index);
      return { least: done?.state.revision ?? 1, most: begun?.state.revision ?? 1 };
    },
    compactedAt(index) {
      const done = placed.findLast(({ call }) => call.to < index);
      const sure = done?.state.compacted ?? 0;
      // A compaction without an answer may have happened, although no call shows it.
      const begun = calls.flatMap(({ request, from, answer }) =>
        request.call === 'compact' && from < index && answer?.kind !== 'refused' ? [request.revision] : [],
      );
      return { sure, possible: Math.max(sure, ...begun) };
    },
  };
  known.set(order, bounds);
  return bounds;
}
