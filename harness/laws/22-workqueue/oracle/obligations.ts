import { type Item, sayDrain, sayItem } from '../history.ts';
import type { Reason, Snapshot } from './snapshot.ts';

/** An obligation. */
export interface Due {
  readonly law: Reason | 'closes' | 'drains' | 'reportsFailures' | 'stops';
  /** The action, in words that follow "it did not". */
  readonly words: string;
  /** The reason, as a sentence. */
  readonly why: string;
  /** The item of the action, if it has one. */
  readonly item?: Item;
}

/**
 * Returns the obligations of a queue and its workers in a snapshot: the oracle of this kata. At the end of an instant,
 * each action that was possible must have happened.
 */
export function obligationsOf(snapshot: Snapshot): readonly Due[] {
  return [...handOvers(snapshot), ...farewells(snapshot), ...reports(snapshot)];
}

/** Items that wait in line while a worker is free. */
function handOvers({ line, pool, waiting, free }: Snapshot): readonly Due[] {
  if (free <= 0) return [];
  const [worker] = waiting.keys();
  const taker = pool ? `a worker (${free} of ${pool.workers} ${free === 1 ? 'is' : 'are'} free)` : worker;
  return line.map(({ item, reason, why }) => ({
    law: reason,
    words: `hand ${sayItem(item)} to ${taker}`,
    why,
    item,
  }));
}

const DRAIN_ENDED_BY = {
  shutDown: 'shutDown was called after it',
  abort: 'the signal was aborted after it: on abort, runWorkers must call shutDown, which ends a drain',
};

/** Gets, drains and `runWorkers`, which must return after the end. */
function farewells(snapshot: Snapshot): readonly Due[] {
  const { closed, aborted, returned, waiting, all, inHand, drains, pool } = snapshot;
  const mayBeWanted = all.some(({ wanted }) => wanted !== 'no');
  const obligations: Due[] = [];
  if (closed) {
    for (const worker of waiting.keys()) {
      obligations.push({
        law: 'closes',
        words: `end the get of ${worker} with undefined`,
        why: 'the queue is shut down',
      });
    }
  }
  for (const [drain, { endedBy }] of drains) {
    if (!endedBy && (inHand > 0 || mayBeWanted)) continue;
    const why = endedBy ? DRAIN_ENDED_BY[endedBy] : 'nothing is in hand any more';
    obligations.push({ law: 'drains', words: `return from ${sayDrain(drain)}`, why });
  }
  if (pool && !returned && inHand === 0 && (aborted || (closed && !mayBeWanted))) {
    const why = aborted ? 'the signal was aborted' : 'the queue is shut down and empty';
    obligations.push({ law: 'stops', words: 'return', why: `${why}, and no sync is under way` });
  }
  return obligations;
}

/** Failures without a call of `onError`. */
function reports({ unreported, pool }: Snapshot): readonly Due[] {
  if (!pool || pool.listener === 'absent') return [];
  return unreported.map(({ item }) => ({
    law: 'reportsFailures',
    words: `call onError for sync(${sayItem(item)}), which failed`,
    why: 'onError is due once for each failure',
    item,
  }));
}
