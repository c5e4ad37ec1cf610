import type * as core from '#api/core/v1';
import type { ObjectKey, PersistentVolume, Pod } from '../../api/objects.ts';

/** The names of the objects that a pod uses, all in its own namespace. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>;
  readonly configMaps: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly resourceClaims: ReadonlySet<string>;
}

/**
 * Returns the names of the objects that a pod uses.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go VisitPodSecretNames, VisitPodConfigmapNames;
 * plugin/pkg/auth/authorizer/node/graph.go AddPod
 */
export function referencesOf(pod: Pod): PodReferences {
  const secrets = new Set<string>();
  const configMaps = new Set<string>();
  const claims = new Set<string>();
  const add = (names: Set<string>, name: string | undefined): void => {
    if (name) names.add(name);
  };
  const { spec } = pod;
  for (const { name } of spec.imagePullSecrets ?? []) add(secrets, name);
  for (const container of [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...(spec.ephemeralContainers ?? []),
  ]) {
    for (const { secretRef, configMapRef } of container.envFrom ?? []) {
      add(secrets, secretRef?.name);
      add(configMaps, configMapRef?.name);
    }
    for (const { valueFrom } of container.env ?? []) {
      add(secrets, valueFrom?.secretKeyRef?.name);
      add(configMaps, valueFrom?.configMapKeyRef?.name);
    }
  }
  for (const volume of spec.volumes ?? []) {
    for (const name of secretsOfVolume(volume)) add(secrets, name);
    for (const source of [volume, ...(volume.projected?.sources ?? [])])
      add(configMaps, source.configMap?.name);
    add(claims, volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral) add(claims, `${pod.metadata.name}-${volume.name}`);
  }
  return { secrets, configMaps, claims, resourceClaims: new Set(resourceClaimsOf(pod)) };
}

function secretsOfVolume(volume: core.Volume): (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.rbd?.secretRef?.name,
    volume.secret?.secretName,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

/** Upstream: kubernetes/dynamic-resource-allocation@v0.36.3 resourceclaim/claim.go Name */
function resourceClaimsOf({ spec, status }: Pod): string[] {
  const generated = status?.resourceClaimStatuses ?? [];
  const named = (spec.resourceClaims ?? []).map(
    ({ name, resourceClaimName }) =>
      resourceClaimName ?? generated.find((one) => one.name === name)?.resourceClaimName,
  );
  const extended = status?.extendedResourceClaimStatus?.resourceClaimName;
  return [...named, extended].filter((name): name is string => !!name);
}

/**
 * Returns the secrets that a kubelet needs to mount a volume. A secret without a namespace is in the
 * namespace of the volume's claim.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/persistentvolume/util.go VisitPVSecretNames, `kubeletVisible`
 */
export function secretsOfPersistentVolume({ spec }: PersistentVolume): ObjectKey[] {
  const { azureFile } = spec;
  const references = [
    ...(azureFile ? [{ name: azureFile.secretName, namespace: azureFile.secretNamespace }] : []),
    spec.cephfs?.secretRef,
    spec.cinder?.secretRef,
    spec.flexVolume?.secretRef,
    spec.rbd?.secretRef,
    spec.scaleIO?.secretRef,
    spec.iscsi?.secretRef,
    spec.storageos?.secretRef,
    spec.csi?.nodePublishSecretRef,
    spec.csi?.nodeStageSecretRef,
    spec.csi?.nodeExpandSecretRef,
  ];
  return references.flatMap((reference) => {
    const namespace = reference?.namespace || spec.claimRef?.namespace;
    return reference?.name && namespace ? [{ namespace, name: reference.name }] : [];
  });
}
