import fc from 'fast-check';
import type { DeploymentEdit } from '../../cluster/edit-deployment.ts';
import type { Fault } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';
import { deploymentEdits } from '../../testing/arbitraries/workloads.ts';

/** The process that the controller runs in, as faults, trace and journal know it. */
export const PROCESS = 'deployment-controller';

/** The process of the ReplicaSet controller, which is the reference's. */
export const OTHER_PROCESS = 'replicaset-controller';

/** The namespace in which everything happens. */
export const NAMESPACE = 'default';

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (UserEdit | { readonly strike: Fault });

/**
 * What somebody does to the Deployment. `recreate` deletes it and creates it anew as it was first: its ReplicaSets and
 * pods stay, for there is no garbage collector here, and are in the way of the new one. `resize-history` says how many
 * old ReplicaSets to keep.
 */
export type UserEdit =
  | Exclude<DeploymentEdit, { readonly edit: 'delete' }>
  | { readonly edit: 'recreate' }
  | { readonly edit: 'resize-history'; readonly limit: number }
  | { readonly edit: 'nothing' };

/** Replicas that are few: each pod costs ten times what its Deployment does. */
export const fewReplicas: fc.Arbitrary<number> = fc.constantFrom(2, 3, 4, 1, 2, 3, 0);

/** What a user does, the usual more often than the odd. */
export const edits: fc.Arbitrary<UserEdit> = fc.oneof(
  { withCrossShrink: true },
  { weight: 16, arbitrary: deploymentEdits.map(small) },
  { weight: 1, arbitrary: fc.constant({ edit: 'recreate' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ edit: fc.constant('resize-history' as const), limit: fc.constantFrom(0, 1, 10) }),
  },
);

/** Keeps Deployments small, and in the world. */
function small(edit: DeploymentEdit): UserEdit {
  if (edit.edit === 'delete') return { edit: 'undo' };
  return edit.edit === 'scale' ? { ...edit, replicas: edit.replicas % 5 } : edit;
}

/** Makes steps of edits or strikes. */
export function steps<W extends UserEdit | { readonly strike: Fault }>(
  what: fc.Arbitrary<W>,
  afterMs: fc.Arbitrary<number> = pauses,
): fc.Arbitrary<Step> {
  return fc.tuple(afterMs, what).map(([ms, some]): Step => ({ afterMs: ms, ...some }));
}
