import fc from 'fast-check';
import type { DeploymentEdit } from '../../cluster/edit-deployment.ts';
import type { Fault } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';
import { deploymentEdits } from '../../testing/arbitraries/workloads.ts';

/** The process of the controller, in faults, trace and journal. */
export const PROCESS = 'deployment-controller';

/** The process of the ReplicaSet controller, which is the reference's. */
export const OTHER_PROCESS = 'replicaset-controller';

/** The namespace of all objects. */
export const NAMESPACE = 'default';

/**
 * A cluster without a write for this long has finished. Deadlines are shorter, and no back-off is longer than the failures that caused
 * it, which is a few times 90 s.
 */
export const QUIET_MS = 800_000;

/** An operation or a fault, some time after the previous step. */
export type Step = { readonly afterMs: number } & (UserEdit | { readonly strike: Fault });

/**
 * An operation of a user on the Deployment, its ReplicaSets or its pods.
 *
 * `recreate` deletes the Deployment and creates it with its first spec. Its ReplicaSets and pods stay, because no garbage collector
 * runs, and their names collide with the new ones. `go` deletes it in the foreground: it stays, being deleted.
 */
export type UserEdit =
  | Exclude<DeploymentEdit, { readonly edit: 'delete' }>
  | { readonly edit: 'recreate' | 'go' }
  /** Scales the Deployment if its roll-out is complete; otherwise does nothing. */
  | { readonly edit: 'scale-at-rest'; readonly replicas: number }
  | { readonly edit: 'resize-history'; readonly limit: number }
  | { readonly edit: 'deadline' | 'min-ready'; readonly seconds: number }
  /** Annotates the Deployment. */
  | { readonly edit: 'annotate' }
  /**
   * Writes an equal template, perhaps with another image, with its fields in reverse order each time. With `empties` it has
   * `env: []` every other time, which equals no `env`.
   */
  | { readonly edit: 'retype'; readonly image?: string; readonly empties?: boolean }
  | SetEdit
  /**
   * Creates a selected ReplicaSet without a controller. If `dying`, it is already being deleted when it is first selected.
   */
  | { readonly edit: 'orphan'; readonly dying: boolean }
  /** Deletes that ReplicaSet, and creates another with its name, which is not selected. */
  | { readonly edit: 'replace-orphan' }
  /**
   * Creates a ReplicaSet of another template with the name that the controller is about to use. If `owned`, it belongs to the Deployment,
   * as after a hash collision; otherwise it is not selected.
   */
  | { readonly edit: 'squat'; readonly owned?: boolean }
  /** Makes nodes unreachable: their pods become `Unknown`, and stay when they are deleted. Forever without `forMs`. */
  | { readonly edit: 'lose-pods'; readonly forMs?: number }
  | { readonly edit: 'nothing' };

/**
 * An operation of a user on the newest ReplicaSet: scales it, annotates it, changes its controller, or deletes it. `scale-old` scales
 * the oldest ReplicaSet.
 */
export type SetEdit =
  | { readonly edit: 'scale-set' | 'scale-old'; readonly replicas: number }
  | { readonly edit: 'annotate-set' | 'take-set' | 'delete-set' };

/** Small numbers of replicas: each pod costs ten times as much time as its Deployment. */
export const fewReplicas: fc.Arbitrary<number> = fc.constantFrom(2, 3, 4, 1, 2, 3, 0);

/** Operations of a user; common operations have higher weights. */
export const edits: fc.Arbitrary<UserEdit> = fc.oneof(
  { withCrossShrink: true },
  { weight: 16, arbitrary: deploymentEdits.map(small) },
  { weight: 1, arbitrary: fc.constant({ edit: 'recreate' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ edit: fc.constant('resize-history' as const), limit: fc.constantFrom(0, 1, 10) }),
  },
);

/** Keeps Deployments small, and existing. */
function small(edit: DeploymentEdit): UserEdit {
  if (edit.edit === 'delete') return { edit: 'undo' };
  return edit.edit === 'scale' ? { ...edit, replicas: edit.replicas % 5 } : edit;
}

/** Generates steps of edits or faults. */
export function steps<W extends UserEdit | { readonly strike: Fault }>(
  what: fc.Arbitrary<W>,
  afterMs: fc.Arbitrary<number> = pauses,
): fc.Arbitrary<Step> {
  return fc.tuple(afterMs, what).map(([ms, some]): Step => ({ afterMs: ms, ...some }));
}
