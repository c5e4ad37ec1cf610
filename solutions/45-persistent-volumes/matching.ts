import {
  labels,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  parseQuantity,
  storage,
} from '#harness';
import { isVolumeBoundToClaim } from './annotations.ts';
import { canBeUsedOn } from './node-affinity.ts';

/** The choice of a volume for a claim: which volumes may serve it, and which of them does. */

interface Matching {
  /**
   * Whether the scheduler chooses the volume, together with a node. Then only a volume that refers to the claim already
   * matches. @defaultValue false
   */
  readonly delayBinding?: boolean;
}

/**
 * Returns the best volume for a claim. A volume that refers to the claim comes before all others. Then the
 * fewest access modes come first, then the smallest capacity.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/index.go
 * persistentVolumeOrderedIndex.findBestMatchForClaim
 *
 * Differs: upstream looks for a volume that refers to the claim among the volumes with equal access modes only, so that
 * another volume with fewer modes can win.
 */
export function findBestMatchForClaim(
  volumes: readonly PersistentVolume[],
  claim: PersistentVolumeClaim,
  { delayBinding = false }: Matching = {},
): PersistentVolume | undefined {
  const usable = volumes.filter((volume) => hasAccessModes(volume, claim));
  const reserved = usable.find(
    (volume) => isVolumeBoundToClaim(volume, claim) && isLargeEnough(volume, claim),
  );
  if (reserved) return reserved;
  if (delayBinding) return undefined;
  const [best] = usable.filter((volume) => isFree(volume, claim)).sort(byModesAndCapacity);
  return best;
}

/**
 * Returns the smallest volume that can serve a claim of a pod on this node, for the scheduler. A volume that refers to
 * the claim is the only candidate.
 *
 * @param chosen the names of the volumes that other claims of the pod get
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/pv_helpers.go FindMatchingVolume, with a node
 */
export function findMatchingVolume(
  volumes: readonly PersistentVolume[],
  claim: PersistentVolumeClaim,
  { node, chosen }: { readonly node: Node; readonly chosen: ReadonlySet<string> },
): PersistentVolume | undefined {
  const others = volumes.filter(({ metadata: { name } }) => !chosen.has(name));
  const reserved = others.find(
    (volume) => isVolumeBoundToClaim(volume, claim) && isLargeEnough(volume, claim),
  );
  if (reserved) return canBeUsedOn(reserved, node) ? reserved : undefined;
  const [best] = others
    .filter((volume) => isFree(volume, claim) && hasAccessModes(volume, claim) && canBeUsedOn(volume, node))
    .sort(byCapacity);
  return best;
}

/**
 * Returns why a volume that the claim names cannot serve it; undefined if it can.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller.go checkVolumeSatisfyClaim
 */
export function whyNotSatisfied(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { name, deletionTimestamp } = volume.metadata;
  if (deletionTimestamp) return `the volume is marked for deletion "${name}"`;
  if (capacityOf(volume).cmp(requestOf(claim)) < 0) return 'requested PV is too small';
  if (storage.classOf(volume) !== storage.classOf(claim)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match';
  if (!hasSameMode(volume, claim)) return 'incompatible volumeMode';
  if (!hasAccessModes(volume, claim)) return 'incompatible accessMode';
  return undefined;
}

/** Returns whether both are file systems, or both block devices. */
export function hasSameMode({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem');
}

/** Returns the requested amount of storage. */
export function requestOf({ spec }: PersistentVolumeClaim) {
  return parseQuantity(spec.resources?.requests?.storage ?? '0');
}

/** The class, the phase and the selector do not matter for a volume that refers to the claim. */
function isLargeEnough(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    !volume.metadata.deletionTimestamp &&
    capacityOf(volume).cmp(requestOf(claim)) >= 0 &&
    hasSameMode(volume, claim) &&
    attributesOf(volume) === attributesOf(claim)
  );
}

function isFree(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    !volume.spec.claimRef &&
    volume.status.phase === 'Available' &&
    isLargeEnough(volume, claim) &&
    storage.classOf(volume) === storage.classOf(claim) &&
    isSelected(volume, claim)
  );
}

function isSelected({ metadata }: PersistentVolume, { spec: { selector } }: PersistentVolumeClaim): boolean {
  return !selector || labels.labelSelectorAsSelector(selector).matches(metadata.labels);
}

function hasAccessModes({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode));
}

function attributesOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec.volumeAttributesClassName ?? '';
}

function capacityOf({ spec }: PersistentVolume) {
  return parseQuantity(spec.capacity?.storage ?? '0');
}

function byCapacity(a: PersistentVolume, b: PersistentVolume): number {
  return capacityOf(a).cmp(capacityOf(b));
}

function byModesAndCapacity(a: PersistentVolume, b: PersistentVolume): number {
  const [modes, others] = [a, b].map(({ spec }) => new Set(spec.accessModes).size) as [number, number];
  return modes - others || byCapacity(a, b);
}
