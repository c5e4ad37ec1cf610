/** Level 2 · Fenceposts: how many pods there may be, and how many must be available. */
import { type Deployment, intstr } from '#harness';

export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function resolveFenceposts(
  maxSurge: intstr.IntOrString | undefined,
  maxUnavailable: intstr.IntOrString | undefined,
  desired: number,
): Fenceposts {
  const surge = intstr.getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true);
  const unavailable = intstr.getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false);
  // 10 % of 5 is half a pod, and that is none: with no surge either, nothing could ever move.
  const stuck = surge === 0 && unavailable === 0;
  return { maxSurge: surge, maxUnavailable: stuck ? 1 : unavailable };
}

export function maxSurge({ spec }: Deployment): number {
  return isRollingUpdate(spec) ? fencepostsOf(spec).maxSurge : 0;
}

export function maxUnavailable({ spec }: Deployment): number {
  if (!isRollingUpdate(spec) || spec.replicas === 0) return 0;
  return Math.min(fencepostsOf(spec).maxUnavailable, spec.replicas);
}

export function minAvailable(deployment: Deployment): number {
  if (!isRollingUpdate(deployment.spec)) return 0;
  return deployment.spec.replicas - maxUnavailable(deployment);
}

function fencepostsOf({ strategy, replicas }: Deployment['spec']): Fenceposts {
  const { rollingUpdate } = strategy;
  return resolveFenceposts(rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable, replicas);
}

/** Whether the Deployment replaces its pods step by step, and not all at once. */
export function isRollingUpdate({ strategy }: Deployment['spec']): boolean {
  return strategy.type === 'RollingUpdate';
}
