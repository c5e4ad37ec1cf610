/**
 * Volumes that outlive their pods. From the inside out: which volume fits a claim (`matching.ts`); the writes that bind
 * both (`volume-writes.ts`); the controller that decides about each claim and volume; the provisioner that creates volumes;
 * the controllers that protect what is in use; and the scheduler's plugin, which chooses nodes and volumes together.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume, pkg/scheduler/framework/plugins/volumebinding
 */
export { persistentVolumeBinder } from './binder.ts';
export { persistentVolumeClaimProtectionController } from './claim-protection.ts';
export { localPathProvisioner } from './local-path.ts';
export { findBestMatchForClaim, findMatchingVolume, whyNotSatisfied } from './matching.ts';
export { newVolumeBinding } from './volume-binding.ts';
export { persistentVolumeProtectionController } from './volume-protection.ts';
