import { getScaledValueFromIntOrPercent, type IntOrString } from '../../api/intstr.ts';
import type { Deployment } from '../../api/objects.ts';

/**
 * Explains why a rolling update keeps its old pods; undefined if it has none, or if it may delete one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go reconcileOldReplicaSets
 */
export function reasonForOldPods({ spec, status }: Deployment): string | undefined {
  const { replicas } = spec;
  const { replicas: has = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const old = has - updated;
  const limits = spec.strategy?.rollingUpdate;
  if (old <= 0 || replicas === 0 || spec.strategy?.type === 'Recreate' || !limits) return undefined;
  const { maxUnavailable = 0, maxSurge = 0 } = limits;
  const surge = scaled(maxSurge, replicas, true);
  const share = scaled(maxUnavailable, replicas, false);
  // One of the two must allow a step.
  const unavailable = surge === 0 && share === 0 ? 1 : share;
  const needed = replicas - unavailable;
  if (available > needed) return undefined;
  return (
    `keeps ${pods(old, 'old')}, because ${available} of ${replicas} are available and ${needed} must be: ` +
    `maxUnavailable ${said(maxUnavailable, unavailable, replicas)} allows ${unavailable} fewer`
  );
}

function scaled(value: IntOrString, total: number, roundUp: boolean): number {
  try {
    return getScaledValueFromIntOrPercent(value, total, roundUp);
  } catch {
    return 0;
  }
}

/** `25 % of 3`, `1` */
function said(value: IntOrString, result: number, total: number): string {
  return typeof value === 'string' ? `${value.replace(/%$/, ' %')} of ${total}` : `${result}`;
}

/** Counts pods: `1 old pod`, `3 pods`. */
export function pods(count: number, which = ''): string {
  return `${[count, which, count === 1 ? 'pod' : 'pods'].filter(Boolean).join(' ')}`;
}
