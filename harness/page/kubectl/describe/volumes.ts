import type { Volume } from '#api/core/v1';
import { indented, type Lines, NONE, UNSET } from './text.ts';

/**
 * Describes the volumes of a pod. The kinds of volumes that a node here can mount have their fields; others show their
 * kind.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeVolumes
 */
export function volumeLines(volumes: readonly Volume[] = [], indent = ''): Lines {
  if (volumes.length === 0) return [`${indent}Volumes:\t${NONE}`];
  return [
    `${indent}Volumes:`,
    ...volumes.flatMap((volume) => [
      `  ${indent === '' ? '' : ' '}${volume.name}:`,
      ...indented(sourceLines(volume), 2),
    ]),
  ];
}

function sourceLines(volume: Volume): Lines {
  const {
    hostPath,
    emptyDir,
    secret,
    configMap,
    persistentVolumeClaim: claim,
    projected,
    downwardAPI,
  } = volume;
  if (hostPath) {
    return [
      'Type:\tHostPath (bare host directory volume)',
      `Path:\t${hostPath.path}`,
      `HostPathType:\t${hostPath.type ?? NONE}`,
    ];
  }
  if (emptyDir) {
    return [
      "Type:\tEmptyDir (a temporary directory that shares a pod's lifetime)",
      `Medium:\t${emptyDir.medium ?? ''}`,
      `SizeLimit:\t${emptyDir.sizeLimit ?? UNSET}`,
    ];
  }
  if (secret) {
    return [
      'Type:\tSecret (a volume populated by a Secret)',
      `SecretName:\t${secret.secretName ?? ''}`,
      `Optional:\t${secret.optional ?? false}`,
    ];
  }
  if (configMap) {
    return [
      'Type:\tConfigMap (a volume populated by a ConfigMap)',
      `Name:\t${configMap.name}`,
      `Optional:\t${configMap.optional ?? false}`,
    ];
  }
  if (claim) {
    return [
      'Type:\tPersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
      `ClaimName:\t${claim.claimName}`,
      `ReadOnly:\t${claim.readOnly ?? false}`,
    ];
  }
  if (projected) {
    const sources = (projected.sources ?? []).flatMap((source) => {
      if (source.secret)
        return [`SecretName:\t${source.secret.name}`, `Optional:\t${source.secret.optional ?? false}`];
      if (source.downwardAPI) return ['DownwardAPI:\ttrue'];
      if (source.configMap) {
        return [
          `ConfigMapName:\t${source.configMap.name}`,
          `Optional:\t${source.configMap.optional ?? false}`,
        ];
      }
      const token = source.serviceAccountToken;
      return token ? [`TokenExpirationSeconds:\t${token.expirationSeconds}`] : [];
    });
    return ['Type:\tProjected (a volume that contains injected data from multiple sources)', ...sources];
  }
  if (downwardAPI) {
    const items = (downwardAPI.items ?? []).map(
      ({ fieldRef, resourceFieldRef, path }) =>
        `${fieldRef?.fieldPath ?? resourceFieldRef?.resource} -> ${path}`,
    );
    return [
      'Type:\tDownwardAPI (a volume populated by information about the pod)',
      'Items:',
      ...indented(items),
    ];
  }
  const kind = Object.keys(volume).find((key) => key !== 'name');
  return [`Type:\t${kind ?? '<unknown>'}`];
}
