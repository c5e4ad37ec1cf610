import { THOUGHT_MS } from '../../testing/rig/recorder.ts';
import type { SchedulerHistory } from './history.ts';

/**
 * Tells whether the scheduler may have known of no node at some moment from `fromMs` to `toMs`. What it tried then does not show: the
 * filters are not asked about a pod if there is no node, and each such attempt is an error, after which the pod waits.
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
