import type * as core from '#api/core/v1';
import type { Pod, ServiceAccount } from '../../api/objects.ts';

type Spec = Pod['spec'];
type Container = Pick<core.Container, 'name' | 'env' | 'envFrom'>;

const containersOf = (spec: Spec): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go VisitPodSecretNames */
export function hasSecrets(spec: Spec): boolean {
  return (
    (spec.imagePullSecrets ?? []).length > 0 ||
    containersOf(spec).some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom.some(({ secretRef }) => secretRef),
    ) ||
    (spec.volumes ?? []).some(isOfSecret)
  );
}

function isOfSecret(volume: core.Volume): boolean {
  const { azureFile, cephfs, cinder, flexVolume, projected, rbd, scaleIO, iscsi, storageos, csi } = volume;
  const referring = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos];
  return Boolean(
    volume.secret ||
      azureFile ||
      referring.some((source) => source?.secretRef) ||
      csi?.nodePublishSecretRef ||
      projected?.sources?.some(({ secret }) => secret),
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go VisitPodConfigmapNames */
function hasConfigMaps(spec: Spec): boolean {
  return (
    containersOf(spec).some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.configMapKeyRef) ||
        envFrom.some(({ configMapRef }) => configMapRef),
    ) ||
    (spec.volumes ?? []).some(
      ({ configMap, projected }) => configMap || projected?.sources?.some((source) => source.configMap),
    )
  );
}

/** Returns whether a volume of the pod has a token of its service account. */
export function hasTokenVolume(spec: Spec): boolean {
  return (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken),
  );
}

/**
 * Returns the kind of API objects that a pod refers to, undefined without any.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go HasAPIObjectReference
 */
export function apiObjectsIn(spec: Spec): string | undefined {
  if (spec.serviceAccountName) return 'serviceaccounts';
  if (hasSecrets(spec)) return 'secrets';
  if (hasConfigMaps(spec)) return 'configmaps';
  if (spec.resourceClaims?.length) return 'resourceclaims';
  for (const volume of spec.volumes ?? []) {
    const found = apiObjectsOf(volume);
    if (found) return found;
  }
  return undefined;
}

function apiObjectsOf(volume: core.Volume): string | undefined {
  if (volume.csi) return 'csidrivers (via CSI volumes)';
  if (volume.glusterfs) return 'endpoints (via glusterFS volumes)';
  if (volume.persistentVolumeClaim) return 'persistentvolumeclaims';
  if (volume.ephemeral) return 'persistentvolumeclaims (via ephemeral volumes)';
  for (const source of volume.projected?.sources ?? []) {
    if (source.serviceAccountToken) return 'serviceaccounts (via projected volumes)';
    if (source.clusterTrustBundle) return 'clustertrustbundles';
    if (source.podCertificate) return 'podcertificates';
  }
  return undefined;
}

/**
 * Returns the first secret of a pod that its service account does not list, as a sentence.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go
 * Plugin.limitSecretReferences, limitEphemeralContainerSecretReferences
 */
export function mountableViolation(
  spec: Spec,
  { metadata, secrets = [], imagePullSecrets = [] }: ServiceAccount,
  onlyEphemeral: boolean,
): string | undefined {
  const because = `because service account ${metadata.name} does not reference that`;
  const mountable = new Set(secrets.map(({ name }) => name));
  const unknown = (word: string, list: readonly Container[] | undefined): string | undefined => {
    for (const { name, env = [], envFrom = [] } of list ?? []) {
      for (const variable of env) {
        const ref = variable.valueFrom?.secretKeyRef?.name;
        if (ref === undefined || mountable.has(ref)) continue;
        return `${word} ${name} with envVar ${variable.name} referencing secret.secretName="${ref}" is not allowed ${because} secret`;
      }
      for (const { secretRef } of envFrom) {
        if (!secretRef || mountable.has(secretRef.name)) continue;
        return `${word} ${name} with envFrom referencing secret.secretName="${secretRef.name}" is not allowed ${because} secret`;
      }
    }
    return undefined;
  };
  if (onlyEphemeral) return unknown('ephemeral container', spec.ephemeralContainers);
  for (const { secret } of spec.volumes ?? []) {
    if (!secret || mountable.has(secret.secretName)) continue;
    return `volume with secret.secretName="${secret.secretName}" is not allowed ${because} secret`;
  }
  const inContainer = unknown('init container', spec.initContainers) ?? unknown('container', spec.containers);
  if (inContainer) return inContainer;
  const pullable = new Set(imagePullSecrets.map(({ name }) => name));
  const i = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !pullable.has(name));
  return i < 0
    ? undefined
    : `imagePullSecrets[${i}].name="${spec.imagePullSecrets?.[i]?.name}" is not allowed ${because} imagePullSecret`;
}
