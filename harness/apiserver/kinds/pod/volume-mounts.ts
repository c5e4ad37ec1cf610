import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid, notFound, notSupported, required } from '../../validation/field-error.ts';
import { validateLocalDescendingPath } from './paths.ts';

/**
 * Validates the volume mounts of a container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateVolumeMounts
 *
 * Differs: volumeDevices (block volumes) are not validated.
 *
 * @param volumes the valid volumes of the pod, by name
 */
export function validateVolumeMounts(
  container: core.Container,
  volumes: ReadonlyMap<string, core.Volume>,
  path: string,
): Cause[] {
  const causes: Cause[] = [];
  const mountPaths = new Set<string>();
  container.volumeMounts?.forEach((mount, i) => {
    const at = `${path}[${i}]`;
    const { name = '', mountPath = '', subPath, subPathExpr, mountPropagation } = mount;
    if (!name) causes.push(required(`${at}.name`));
    if (!volumes.has(name)) causes.push(notFound(`${at}.name`, name));
    if (!mountPath) causes.push(required(`${at}.mountPath`));
    if (mountPaths.has(mountPath)) causes.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    // From here on, upstream's paths lack the index.
    if (subPath) causes.push(...validateLocalDescendingPath(subPath, `${path}.subPath`));
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        causes.push(invalid(`${at}.subPathExpr`, subPathExpr, detail));
      }
      causes.push(...validateLocalDescendingPath(subPathExpr, `${path}.subPathExpr`));
    }
    if (mountPropagation) {
      const isPrivileged = container.securityContext?.privileged ?? false;
      causes.push(...validateMountPropagation(mountPropagation, isPrivileged, `${path}.mountPropagation`));
    }
    causes.push(...validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`));
  });
  return causes;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateMountRecursiveReadOnly */
function validateRecursiveReadOnly(mount: core.VolumeMount, path: string): Cause[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation } = mount;
  if (mode === undefined || mode === 'Disabled') return [];
  if (!RECURSIVE_MODES.includes(mode)) return [notSupported(path, mode, ['Disabled', ...RECURSIVE_MODES])];
  const causes = readOnly ? [] : [forbidden(path, 'may only be specified when readOnly is true')];
  if (mountPropagation === undefined || mountPropagation === 'None') return causes;
  const detail = 'may only be specified when mountPropagation is None or not specified';
  return [...causes, forbidden(path, detail)];
}

const RECURSIVE_MODES = ['Enabled', 'IfPossible'];

function validateMountPropagation(mode: string, isPrivileged: boolean, path: string): Cause[] {
  if (!MOUNT_PROPAGATIONS.includes(mode)) return [notSupported(path, mode, MOUNT_PROPAGATIONS)];
  if (mode !== 'Bidirectional' || isPrivileged) return [];
  return [forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')];
}

const MOUNT_PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
