/**
 * The feature gates that are off in 1.36 by default, as far as they have fields in the table of the API,
 * by the names that the table knows them by. Decoding drops such a field without a word, as if it had not been sent: a
 * client that sends it is newer, or hopes for more, than this server.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/features/kube_features.go defaultVersionedKubernetesFeatureGates;
 * kubernetes/apiserver@v0.36.3 pkg/features/kube_features.go; pkg/api/pod/util.go dropDisabledFields
 *
 * Differs: upstream keeps such a field where the stored object has it already; no stored object has one here. It also
 * drops a `lifecycle` and a `volumeStatus` that are empty without it.
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
  // Upstream's gate is called PodCertificateRequest.
  'PodCertificateProjection',
  'ShardedListAndWatch',
  'VolumeLimitScaling',
]);

/** Fields of such gates that their declarations do not mark, as `package.Struct.field`. */
export const fieldsOff: ReadonlySet<string> = new Set(['core/v1.Lifecycle.stopSignal']);
