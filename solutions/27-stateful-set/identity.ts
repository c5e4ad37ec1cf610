/** The identity of a StatefulSet's pods: their names, labels, and claims. */
import {
  type core,
  type New,
  newControllerRef,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
  sets,
} from '#harness';

const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

/**
 * Splits the name of a pod: `web-2` into `web` and 2. The ordinal is -1 if the name has none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go getParentNameAndOrdinal
 */
function parentAndOrdinal({ metadata }: Pod): { readonly parent: string; readonly ordinal: number } {
  const [, parent = '', digits = ''] = /^(.*)-(\d+)$/.exec(metadata.name) ?? [];
  const ordinal = Number(digits);
  return { parent, ordinal: digits === '' || ordinal >= 2 ** 31 ? -1 : ordinal };
}

/** Returns the ordinal of a pod: 2 for `web-2`, -1 for a name without one. */
export const ordinalOf = (pod: Pod): number => parentAndOrdinal(pod).ordinal;

/** Returns whether the name of a pod begins with the name of the set. */
export const isMemberOf = (set: StatefulSet, pod: Pod): boolean =>
  parentAndOrdinal(pod).parent === set.metadata.name;

/** Returns the first ordinal of a set. */
export const startOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

/** Returns whether the set wants a pod of this ordinal. */
export function isInOrdinalRange(set: StatefulSet, ordinal: number): boolean {
  const start = startOrdinal(set);
  return ordinal >= start && ordinal < start + (set.spec.replicas ?? 1);
}

/**
 * Returns the pod of an ordinal. Its volumes with the names of claim templates are its own claims.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go newStatefulSetPod,
 * initIdentity, updateStorage
 *
 * @param revision the name of the revision that the template is from
 */
export function newPod(
  set: StatefulSet,
  {
    ordinal,
    template,
    revision,
  }: { readonly ordinal: number; readonly template: sets.PodTemplate; readonly revision: string },
): New<Pod> {
  const { namespace } = set.metadata;
  const { metadata: { labels, annotations, finalizers } = {}, spec = { containers: [] } } = template;
  const name = podName(set, ordinal);
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      name,
      labels: { ...labels, ...identityLabels(name, ordinal), [sets.REVISION_LABEL]: revision },
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [newControllerRef(set, 'StatefulSet')],
    },
    spec: {
      ...spec,
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
      volumes: volumesWithClaims(set, ordinal, spec.volumes),
    },
  };
}

const podName = ({ metadata }: StatefulSet, ordinal: number): string => `${metadata.name}-${ordinal}`;

const identityLabels = (name: string, ordinal: number): Record<string, string> => ({
  [POD_NAME_LABEL]: name,
  [INDEX_LABEL]: String(ordinal),
});

function volumesWithClaims(
  set: StatefulSet,
  ordinal: number,
  volumes: readonly core.Volume[] = [],
): core.Volume[] {
  const claimed = claimsOf(set, ordinal).map(({ template, claim }) => ({
    name: template,
    persistentVolumeClaim: { claimName: claim.metadata.name ?? '' },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
}

/** A claim of a pod, and the name of its template. */
interface NamedClaim {
  readonly template: string;
  readonly claim: New<PersistentVolumeClaim>;
}

/**
 * Returns the claims of the pod of an ordinal: `data-web-2` for the template `data`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaims,
 * getPersistentVolumeClaimName
 */
export function claimsOf(set: StatefulSet, ordinal: number): NamedClaim[] {
  const { namespace } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map((each) => {
    const { name: template = '', ...metadata } = each.metadata ?? {};
    const labels = { ...metadata.labels, ...set.spec.selector.matchLabels };
    const claim: New<PersistentVolumeClaim> = {
      metadata: {
        ...metadata,
        ...(namespace === undefined ? {} : { namespace }),
        name: `${template}-${podName(set, ordinal)}`,
        labels,
      },
      spec: each.spec ?? {},
    };
    return { template, claim };
  });
}

/**
 * Returns whether a pod has the labels of its identity, and the volumes of its claims.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_utils.go identityMatches,
 * storageMatches
 */
export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  const { name, labels = {} } = pod.metadata;
  const claims = claimsOf(set, ordinalOf(pod));
  return (
    labels[POD_NAME_LABEL] === name &&
    claims.every(({ template, claim }) => {
      const volume = pod.spec.volumes?.find((each) => each.name === template);
      return volume?.persistentVolumeClaim?.claimName === claim.metadata.name;
    })
  );
}

/** Returns the pod with the labels of its identity, and the volumes of its claims. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const { metadata, spec } = pod;
  const ordinal = ordinalOf(pod);
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, ...identityLabels(metadata.name, ordinal) } },
    spec: identityMatches(set, pod)
      ? spec
      : { ...spec, volumes: volumesWithClaims(set, ordinal, spec.volumes) },
  };
}
