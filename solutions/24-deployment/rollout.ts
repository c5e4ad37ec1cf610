/** Level 9 · The controller: what one sync works on. */
import type { Deployment, ReplicaSet } from '#harness';
import { findNewReplicaSet } from './template.ts';

/** A Deployment and its ReplicaSets, as one sync sees them and as its writes change them. */
export interface Rollout {
  readonly deployment: Deployment;
  readonly newReplicaSet: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** Tells the new ReplicaSet of a Deployment from the old ones. */
export function rolloutOf(deployment: Deployment, owned: readonly ReplicaSet[]): Rollout {
  const newReplicaSet = findNewReplicaSet(deployment, owned);
  return { deployment, newReplicaSet, old: owned.filter((each) => each !== newReplicaSet) };
}

/** All ReplicaSets of a roll-out, the new one last. */
export function allOf({ newReplicaSet, old }: Rollout): readonly ReplicaSet[] {
  return newReplicaSet ? [...old, newReplicaSet] : old;
}
