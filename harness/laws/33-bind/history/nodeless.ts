import { THOUGHT_MS } from '../../../testing/rig/recorder.ts';
import type { SchedulerHistory } from './index.ts';

/**
 * Returns a function that reports whether the scheduler may have known no node at some moment from `fromMs` to `toMs`.
 * Without nodes, no filter runs, so the record lacks the attempt; yet it counts as an error, and the pod backs off.
 */
export function nodeless({ told, nodes }: SchedulerHistory): (fromMs: number, toMs: number) => boolean {
  const { all } = told;
  const intervals = all.flatMap(({ atMs, told: known }, i) => {
    const isSynced = known.pods > 0 && known.nodes > 0;
    if (!isSynced || nodes.allAt(known.nodes).length > 0) return [];
    return [{ from: atMs - THOUGHT_MS, to: (all[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) + THOUGHT_MS }];
  });
  return (fromMs, toMs) => intervals.some(({ from, to }) => from <= toMs && to >= fromMs);
}
