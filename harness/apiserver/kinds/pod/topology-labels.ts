import type { KubeObject, Pod } from '../../../api/objects.ts';

/** Labels that say where a node stands, as far as its pods may know it. */
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * The pod with the zone and the region of its node as labels, whatever it said of them itself: so the downward API can tell
 * a container where it runs. A node that is not there, or says nothing, changes nothing.
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
