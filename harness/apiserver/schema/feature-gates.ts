/**
 * The feature gates that are off by default in 1.36 and have fields in the API table, under the names in that table.
 * Decoding silently drops such a field, as if the client had not sent it. The client is newer than this server, or
 * expects an enabled gate.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/features/kube_features.go defaultVersionedKubernetesFeatureGates;
 * pkg/api/pod/util.go dropDisabledFields; kubernetes/apiserver@v0.36.3 pkg/features/kube_features.go
 *
 * Differs: upstream keeps such a field if the stored object has it; here no stored object has one. Upstream also drops
 * a `lifecycle` or `volumeStatus` that becomes empty.
 */
export const gatesOff: ReadonlySet<string> = new Set([
  'ClusterTrustBundleProjection',
  'ContainerStopSignals',
  'CoordinatedLeaderElection',
  'CrossNamespaceVolumeDataSource',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'GenericWorkload',
  'ImageVolumeWithDigest',
  'MaxUnavailableStatefulSet',
  // Upstream's gate has the name PodCertificateRequest.
  'PodCertificateProjection',
  'ShardedListAndWatch',
  'VolumeLimitScaling',
]);

/** Fields behind these gates whose declarations have no marker, as `package.Struct.field`. */
export const fieldsOff: ReadonlySet<string> = new Set(['core/v1.Lifecycle.stopSignal']);
