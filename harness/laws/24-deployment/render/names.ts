import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import { budgetOf } from '../oracle/truth.ts';

/** Describes sizes: `web-7b9: 3, web-5d7: 1`, or `no other`. */
export function sizes(all: readonly ReplicaSet[]): string {
  if (all.length === 0) return 'no other';
  return all.map(({ metadata, spec }) => `${metadata.name}: ${spec.replicas}`).join(', ');
}

/** Describes limits: `10 replicas and a surge of 3 allow 13`, for each version. */
export function allowed(versions: readonly Deployment[]): string {
  return spoken(
    versions.map((version) => {
      const { max } = budgetOf(version);
      const { replicas } = version.spec;
      const surge = max > replicas ? ` and a surge of ${max - replicas}` : '';
      return `${count(replicas)}${surge} allow ${max}`;
    }),
  );
}

/** Describes requirements: `10 replicas, of which 2 may be missing, need 8`, for each version. */
export function needed(versions: readonly Deployment[]): string {
  return spoken(
    versions.map((version) => {
      const { minAvailable } = budgetOf(version);
      const { replicas } = version.spec;
      const missing = replicas > minAvailable ? `, of which ${replicas - minAvailable} may be missing,` : '';
      return `${count(replicas)}${missing} need ${minAvailable}`;
    }),
  );
}

/** Returns `1 replica` or `3 replicas`. */
export function count(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}

function spoken(each: readonly string[]): string {
  return [...new Set(each)].join(', or (as the controller may have seen it) ');
}
