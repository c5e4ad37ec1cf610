import type { KubeObject, Pod } from '../../../api/objects.ts';

/** Labels with the topology of a node that its pods can read. */
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Copies the zone and the region of the node to the pod's labels, replacing the pod's own values. So the downward API
 * can expose them to containers. A missing node, or one without these labels, changes nothing.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/podtopologylabels/admission.go Plugin
 */
export function withTopologyLabels(pod: Pod, node: KubeObject | undefined): Pod {
  const found = TOPOLOGY_LABELS.flatMap((key) => {
    const value = node?.metadata.labels?.[key];
    return value === undefined ? [] : [[key, value]];
  });
  if (found.length === 0) return pod;
  const labels = { ...pod.metadata.labels, ...Object.fromEntries(found) };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}
