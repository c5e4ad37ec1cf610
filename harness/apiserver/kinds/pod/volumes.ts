import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../validation/field-error.ts';
import { validateFieldRef, validateResourceFieldRef } from './field-ref.ts';
import { oneOf, PULL_POLICIES } from './one-of.ts';
import { validateLocalNonReservedPath, validatePathNoBacksteps } from './paths.ts';
import { quantityOf } from './quantities.ts';

/**
 * Returns the violations of the volumes, and the valid volumes by name: only those can be mounted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateVolumes
 *
 * Differs: some sources are counted but not validated. Validated are emptyDir, hostPath, secret, configMap,
 * persistentVolumeClaim, downwardAPI, projected and image.
 *
 * @param place a template can omit the image reference
 */
export function validateVolumes(
  volumes: readonly core.Volume[],
  path: string,
  place: VolumesPlace = {},
): { causes: Cause[]; valid: ReadonlyMap<string, core.Volume> } {
  const causes: Cause[] = [];
  const valid = new Map<string, core.Volume>();
  volumes.forEach((volume, i) => {
    const at = `${path}[${i}]`;
    const { name } = volume;
    const found = validateVolumeSource(volume, at, place);
    if (!name) found.push(required(`${at}.name`));
    else found.push(...invalidEach(`${at}.name`, name, isDNS1123Label(name)));
    if (valid.has(name)) found.push(duplicate(`${at}.name`, name));
    if (found.length === 0) valid.set(name, volume);
    causes.push(...found);
  });
  return { causes, valid };
}

/** The place of the volumes. */
interface VolumesPlace {
  /** Is it in a pod, not in a template? @defaultValue false */
  readonly inPod?: boolean;
}

/** Validates only the first source; further sources are an error. */
function validateVolumeSource(volume: core.Volume, path: string, place: VolumesPlace): Cause[] {
  const keys = Object.keys(volume).filter((key) => key !== 'name' && volume[key as keyof core.Volume]);
  const [first, ...others] = keys as (keyof core.Volume)[];
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...validateSource(volume, first, `${path}.${first}`, place),
    ...others.map((key) => forbidden(`${path}.${key}`, 'may not specify more than 1 volume type')),
  ];
}

