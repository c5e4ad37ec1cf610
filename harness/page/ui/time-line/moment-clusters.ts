import type { Moment } from '../../protocol/message.ts';

/** Moments that stand too close to each other for marks of their own. */
export interface MomentCluster {
  /** The time of the mark: of its most important moment. */
  readonly atMs: number;
  /** The kind of its most important moment, which gives the mark its shape. */
  readonly kind: Moment['kind'];
  readonly moments: readonly Moment[];
}

/** The kinds, most important first: a user looks for his own acts and for trouble before he looks for news. */
const importance: readonly Moment['kind'][] = [
  'action',
  'crash',
  'error',
  'fault-began',
  'fault-ended',
  'node',
  'pod-unready',
  'pod-evicted',
  'pod-deleted',
  'rollout',
  'pod-ready',
  'endpoints',
  'scheduled',
  'rules',
];

/**
 * Groups moments into marks, none closer to the next than `distanceMs`.
 *
 * @param moments in the order of their times
 * @param distanceMs the time between two marks that just do not touch
 */
export function clusterMoments(moments: readonly Moment[], distanceMs: number): readonly MomentCluster[] {
  const clusters: Moment[][] = [];
  let firstMs = Number.NEGATIVE_INFINITY;
  for (const moment of moments) {
    const last = clusters.at(-1);
    if (last && moment.atMs - firstMs < distanceMs) {
      last.push(moment);
      continue;
    }
    clusters.push([moment]);
    firstMs = moment.atMs;
  }
  return clusters.map((group) => {
    const [first] = group;
    const head = group.reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best));
    return { atMs: first?.atMs ?? head.atMs, kind: head.kind, moments: group };
  });
}

/**
 * Returns the most important moments of a cluster, at most `count`, in the order of their times. The user's own acts come
 * first; then the first moment of each kind, so that ten of one kind do not hide another kind.
 */
export function headlines({ moments }: MomentCluster, count: number): readonly Moment[] {
  if (moments.length <= count) return moments;
  const seen = new Map<Moment['kind'], number>();
  const ranked = moments.map((moment) => {
    const before = seen.get(moment.kind) ?? 0;
    seen.set(moment.kind, before + 1);
    return { moment, round: moment.kind === 'action' ? 0 : before };
  });
  ranked.sort((a, b) => a.round - b.round || rankOf(a.moment) - rankOf(b.moment));
  const kept = new Set(ranked.slice(0, count).map(({ moment }) => moment));
  return moments.filter((one) => kept.has(one));
}

/** Returns the latest time of a moment before `atMs`; 0 if there is none. @param moments in the order of their times */
export function momentBefore(moments: readonly Moment[], atMs: number): number {
  return moments.findLast((one) => one.atMs < atMs)?.atMs ?? 0;
}

/** Returns the earliest time of a moment after `atMs`. @param moments in the order of their times */
export function momentAfter(moments: readonly Moment[], atMs: number): number | undefined {
  return moments.find((one) => one.atMs > atMs)?.atMs;
}

const rankOf = ({ kind }: Moment): number => importance.indexOf(kind);
