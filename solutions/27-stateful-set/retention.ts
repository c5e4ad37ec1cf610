/** The owners of a StatefulSet's claims: a claim with an owner is deleted with it. */
import {
  newControllerRef,
  type OwnerReference,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '#harness';
import { isInOrdinalRange, ordinalOf } from './identity.ts';

/** A claim's set, and the pod that uses it. */
interface ClaimUsers {
  readonly set: StatefulSet;
  readonly pod: Pod;
}

/**
 * Returns the owner references that a claim should have. The policy makes its set the owner, or a pod that is
 * being scaled down, or no object.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go isClaimOwnerUpToDate,
 * updateClaimOwnerRefForSetAndPod
 *
 * @returns the given references if they need no change, also if the claim belongs to an earlier set or pod of the same
 * name
 */
export function claimOwners(claim: PersistentVolumeClaim, users: ClaimUsers): readonly OwnerReference[] {
  const owners = claim.metadata.ownerReferences ?? [];
  if (owners.some((owner) => isStale(owner, users))) return owners;
  const isOurs = ({ uid }: OwnerReference): boolean =>
    uid === users.set.metadata.uid || uid === users.pod.metadata.uid;
  const others = owners.filter((owner) => !isOurs(owner));
  const wanted = hasOtherController(others, users) ? [] : wantedOwners(users);
  const ours = owners.filter(isOurs);
  const isRight =
    ours.length === wanted.length &&
    wanted.every(({ uid }) => ours.some((owner) => owner.uid === uid && owner.controller));
  return isRight ? owners : [...others, ...wanted];
}

/** Returns whether the claim belongs to another controller. With `Retain`, that does not matter. */
export function hasOtherController(owners: readonly OwnerReference[], { set, pod }: ClaimUsers): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false;
  const ours = [set.metadata.uid, pod.metadata.uid];
  return owners.some(({ controller, uid }) => controller && !ours.includes(uid));
}

/** Returns whether the claim of a new pod still belongs to an earlier pod of the same name, and will be deleted. */
export function isClaimStale(set: StatefulSet, claim: PersistentVolumeClaim, podName: string): boolean {
  return (
    policyOf(set).whenScaled === 'Delete' &&
    (claim.metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'Pod' && name === podName)
  );
}

function wantedOwners({ set, pod }: ClaimUsers): OwnerReference[] {
  const { whenDeleted, whenScaled } = policyOf(set);
  const isScaledDown = !isInOrdinalRange(set, ordinalOf(pod));
  if (whenScaled === 'Delete' && isScaledDown) {
    return [{ ...newControllerRef(pod, 'StatefulSet'), apiVersion: 'v1', kind: 'Pod' }];
  }
  return whenDeleted === 'Delete' ? [newControllerRef(set, 'StatefulSet')] : [];
}

function isStale({ kind, name, uid }: OwnerReference, { set, pod }: ClaimUsers): boolean {
  const { metadata } = kind === 'StatefulSet' ? set : pod;
  return (kind === 'StatefulSet' || kind === 'Pod') && name === metadata.name && uid !== metadata.uid;
}

function policyOf({ spec }: StatefulSet): { readonly whenDeleted: string; readonly whenScaled: string } {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted, whenScaled };
}