function validateSource(
  volume: core.Volume,
  key: keyof core.Volume,
  path: string,
  place: VolumesPlace,
): Cause[] {
  const { emptyDir, hostPath, secret, configMap, downwardAPI, projected, image } = volume;
  if (key === 'emptyDir' && emptyDir) return validateEmptyDir(emptyDir, path);
  if (key === 'hostPath' && hostPath) return validateHostPath(hostPath, path);
  if (key === 'secret' && secret) return validateKeyed(secret, 'secretName', path);
  if (key === 'configMap' && configMap) return validateKeyed(configMap, 'name', path);
  if (key === 'downwardAPI' && downwardAPI) return validateDownwardAPI(downwardAPI, path);
  if (key === 'projected' && projected) return validateProjected(projected, path);
  if (key === 'image' && image) return validateImage(image, path, place);
  if (key === 'persistentVolumeClaim' && !volume.persistentVolumeClaim?.claimName)
    return [required(`${path}.claimName`)];
  return [];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateImageVolumeSource */
function validateImage(source: core.ImageVolumeSource, path: string, { inPod }: VolumesPlace): Cause[] {
  const causes = inPod && !source.reference ? [required(`${path}.reference`)] : [];
  return [...causes, ...oneOf(source.pullPolicy, PULL_POLICIES, `${path}.pullPolicy`)];
}

function validateEmptyDir({ sizeLimit }: core.EmptyDirVolumeSource, path: string): Cause[] {
  if (sizeLimit === undefined || (quantityOf(sizeLimit)?.sign() ?? -1) >= 0) return [];
  return [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

function validateHostPath({ path: hostPath, type }: core.HostPathVolumeSource, path: string): Cause[] {
  if (!hostPath) return [required(`${path}.path`)];
  const causes = validatePathNoBacksteps(hostPath, `${path}.path`);
  if (type && !HOST_PATH_TYPES.includes(type))
    causes.push(notSupported(`${path}.type`, type, HOST_PATH_TYPES));
  return causes;
}

const HOST_PATH_TYPES = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];

interface Keyed {
  readonly name?: string;
  readonly secretName?: string;
  readonly defaultMode?: number;
  readonly items?: readonly core.KeyToPath[];
}

function validateKeyed(source: Keyed, nameField: 'name' | 'secretName', path: string): Cause[] {
  const causes = source[nameField] ? [] : [required(`${path}.${nameField}`)];
  causes.push(...validateMode(source.defaultMode, `${path}.defaultMode`));
  source.items?.forEach((item, i) => {
    causes.push(...validateKeyToPath(item, `${path}.items[${i}]`));
  });
  return causes;
}

function validateKeyToPath(item: core.KeyToPath, path: string): Cause[] {
  const causes = item.key ? [] : [required(`${path}.key`)];
  if (!item.path) causes.push(required(`${path}.path`));
  causes.push(...validateLocalNonReservedPath(item.path ?? '', `${path}.path`));
  return [...causes, ...validateMode(item.mode, `${path}.mode`)];
}

function validateMode(mode: number | undefined, path: string): Cause[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

function validateDownwardAPI(
  { defaultMode, items = [] }: core.DownwardAPIVolumeSource,
  path: string,
): Cause[] {
  const causes = validateMode(defaultMode, `${path}.defaultMode`);
  return [...causes, ...items.flatMap((file) => validateDownwardAPIFile(file, path))];
}

/** Upstream reports these errors at the path of the volume's source, without the file. */
function validateDownwardAPIFile(file: core.DownwardAPIVolumeFile, path: string): Cause[] {
  const { path: filePath, fieldRef, resourceFieldRef } = file;
  const causes = filePath ? [] : [required(`${path}.path`)];
  causes.push(...validateLocalNonReservedPath(filePath ?? '', `${path}.path`));
  if (fieldRef) {
    causes.push(...validateFieldRef(fieldRef, VOLUME_FIELDS, `${path}.fieldRef`));
    if (resourceFieldRef) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      causes.push(invalid(path, 'resource', detail));
    }
  } else if (resourceFieldRef) {
    causes.push(
      ...validateResourceFieldRef(resourceFieldRef, { inVolume: true }, `${path}.resourceFieldRef`),
    );
  } else {
    causes.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...causes, ...validateMode(file.mode, `${path}.mode`)];
}

const VOLUME_FIELDS = [
  ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
];

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateProjectionSources
 */
function validateProjected(source: core.ProjectedVolumeSource, path: string): Cause[] {
  const causes = validateMode(source.defaultMode, `${path}.defaultMode`);
  const taken = new Set<string>();
  const take = (filePath: string | undefined, value: string | undefined) => {
    if (!filePath) return;
    if (taken.has(filePath)) causes.push(invalid(path, value ?? '', 'conflicting duplicate paths'));
    taken.add(filePath);
  };
  source.sources?.forEach((projection, i) => {
    const at = `${path}.sources[${i}]`;
    const { secret, configMap, downwardAPI, serviceAccountToken } = projection;
    for (const [key, keyed] of Object.entries({ secret, configMap })) {
      if (!keyed) continue;
      causes.push(...validateKeyed(keyed, 'name', `${at}.${key}`));
      for (const item of keyed.items ?? []) take(item.path, keyed.name);
    }
    for (const file of downwardAPI?.items ?? []) {
      causes.push(...validateDownwardAPIFile(file, `${at}.downwardAPI`));
      take(file.path, file.path);
    }
    if (serviceAccountToken) {
      const seconds = serviceAccountToken.expirationSeconds ?? 0;
      const field = `${at}.serviceAccountToken.expirationSeconds`;
      if (seconds < 600)
        causes.push(invalid(field, seconds, 'may not specify a duration less than 10 minutes'));
      if (seconds > 2 ** 32) {
        causes.push(invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds'));
      }
      const { path: tokenPath } = serviceAccountToken;
      if (!tokenPath) causes.push(required(`${path}.path`));
      else causes.push(...validateLocalNonReservedPath(tokenPath, `${path}.path`));
    }
    if (Object.values(projection).filter(Boolean).length > 1) {
      causes.push(forbidden(at, 'may not specify more than 1 volume type per source'));
    }
  });
  return causes;
}
