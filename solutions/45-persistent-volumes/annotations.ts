import { keyOf, keyToString, type PersistentVolume, type PersistentVolumeClaim } from '#harness';

/**
 * The annotations of claims and volumes. Only their presence counts, unless a comment explains the value.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/pv_helpers.go
 */

/** On a claim: it was bound once. If its volume is missing, its data is lost. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On a claim or a volume: the controller chose the other side, not a user. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
/** On a claim: the name of the node that the scheduler has chosen. The provisioner creates the volume for this node. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On a claim: the name of the provisioner that must create its volume. */
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
/** The older name of {@link STORAGE_PROVISIONER}. Upstream writes both. */
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** On a volume: the name of the provisioner that created it, and that must delete it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';

/** Returns whether the object has the annotation, even with an empty value. */
export function hasAnnotation(
  { metadata }: PersistentVolume | PersistentVolumeClaim,
  annotation: string,
): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, annotation);
}

/** Returns a copy of the object with further annotations. */
export function annotated<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  annotations: Readonly<Record<string, string>>,
): T {
  const all = { ...object.metadata.annotations, ...annotations };
  return { ...object, metadata: { ...object.metadata, annotations: all } };
}

/** Returns a copy of the object without an annotation. */
export function withoutAnnotation<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  annotation: string,
): T {
  const { [annotation]: _, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Returns the key of a claim or a volume: `namespace/name` or `name`. */
export function keyFor(object: PersistentVolume | PersistentVolumeClaim): string {
  return keyToString(keyOf(object));
}

/** Returns the key of the claim that a volume refers to; undefined if it refers to none. */
export function claimKeyOf({ spec: { claimRef } }: PersistentVolume): string | undefined {
  return claimRef && `${claimRef.namespace}/${claimRef.name}`;
}

/** Returns whether a claim is bound for good: both sides refer to each other, and the claim has the mark. */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return !!claim.spec.volumeName && hasAnnotation(claim, BIND_COMPLETED);
}

/**
 * Returns whether a volume is bound to the claim, or a user has reserved it for a claim of this name.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/pv_helpers.go IsVolumeBoundToClaim
 */
export function isVolumeBoundToClaim(
  { spec: { claimRef } }: PersistentVolume,
  { metadata: { namespace, name, uid } }: PersistentVolumeClaim,
): boolean {
  if (claimRef?.name !== name || claimRef.namespace !== namespace) return false;
  return !claimRef.uid || claimRef.uid === uid;
}

/**
 * Returns a copy of the volume that refers to the claim; the volume itself if it does so already.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/pv_helpers.go GetBindVolumeToClaim
 */
export function boundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace = '', name, uid, resourceVersion } = claim.metadata;
  const isChosenHere = !isVolumeBoundToClaim(volume, claim);
  if (!isChosenHere && volume.spec.claimRef?.uid === uid) return volume;
  const claimRef = {
    ...{ kind: 'PersistentVolumeClaim', namespace, name, uid },
    ...{ apiVersion: 'v1', resourceVersion },
  };
  const bound = { ...volume, spec: { ...volume.spec, claimRef } };
  return isChosenHere ? annotated(bound, { [BOUND_BY_CONTROLLER]: 'yes' }) : bound;
}
