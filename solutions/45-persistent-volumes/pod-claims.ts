import type { core, PersistentVolumeClaim, Pod } from '#harness';

/**
 * Returns the name of the claim of a pod's volume; undefined for a volume without a claim.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/ephemeral/ephemeral.go VolumeClaimName
 */
export function claimNameOf(
  { metadata }: Pod,
  { name, persistentVolumeClaim, ephemeral }: core.Volume,
): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined);
}

/** Returns the keys of the claims that a pod uses: an index. */
export function claimKeysOf(pod: Pod): readonly string[] {
  const names = (pod.spec.volumes ?? []).flatMap((volume) => claimNameOf(pod, volume) ?? []);
  return [...new Set(names)].map((name) => `${pod.metadata.namespace}/${name}`);
}

/**
 * Returns whether the claim of an ephemeral volume was created for this pod.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/ephemeral/ephemeral.go VolumeIsForPod
 */
export function isClaimOf(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const owners = claim.metadata.ownerReferences ?? [];
  return owners.some(({ uid, controller }) => uid === pod.metadata.uid && controller === true);
}
