import type * as core from '#api/core/v1';
import { isConfigMapKey, isDNS1123Label, isDNS1123Subdomain, isEnvVarName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { invalid, invalidEach, notFound, required } from '../../validation/field-error.ts';
import { validateFieldRef, validateResourceFieldRef } from './field-ref.ts';
import { validatePathNoBacksteps } from './paths.ts';

/**
 * Validates the variables that are listed one by one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateEnv, ValidateEnvFrom
 */
export function validateEnv(variables: readonly core.EnvVar[], path: string): Cause[] {
  return variables.flatMap((variable, i) => {
    const at = `${path}[${i}]`;
    const { name, valueFrom } = variable;
    const causes = name ? invalidEach(`${at}.name`, name, isEnvVarName(name)) : [required(`${at}.name`)];
    if (valueFrom) causes.push(...validateValueFrom(variable.value ?? '', valueFrom, `${at}.valueFrom`));
    return causes;
  });
}

/** Validates the variables that come from all keys of a ConfigMap or a Secret. */
export function validateEnvFrom(sources: readonly core.EnvFromSource[], path: string): Cause[] {
  return sources.flatMap((source, i) => {
    const at = `${path}[${i}]`;
    const { prefix = '', configMapRef, secretRef } = source;
    const causes = prefix ? invalidEach(`${at}.prefix`, prefix, isEnvVarName(prefix)) : [];
    if (configMapRef) causes.push(...validateName(configMapRef.name, `${at}.configMapRef.name`));
    if (secretRef) causes.push(...validateName(secretRef.name, `${at}.secretRef.name`));
    if (!configMapRef && !secretRef) {
      causes.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      causes.push(invalid(path, '', MORE_THAN_ONE));
    }
    return causes;
  });
}

const MORE_THAN_ONE = 'may not have more than one field specified at a time';

function validateValueFrom(value: string, source: core.EnvVarSource, path: string): Cause[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const causes: Cause[] = [];
  if (fieldRef) causes.push(...validateFieldRef(fieldRef, FIELDS, `${path}.fieldRef`));
  if (resourceFieldRef) {
    causes.push(
      ...validateResourceFieldRef(resourceFieldRef, { inVolume: false }, `${path}.resourceFieldRef`),
    );
  }
  if (configMapKeyRef) causes.push(...validateKeyRef(configMapKeyRef, `${path}.configMapKeyRef`));
  if (secretKeyRef) causes.push(...validateKeyRef(secretKeyRef, `${path}.secretKeyRef`));
  if (fileKeyRef) causes.push(...validateFileKeyRef(fileKeyRef, `${path}.fileKeyRef`));

  const given = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  const sources = given.filter(Boolean).length;
  if (sources === 0) {
    causes.push(invalid(path, '', `must specify one of: ${SOURCES}`));
  } else if (value) {
    causes.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (sources > 1) {
    causes.push(invalid(path, '', MORE_THAN_ONE));
  }
  return causes;
}

const SOURCES = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

const FIELDS = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];

function validateKeyRef({ name = '', key }: core.ConfigMapKeySelector, path: string): Cause[] {
  return [
    ...invalidEach(`${path}.name`, name, isDNS1123Subdomain(name)),
    ...(key ? invalidEach(`${path}.key`, key, isConfigMapKey(key)) : [required(`${path}.key`)]),
  ];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateFileKeySelector */
function validateFileKeyRef(ref: core.FileKeySelector, path: string): Cause[] {
  const { key, volumeName, path: file } = ref;
  return [
    ...(key ? invalidEach(`${path}.key`, key, isEnvVarName(key)) : [required(`${path}.key`)]),
    ...(volumeName
      ? invalidEach(`${path}.volumeName`, volumeName, isDNS1123Label(volumeName))
      : [required(`${path}.volumeName`)]),
    ...(file ? validatePathNoBacksteps(file, `${path}.path`) : [required(`${path}.path`)]),
  ];
}

/**
 * Validates files of variables: they are in an emptyDir volume, which a container of the pod fills.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateFileKeyRefVolumes
 */
export function validateFileKeyRefVolumes(spec: core.PodSpec, path: string): Cause[] {
  const volumes = new Map(spec.volumes?.map((volume) => [volume.name, volume]));
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ env = [] }, c) =>
      env.flatMap(({ valueFrom }, e) => {
        if (!valueFrom?.fileKeyRef) return [];
        const { volumeName } = valueFrom.fileKeyRef;
        const at = `${path}.${list}[${c}].env[${e}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(volumeName);
        if (!volume) return [notFound(at, volumeName)];
        return volume.emptyDir ? [] : [invalid(at, volumeName, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
}

function validateName(name: string | undefined, path: string): Cause[] {
  return name ? invalidEach(path, name, isDNS1123Subdomain(name)) : [required(path)];
}
