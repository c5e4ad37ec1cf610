import type * as core from '#api/core/v1';
import { labelSelectorAsSelector, type Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { type Resources, requestsOf } from './resources.ts';

/**
 * A term of a pod's affinity or anti-affinity, read once.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm
 */
export interface AffinityTerm {
  /** Pods of these namespaces. With none here and no {@link namespaceSelector} in the API, the pod's own. */
  readonly namespaces: ReadonlySet<string>;
  /** Pods of namespaces with these labels as well. */
  readonly namespaceSelector: Selector;
  /** Which pods, by their labels. */
  readonly selector: Selector;
  /** Nodes that have the same value for this label are one place. */
  readonly topologyKey: string;
}

/** A term that is a wish. */
interface WeightedAffinityTerm extends AffinityTerm {
  /** 1 to 100. */
  readonly weight: number;
}

/** A port of a node that a pod takes. */
export interface HostPort {
  /** `0.0.0.0` when the pod does not say: every address. */
  readonly hostIP: string;
  /** `TCP` when the pod does not say. */
  readonly protocol: string;
  readonly hostPort: number;
}

/**
 * A pod, and what plugins want to know of it again and again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go PodInfo
 */
export interface PodInfo {
  readonly pod: Pod;
  readonly requests: Resources;
  /** The same, with 100m and 200Mi for each container that does not say what it wants. */
  readonly nonZeroRequests: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly WeightedAffinityTerm[];
}

const known = new WeakMap<Pod, PodInfo>();

/** Of one pod object it is computed once. */
export function podInfoOf(pod: Pod): PodInfo {
  const info = known.get(pod) ?? read(pod);
  known.set(pod, info);
  return info;
}

function read(pod: Pod): PodInfo {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const terms = (all: readonly core.PodAffinityTerm[] = []): AffinityTerm[] =>
    all.map((term) => termOf(pod, term));
  const weighted = (all: readonly core.WeightedPodAffinityTerm[] = []): WeightedAffinityTerm[] =>
    all.map(({ weight, podAffinityTerm }) => ({ ...termOf(pod, podAffinityTerm), weight }));
  return {
    pod,
    requests: requestsOf(pod),
    nonZeroRequests: requestsOf(pod, true),
    hostPorts: hostPortsOf(pod),
    requiredAffinityTerms: terms(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinityTerms: terms(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinityTerms: weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinityTerms: weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

/** Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go newAffinityTerm, getNamespacesFromPodAffinityTerm */
function termOf({ metadata }: Pod, term: core.PodAffinityTerm): AffinityTerm {
  const { namespaces = [], namespaceSelector, labelSelector, topologyKey } = term;
  const own = namespaces.length === 0 && !namespaceSelector;
  return {
    namespaces: new Set(own ? [metadata.namespace ?? ''] : namespaces),
    namespaceSelector: labelSelectorAsSelector(namespaceSelector),
    selector: labelSelectorAsSelector(labelSelector),
    topologyKey,
  };
}

/** A container that runs beside the others has its ports for good; one that only starts the pod, has not. */
function hostPortsOf({ spec }: Pod): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...spec.containers].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ hostIP: hostIP || '0.0.0.0', protocol: protocol || 'TCP', hostPort }] : [],
    ),
  );
}
