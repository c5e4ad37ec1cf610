import type { PersistentVolumeClaim } from '../../api/objects.ts';
import { newQuantity } from '../../api/quantity.ts';
import { persistentVolumeClaims } from '../../api/resource.ts';
import { classOf, defaultClass, hasClass, storageClasses } from '../../api/storage-class.ts';
import type { AdmissionContext } from '../../contracts/admission/index.ts';
import { quantityOf } from '../kinds/pod/quantities.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';

/**
 * The plugin DefaultStorageClass: a new claim without a class gets the newest default class.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/storage/storageclass/setdefault/admission.go
 * claimDefaulterPlugin, pkg/volume/util/storageclass.go GetDefaultClass
 */
export function defaultStorageClass({ cache }: AdmissionContext): Plugin {
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    async admit(attributes) {
      const claim = attributes.object as PersistentVolumeClaim;
      if (!isAbout(attributes, persistentVolumeClaims) || hasClass(claim)) return attributes.object;
      const found = defaultClass(cache.list(storageClasses));
      return found ? { ...claim, spec: { ...claim.spec, storageClassName: found.metadata.name } } : claim;
    },
  };
}

/**
 * The plugin PersistentVolumeClaimResize: only a bound claim can grow, and only if its class allows it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/storage/persistentvolume/resize/admission.go
 * persistentVolumeClaimResize
 */
export function persistentVolumeClaimResize({ cache }: AdmissionContext): Plugin {
  const allows = (name: string): boolean =>
    cache.get(storageClasses, { name })?.allowVolumeExpansion ?? false;
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    async validate(attributes) {
      if (!isAbout(attributes, persistentVolumeClaims)) return;
      const [claim, old] = [attributes.object, attributes.oldObject] as PersistentVolumeClaim[];
      if (!claim || !old || sizeOf(claim).cmp(sizeOf(old)) <= 0) return;
      if (old.status?.phase !== 'Bound') {
        throw forbidden(attributes, 'Only bound persistent volume claims can be expanded');
      }
      const name = classOf(claim);
      if (name && name === classOf(old) && allows(name)) return;
      throw forbidden(
        attributes,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    },
  };
}

const sizeOf = ({ spec }: PersistentVolumeClaim) =>
  quantityOf(spec.resources?.requests?.storage ?? '') ?? newQuantity(0, 'BinarySI');
