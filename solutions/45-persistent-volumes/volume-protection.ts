import { type Component, persistentVolumes } from '#harness';
import { runProtection } from './protection.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/core.go newPersistentVolumeProtectionController */
const WORKERS = 1;

/**
 * Keeps each volume while it is bound.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/pvprotection/pv_protection_controller.go Controller
 */
export const persistentVolumeProtectionController: Component = (context) =>
  runProtection(context, {
    resource: persistentVolumes,
    finalizer: 'kubernetes.io/pv-protection',
    queue: context.newWorkQueue<string>(),
    workers: WORKERS,
    isUsed: async ({ status }) => status.phase === 'Bound',
  });
