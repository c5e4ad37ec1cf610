import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import { isReady } from '../../../api/predicates.ts';
import { counts, isAvailable, isFullyLabeled, terminates } from '../oracle/truth.ts';

/** The counts of a status: the pods that each count starts from, and its filter. */
export const COUNTS = {
  replicas: { of: 'active', is: () => true },
  fullyLabeledReplicas: { of: 'active', is: isFullyLabeled },
  readyReplicas: { of: 'active', is: (_, pod) => isReady(pod) },
  availableReplicas: { of: 'active', is: isAvailable },
  terminatingReplicas: { of: 'terminating', is: () => true },
} as const satisfies Record<
  string,
  {
    readonly of: 'active' | 'terminating';
    readonly is: (rs: ReplicaSet, pod: Pod, nowMs: number) => boolean;
  }
>;

/** The field of a status that holds a count. */
type CountName = keyof typeof COUNTS;

/** Every field of a status that holds a count. */
export const countNames = Object.keys(COUNTS) as readonly CountName[];

/** The value of a count in the status; a missing count is 0. */
export function countOf({ status }: ReplicaSet, count: CountName): number {
  return status[count] ?? 0;
}

/**
 * Lists the errors in the status of a ReplicaSet.
 *
 * @param all - all existing pods
 */
export function statusErrors(rs: ReplicaSet, all: readonly Pod[], nowMs: number): readonly string[] {
  const { generation = 0 } = rs.metadata;
  const { observedGeneration = 0, conditions = [] } = rs.status;
  const pods = {
    active: all.filter((pod) => counts(rs, pod)),
    terminating: all.filter((pod) => terminates(rs, pod)),
  };
  const wrong = countNames.flatMap((count) => {
    const { of, is } = COUNTS[count];
    const truth = pods[of].filter((pod) => is(rs, pod, nowMs)).length;
    return countOf(rs, count) === truth ? [] : [`${count} is ${countOf(rs, count)}; expected ${truth}`];
  });
  if (observedGeneration !== generation) {
    wrong.push(`observedGeneration is ${observedGeneration}; expected ${generation}`);
  }
  for (const { type, status, reason } of conditions) {
    if (type === 'ReplicaFailure')
      wrong.push(
        `it has the condition ${type} (${status}${reason ? `, ${reason}` : ''}), which must be absent, because no create or delete fails`,
      );
  }
  return wrong;
}

/**
 * Tests whether the status is correct.
 *
 * @param nowMs - in ms since 1970
 */
export function isStatusCorrect(rs: ReplicaSet, all: readonly Pod[], nowMs: number): boolean {
  return statusErrors(rs, all, nowMs).length === 0;
}

/** `3 pods`, `1 pod`, `no pod`. */
export function pods(count: number): string {
  return count === 1 ? '1 pod' : `${count === 0 ? 'no' : count} pods`;
}

/** The name of an object. */
export function nameOf({ metadata: { name } }: { readonly metadata: { readonly name: string } }): string {
  return name;
}
