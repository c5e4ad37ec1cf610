import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { forbidden } from '../validation/field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from './pod/annotations.ts';
import { validateAppArmorMatches, withAppArmorFields } from './pod/app-armor.ts';
import { validateImageIsTrimmed } from './pod/containers.ts';
import { setPodOnlyDefaults, setPodSpecDefaults } from './pod/defaults.ts';
import { validateEphemeralContainersUpdate, withNewEphemeralContainers } from './pod/ephemeral-containers.ts';
import { withLabelKeysMerged } from './pod/match-label-keys.ts';
import { computePodQOS } from './pod/qos.ts';
import { validatePodSpec } from './pod/spec.ts';
import { validatePodStatusUpdate, withKeptStatusFields } from './pod/status.ts';
import { withTopologyLabels } from './pod/topology-labels.ts';
import { validatePodSpecUpdate } from './pod/update.ts';
import { withCondition } from './with-condition.ts';

/**
 * The kind Pod. Its generation increases with its spec, but not when the pod is bound.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go
 *
 * Differs: there is no subresource `resize`.
 */
export const pod = declareKind<Pod>({
  resource: pods,
  returnsDeletedObject: true,
  generationOf: ({ spec }) => spec,
  selectable: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIP ?? '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  watchIndex: { field: 'spec.nodeName', value: ({ spec }) => spec.nodeName ?? '' },

  setDefaults: (pod) =>
    withChanged(
      withChanged(pod, 'spec', (spec) => setPodOnlyDefaults(setPodSpecDefaults(spec))),
      'status',
      withPodIPs,
    ),
  admitCreate(pod, get) {
    const { nodeName } = pod.spec;
    return nodeName ? withTopologyLabels(pod, get(nodes, { name: nodeName })) : pod;
  },
  prepareForCreate: (pod) => ({
    ...pod,
    spec: withAppArmorFields({ ...pod, spec: withLabelKeysMerged(pod) }),
  }),
  newStatus({ metadata, spec }) {
    const isGated = (spec.schedulingGates ?? []).length > 0;
    return {
      phase: 'Pending',
      ...(isGated && { conditions: withCondition(undefined, SCHEDULING_GATED, metadata.creationTimestamp) }),
      qosClass: computePodQOS(spec),
    };
  },
  prepareForStatusUpdate: (pod, old) => ({ ...pod, status: withKeptStatusFields(pod.status, old.status) }),
  // A status writer may set labels and annotations but not owners, which old kubelets corrupted.
  statusKeepsMetadata: ['deletionTimestamp', 'ownerReferences'],

  revalidates: 'after metadata',
  rules: [validateAnnotations],
  createRules: [
    ({ spec }) => validateSpec(spec),
    validateNew,
    ({ metadata, spec }) => validateAppArmorMatches(metadata.annotations, spec, 'spec'),
  ],
  updateRules: (pod, old) => [
    // The stored spec is valid, and most updates share it.
    ...(pod.spec === old.spec ? [] : validateSpec(pod.spec)),
    ...validateAnnotationsUpdate(pod, old),
    ...validatePodSpecUpdate(pod.spec, old.spec),
  ],
  statusUpdateRules: (pod, old) => [
    ...validateAnnotationsUpdate(pod, old),
    ...validateAnnotations(pod),
    ...validatePodStatusUpdate(pod, old),
  ],

  parts: {
    ephemeralcontainers: {
      prepareForUpdate: withNewEphemeralContainers,
      validateUpdate: (pod, old) => [
        ...validateObjectMetaUpdate(pod.metadata, old.metadata),
        ...validateObjectMeta(pod.metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
        ...validateAnnotations(pod),
        ...validateSpec(pod.spec),
        ...validateEphemeralContainersUpdate(pod, old),
      ],
    },
  },

  /** Returns 0 if no kubelet runs the pod: it is not scheduled, or it has finished. */
  gracePeriodSeconds({ spec, status }, asked) {
    if (!spec.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
    const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
});

const ANNOTATIONS = 'metadata.annotations';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go applySchedulingGatedCondition */
const SCHEDULING_GATED = Object.freeze({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodMetadataAndSpec */
function validateAnnotations({ metadata, spec }: Pod): Cause[] {
  return validatePodAnnotations(metadata.annotations, spec, ANNOTATIONS);
}

function validateAnnotationsUpdate({ metadata }: Pod, old: Pod): Cause[] {
  return validatePodAnnotationsUpdate(metadata.annotations, old.metadata.annotations, ANNOTATIONS);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodCreate */
function validateNew({ spec }: Pod): Cause[] {
  const causes: Cause[] = [];
  if (spec.ephemeralContainers?.length) {
    causes.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (spec.nodeName && spec.schedulingGates?.length) {
    causes.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return causes;
}

function validateSpec(spec: Pod['spec']): Cause[] {
  const causes = validatePodSpec(spec, 'spec', { inPod: true });
  if (!spec.serviceAccountName) {
    spec.volumes?.forEach((volume, v) => {
      volume.projected?.sources?.forEach((source, s) => {
        if (!source.serviceAccountToken) return;
        const path = `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`;
        causes.push(forbidden(path, 'must not be specified when serviceAccountName is not set'));
      });
    });
  }
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, i) => {
      causes.push(...validateImageIsTrimmed(container, `spec.${list}[${i}]`));
    });
  }
  return causes;
}

/**
 * Keeps `podIP` and `podIPs[0]` equal, so that old and new clients see both. If they differ, `podIP` wins.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/conversion.go
 * Convert_v1_PodStatus_To_core_PodStatus
 */
function withPodIPs(status: Pod['status']): Pod['status'] {
  const { podIP, podIPs = [] } = status;
  const first = podIPs[0]?.ip;
  if ((podIP ?? '') === (first ?? '')) return status;
  return podIP ? { ...status, podIPs: [{ ip: podIP }] } : { ...status, podIP: first ?? '' };
}
