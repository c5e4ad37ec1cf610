import type * as core from '#api/core/v1';

/** A field that the server knows and does not take, as long as its gate is off. */
interface GatedField {
  readonly gate: string;
  /** `*` stands for each item of a list. */
  readonly path: string;
  /** Does the object go that holds nothing without the field? @defaultValue false */
  readonly withParent?: boolean;
}

/** The gates of pods that are off in 1.36 unless somebody turns them on, and what they keep out of a spec. */
const OFF_IN_SPEC: readonly GatedField[] = [
  { gate: 'GenericWorkload', path: 'schedulingGroup' },
  { gate: 'ClusterTrustBundleProjection', path: 'volumes.*.projected.sources.*.clusterTrustBundle' },
  { gate: 'PodCertificateRequest', path: 'volumes.*.projected.sources.*.podCertificate' },
  ...['containers', 'initContainers', 'ephemeralContainers'].map((list) => ({
    gate: 'ContainerStopSignals',
    path: `${list}.*.lifecycle.stopSignal`,
    withParent: true,
  })),
];

const OFF_IN_STATUS: readonly GatedField[] = [
  { gate: 'DRANodeAllocatableResources', path: 'nodeAllocatableResourceClaimStatuses' },
  ...['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].map((list) => ({
    gate: 'ImageVolumeWithDigest',
    path: `${list}.*.volumeMounts.*.volumeStatus`,
  })),
];

/**
 * The spec without the fields whose gates are off. They are dropped without a word: a client that sends them is newer, or
 * hopes for more, than this server.
 *
 * Feature gates: fields that a server knows and does not take.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go dropDisabledFields;
 * pkg/features/kube_features.go defaultVersionedKubernetesFeatureGates
 */
export function withoutDisabledFields(spec: core.PodSpec): core.PodSpec {
  return without(spec, OFF_IN_SPEC);
}

/**
 * The same of a status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go dropDisabledPodStatusFields
 */
export function withoutDisabledStatusFields<T extends core.PodStatus>(status: T): T {
  return without(status, OFF_IN_STATUS);
}

function without<T extends object>(object: T, fields: readonly GatedField[]): T {
  return fields.reduce<unknown>((rest, field) => drop(rest, field.path.split('.'), field), object) as T;
}

function drop(value: unknown, path: readonly string[], field: GatedField): unknown {
  const [key = '', ...deeper] = path;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => drop(item, deeper, field));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const { [key]: before, ...others } = value as Record<string, unknown>;
  if (before === undefined) return value;
  const after = deeper.length === 0 ? undefined : drop(before, deeper, field);
  if (after === before) return value;
  const isEmpty = deeper.length === 1 && field.withParent && Object.keys(after as object).length === 0;
  return after === undefined || isEmpty ? others : { ...value, [key]: after };
}
