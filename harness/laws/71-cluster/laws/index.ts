import type { Law } from '../../../testing/holds.ts';
import type { ClusterHistory } from '../history.ts';
import { katasInCluster } from '../katas/index.ts';
import { answers, rightPod } from './answers.ts';
import { heals } from './heals.ts';

/** A law of the whole cluster, and its origin. */
export interface ClusterLaw {
  /** The kata of the law; `71-cluster` for a law that only a whole cluster has. */
  readonly kata: string;
  readonly name: string;
  readonly law: Law<ClusterHistory>;
}

/** Every law of every kata, and those that only a whole cluster has. */
export const clusterLaws: readonly ClusterLaw[] = [
  { kata: '71-cluster', name: 'answers', law: answers },
  { kata: '71-cluster', name: 'rightPod', law: rightPod },
  { kata: '71-cluster', name: 'heals', law: heals },
  ...katasInCluster.flatMap(({ kata, laws }) =>
    Object.entries(laws).map(([name, law]) => ({ kata, name, law })),
  ),
];
