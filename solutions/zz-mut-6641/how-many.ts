/** Level 4 · How many pods, and which are too many. */
import { type Counts, compareForRemoval, completionIndexOf, isIndexed } from '#given/65-job';
import type { Job, Pod } from '#harness';

export function wantedActive(job: Job, { active, succeeded }: Pick<Counts, 'active' | 'succeeded'>): number {
  const { completions, parallelism = 1, suspend } = job.spec;
  if (suspend) return 0;
  // The pods of a work queue end by themselves once one of them has succeeded.
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

export function podsToRemove(job: Job, active: readonly Pod[], atLeast: number): Pod[] {
  const ordered = [...active].sort(compareForRemoval);
  const needless = isIndexed(job) ? withoutPlace(job, ordered) : [];
  const others = ordered.filter((pod) => !needless.includes(pod));
  return [...needless, ...others.slice(0, Math.max(0, atLeast - needless.length))];
}

/** Returns the pods without a valid index, and all but the best pod of each index. */
function withoutPlace(job: Job, ordered: readonly Pod[]): Pod[] {
  const best = new Map(ordered.map((pod) => [completionIndexOf(job, pod), pod]));
  return ordered.filter((pod) => {
    const index = completionIndexOf(job, pod);
    return index === undefined || best.get(index) !== pod;
  });
}
