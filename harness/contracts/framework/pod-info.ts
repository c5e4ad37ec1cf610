import type * as core from '#api/core/v1';
import { labelSelectorAsSelector, type Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/objects.ts';
import { type Resources, requestsOf } from './resources.ts';

/**
 * A parsed term of a pod's affinity or anti-affinity.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm
 */
export interface AffinityTerm {
  /**
   * The namespaces of the selected pods. If the term has neither namespaces nor a namespace selector, this is the pod's
   * own namespace.
   */
  readonly namespaces: ReadonlySet<string>;
  /** Pods in namespaces with these labels are selected as well. */
  readonly namespaceSelector: Selector;
  /** Selects pods by their labels. */
  readonly selector: Selector;
  /** Nodes with the same value for this label are one topology domain. */
  readonly topologyKey: string;
}

/** A preferred term. */
interface WeightedAffinityTerm extends AffinityTerm {
  /** 1 to 100. */
  readonly weight: number;
}

/** A port of the node that a pod uses. */
export interface HostPort {
  /** `0.0.0.0`, which means every address, if the pod does not set it. */
  readonly hostIP: string;
  /** `TCP` if the pod does not set it. */
  readonly protocol: string;
  readonly hostPort: number;
}

/**
 * A pod, and derived values that plugins read repeatedly.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go PodInfo
 */
export interface PodInfo {
  readonly pod: Pod;
  readonly requests: Resources;
  /** The same, with 100m and 200Mi for each container without a request. */
  readonly nonZeroRequests: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly requiredAffinityTerms: readonly AffinityTerm[];
  readonly requiredAntiAffinityTerms: readonly AffinityTerm[];
  readonly preferredAffinityTerms: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinityTerms: readonly WeightedAffinityTerm[];
}

const known = new WeakMap<Pod, PodInfo>();

/** Returns the PodInfo of a pod. It is computed once for each pod object. */
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

/**
 * Returns the host ports of the containers and sidecars. Ordinary init containers do not count, because they do not
 * keep running.
 */
function hostPortsOf({ spec }: Pod): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...spec.containers].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ hostIP: hostIP || '0.0.0.0', protocol: protocol || 'TCP', hostPort }] : [],
    ),
  );
}
