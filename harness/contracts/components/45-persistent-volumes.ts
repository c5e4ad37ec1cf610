import { persistentVolumeClaims, persistentVolumes } from '../../api/resource.ts';
import type { Component } from '../component-context.ts';
import type { NewVolumePlugin } from '../scheduling/volume-plugin.ts';
import type { Part } from './part.ts';

const KATA = '45-persistent-volumes';
const ACCOUNTS = 'system:serviceaccount:kube-system:';

/** Binds claims to volumes. */
export const persistentVolumeBinder: Part<Component> = {
  kata: KATA,
  subject: 'persistentVolumeBinder',
  process: {
    name: 'persistentvolume-binder-controller',
    once: 'cluster',
    eventSource: 'persistentvolume-controller',
    word: 'binder',
    user: `${ACCOUNTS}persistent-volume-binder`,
    optional: true,
    startsWith: [persistentVolumeClaims, persistentVolumes],
  },
};

/** Creates volumes on the nodes for claims of the class `standard`. */
export const localPathProvisioner: Part<Component> = {
  kata: KATA,
  subject: 'localPathProvisioner',
  process: {
    name: 'local-path-provisioner',
    once: 'cluster',
    word: 'provisioner',
    user: 'system:serviceaccount:local-path-storage:local-path-provisioner-service-account',
    optional: true,
    startsWith: [persistentVolumeClaims],
  },
};

/** Keeps claims that pods use from being removed. */
export const persistentVolumeClaimProtectionController: Part<Component> = {
  kata: KATA,
  subject: 'persistentVolumeClaimProtectionController',
  process: {
    name: 'persistentvolumeclaim-protection-controller',
    once: 'cluster',
    word: 'claims',
    user: `${ACCOUNTS}pvc-protection-controller`,
    optional: true,
    startsWith: [persistentVolumeClaims],
  },
};

/** Keeps bound volumes from being removed. */
export const persistentVolumeProtectionController: Part<Component> = {
  kata: KATA,
  subject: 'persistentVolumeProtectionController',
  process: {
    name: 'persistentvolume-protection-controller',
    once: 'cluster',
    word: 'volumes',
    user: `${ACCOUNTS}pv-protection-controller`,
    optional: true,
    startsWith: [persistentVolumes],
  },
};

/** Creates the scheduler plugin that binds the volumes of a pod. */
export const volumeBinding: Part<NewVolumePlugin> = {
  kata: KATA,
  subject: 'newVolumeBinding',
};
