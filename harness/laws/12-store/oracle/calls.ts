import type { Answer, HistoryEntry, Request, StoreHistory } from '../history.ts';

/** A call of a history, as the search sees it. Numbers without a unit are indices of entries. */
export interface Call {
  readonly request: Request | { readonly call: 'expire'; readonly lease: string };
  readonly by: string;
  /** The process that was called. */
  readonly process: number;
  /** The call takes effect after this entry. */
  readonly from: number;
  /** The call takes effect before this entry, or never if the answer is absent. */
  readonly to: number;
  /** Absent: it may have taken effect or not. */
  readonly answer?: Answer;
  /** Whether it must take effect before `to`, although it has no answer. */
  readonly isDue?: boolean;
  readonly atMs: number;
}

/** Returns the calls of a history in their order, and the expiries of its leases. */
export function callsOf(history: StoreHistory): readonly Call[] {
  const { entries } = history;
  const calls = new Map<number, Call>();
  let process = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'starts') {
      process = entry.process;
      // A call without an answer cannot take effect in a later process.
      for (const [op, call] of calls)
        if (!call.answer && call.to > index) calls.set(op, { ...call, to: index });
    } else if (entry.kind === 'call') {
      const { request, by, atMs } = entry;
      calls.set(entry.op, { request, by, process, from: index, to: Number.POSITIVE_INFINITY, atMs });
    } else if (entry.kind === 'answer') {
      const call = calls.get(entry.op) as Call;
      calls.set(entry.op, { ...call, to: index, answer: entry.answer });
    }
  }
  const all = [...calls.values()];
  return [...all, ...all.flatMap((call) => expiryOf(history, call))];
}

/**
 * Returns the end of a granted lease. The store may end it as soon as its time has passed since the grant, and must end
 * it a little later. A restart may give it its whole time again.
 */
function expiryOf(
  { entries, leaseSlackMs }: StoreHistory,
  { answer, from, to, by, process }: Call,
): readonly Call[] {
  if (answer?.kind !== 'lease') return [];
  const { id, seconds } = answer.lease;
  const timeOf = (index: number): number => entries[index]?.atMs ?? Number.POSITIVE_INFINITY;
  const indexAt = (ms: number): number => {
    const index = entries.findIndex(({ atMs }) => atMs >= ms);
    return index < 0 ? Number.POSITIVE_INFINITY : index;
  };
  const atMs = timeOf(from) + seconds * 1000;
  const begins = indexAt(atMs);
  if (begins === Number.POSITIVE_INFINITY) return [];
  let dueMs = timeOf(to) + seconds * 1000 + leaseSlackMs;
  let isDue = true;
  for (const entry of entries.slice(to)) {
    if (entry.atMs > dueMs) break;
    if (entry.kind === 'crash') isDue = false;
    else if (entry.kind === 'opened' && !isDue) {
      isDue = true;
      dueMs = entry.atMs + seconds * 1000 + leaseSlackMs;
    }
  }
  const due = isDue ? indexAfter(entries, dueMs) : Number.POSITIVE_INFINITY;
  return [
    {
      request: { call: 'expire', lease: id },
      by,
      process,
      from: begins - 1,
      to: due,
      atMs,
      isDue: due !== Number.POSITIVE_INFINITY,
    },
  ];
}

function indexAfter(entries: readonly HistoryEntry[], ms: number): number {
  const index = entries.findIndex(({ atMs }) => atMs > ms);
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
