/** Level 2 · Fenceposts: how many pods there may be, and how many must be available. */
import { type Fenceposts, isRollingUpdate } from '#given/24-deployment';
import { type Deployment, intstr } from '#harness';

export function resolveFenceposts(
  maxSurge: intstr.IntOrString | undefined,
  maxUnavailable: intstr.IntOrString | undefined,
  desired: number,
): Fenceposts {
  const surge = intstr.getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true);
  const unavailable = intstr.getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false);
  // 10 % of 5 is half a pod, which rounds to 0. If the surge is 0, too, the rollout could never start.
  const stuck = surge === 0 && unavailable === 0;
  return { maxSurge: surge, maxUnavailable: stuck ? 1 : unavailable };
}

export function fencepostsOf(deployment: Deployment): Fenceposts {
  const { replicas, strategy } = deployment.spec;
  if (!isRollingUpdate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const { rollingUpdate } = strategy;
  const posts = resolveFenceposts(rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable, replicas);
  return { ...posts, maxUnavailable: Math.min(posts.maxUnavailable, replicas) };
}
