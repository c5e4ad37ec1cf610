import { isDNS1123Subdomain } from '../../api/names.ts';
import type { Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
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
import { validatePodSpecUpdate, withOld } from './pod/update.ts';
import { withCondition } from './with-condition.ts';
import { withField } from './with-field.ts';

/**
 * The kind Pod. Its generation moves with its spec, though not when it is bound.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go
 *
 * Differs: the subresource `resize` is not there.
 */
export const pod: Kind<Pod> = {
  resource: pods,
  returnsDeletedObject: true,

  setDefaults(pod) {
    // Without a spec it lacks containers, which is for validation to say.
    const complete = withDefaults(pod, { spec: { containers: [] } });
    const specified = withChanged(complete, 'spec', (spec) => setPodOnlyDefaults(setPodSpecDefaults(spec)));
    return withChanged(specified, 'status', withPodIPs);
  },

  admitCreate(pod, get) {
    const { nodeName } = pod.spec;
    return nodeName ? withTopologyLabels(pod, get(nodes, { name: nodeName })) : pod;
  },

  prepareForCreate(pod) {
    const isGated = (pod.spec.schedulingGates ?? []).length > 0;
    const { creationTimestamp } = pod.metadata;
    const status = {
      phase: 'Pending',
      ...(isGated ? { conditions: withCondition(undefined, SCHEDULING_GATED, creationTimestamp) } : {}),
      qosClass: computePodQOS(pod.spec),
    };
    const spec = withAppArmorFields({ ...pod, spec: withLabelKeysMerged(pod) });
    return { ...pod, spec, status };
  },

  validate(pod) {
    const { spec } = pod;
    const causes = [...validateMetadata(pod), ...validateSpec(spec)];
    if (spec.ephemeralContainers?.length) {
      causes.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
    }
    if (spec.nodeName && spec.schedulingGates?.length) {
      causes.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
    }
    return [...causes, ...validateAppArmorMatches(pod.metadata.annotations, spec, 'spec')];
  },

  prepareForUpdate(pod, old) {
    return withField(pod, 'status', old.status);
  },

  validateUpdate(pod, old) {
    return [
      ...validateObjectMetaUpdate(pod.metadata, old.metadata),
      ...validateMetadata(pod),
      // What is stored is valid, and most updates share its spec.
      ...(pod.spec === old.spec ? [] : validateSpec(pod.spec)),
      ...validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, ANNOTATIONS),
      ...validatePodSpecUpdate(pod.spec, old.spec),
    ];
  },

  sameDesiredState({ spec }, { spec: old }) {
    return spec === old || semanticEqual(spec, old);
  },

  // A client that writes the status may label and annotate, but not change owners: old kubelets garbled them.
  prepareForStatusUpdate(pod, old) {
    const metadata = withOld(pod.metadata, old.metadata, 'ownerReferences', 'deletionTimestamp');
    // A client may have sent no status at all.
    const status = withKeptStatusFields(pod.status ?? {}, old.status);
    return { ...pod, metadata, spec: old.spec, status };
  },

  resetFields: { status: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] },

  validateStatusUpdate(pod, old) {
    const { annotations } = pod.metadata;
    return [
      ...validateObjectMetaUpdate(pod.metadata, old.metadata),
      ...validatePodAnnotationsUpdate(annotations, old.metadata.annotations, ANNOTATIONS),
      ...validatePodAnnotations(annotations, pod.spec, ANNOTATIONS),
      ...validatePodStatusUpdate(pod, old),
    ];
  },

  parts: {
    ephemeralcontainers: {
      prepareForUpdate: withNewEphemeralContainers,
      validateUpdate(pod, old) {
        return [
          ...validateObjectMetaUpdate(pod.metadata, old.metadata),
          ...validateMetadata(pod),
          ...validateSpec(pod.spec),
          ...validateEphemeralContainersUpdate(pod, old),
        ];
      },
    },
  },

  selectableFields({ spec, status }) {
    return {
      'spec.nodeName': spec.nodeName ?? '',
      'spec.restartPolicy': spec.restartPolicy ?? '',
      'spec.schedulerName': spec.schedulerName ?? '',
      'spec.serviceAccountName': spec.serviceAccountName ?? '',
      'spec.hostNetwork': String(spec.hostNetwork ?? false),
      'status.phase': status?.phase ?? '',
      'status.podIP': status?.podIP ?? '',
      'status.nominatedNodeName': status?.nominatedNodeName ?? '',
    };
  },

  selectableFieldNames: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],

  watchIndex: { field: 'spec.nodeName', value: ({ spec }) => spec.nodeName ?? '' },

  validateName: isDNS1123Subdomain,

  /** There is nothing to wait for when no kubelet runs the pod: it is not scheduled, or it has ended. */
  gracePeriodSeconds({ spec, status }, asked) {
    if (!spec.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
    const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
};

const ANNOTATIONS = 'metadata.annotations';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go applySchedulingGatedCondition */
const SCHEDULING_GATED = Object.freeze({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodMetadataAndSpec
 */
function validateMetadata({ metadata, spec }: Pod): Cause[] {
  return [
    ...validateObjectMeta(metadata, { namespaced: true, validateName: isDNS1123Subdomain }),
    ...validatePodAnnotations(metadata.annotations, spec, ANNOTATIONS),
  ];
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
 * Keeps `podIP` and `podIPs[0]` the same: clients of either, old or new, see both. Where the two disagree,
 * `podIP` counts.
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
