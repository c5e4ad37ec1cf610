import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from './objects.ts';

export type { StorageClass } from './objects.ts';
export { storageClasses } from './plain-resources.ts';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const BETA_DEFAULT_CLASS = 'storageclass.beta.kubernetes.io/is-default-class';

/**
 * Returns whether a claim names a class. An empty name counts: it asks for a volume without a class.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/helpers.go PersistentVolumeClaimHasClass
 */
export function hasClass({ metadata, spec }: Pick<PersistentVolumeClaim, 'metadata' | 'spec'>): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, BETA_CLASS) || typeof spec.storageClassName === 'string';
}

/**
 * Returns the name of the class of a claim or a volume; empty if it has none.
 *
 * Upstream: kubernetes/component-helpers@v0.36.3 storage/volume/helpers.go GetPersistentVolumeClaimClass,
 * GetPersistentVolumeClass
 */
export function classOf({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec.storageClassName ?? '';
}

/**
 * Returns the default class. If several classes are marked as the default, the newest wins, then the first by name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/util/storageclass.go GetDefaultClass
 */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return classes.filter(isDefault).sort(newestFirst)[0];
}

function isDefault({ metadata: { annotations } }: StorageClass): boolean {
  return annotations?.[DEFAULT_CLASS] === 'true' || annotations?.[BETA_DEFAULT_CLASS] === 'true';
}

function newestFirst({ metadata: a }: StorageClass, { metadata: b }: StorageClass): number {
  const [made, madeOther] = [Date.parse(a.creationTimestamp), Date.parse(b.creationTimestamp)];
  return made === madeOther ? (a.name < b.name ? -1 : 1) : madeOther - made;
}
