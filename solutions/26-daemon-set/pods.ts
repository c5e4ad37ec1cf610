/** The pods of a DaemonSet: the contents of a new pod, and the facts that the controller reads from pods. */
import { type core, type DaemonSet, type New, newControllerRef, type Pod, sets } from '#harness';
import { withDaemonTolerations } from './nodes.ts';

/** The annotation of a DaemonSet with the number of its template, and the label of its pods with the same number. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const GENERATION_LABEL = 'pod-template-generation';

/**
 * Returns the pod for a node. It has no node yet: the scheduler binds it to the only node that its affinity allows.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/util/daemonset_util.go CreatePodTemplate,
 * ReplaceDaemonSetPodNodeNameNodeAffinity
 *
 * @param hash the hash of the current revision
 */
export function newPod(set: DaemonSet, hash: string, nodeName: string): New<Pod> {
  const { namespace, name } = set.metadata;
  const { metadata: { labels, annotations, finalizers } = {}, spec } = set.spec.template;
  const generation = templateGeneration(set);
  const podSpec = withDaemonTolerations(spec);
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      generateName: `${name}-`,
      labels: {
        ...labels,
        ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
        [sets.REVISION_LABEL]: hash,
      },
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [newControllerRef(set, 'DaemonSet')],
    },
    spec: { ...podSpec, affinity: onlyOn(podSpec.affinity, nodeName) },
  };
}

function onlyOn(affinity: core.Affinity | undefined, nodeName: string): core.Affinity {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  };
  return { ...affinity, nodeAffinity };
}

/**
 * Returns the node of a pod: its assigned node, or the node that its affinity names.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/util/daemonset_util.go GetTargetNodeName
 *
 * @returns undefined if the pod has no node, and its affinity does not name exactly one
 */
export function targetNodeName({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = (required?.nodeSelectorTerms ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const field = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

/** The pods of a DaemonSet by the name of their node. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/**
 * Groups pods by their target node. Ended pods that are being deleted are skipped: nothing is left to do about them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go getNodesToDaemonPods
 */
export function podsByNode(all: readonly Pod[]): PodsByNode {
  const byNode = new Map<string, Pod[]>();
  for (const pod of all) {
    const { phase } = pod.status;
    if ((phase === 'Succeeded' || phase === 'Failed') && isTerminating(pod)) continue;
    const node = targetNodeName(pod);
    if (node === undefined) continue;
    const there = byNode.get(node);
    if (there) there.push(pod);
    else byNode.set(node, [pod]);
  }
  return byNode;
}

/**
 * Returns whether a pod has the current template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/util/daemonset_util.go IsPodUpdated
 */
export function isPodUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const generation = templateGeneration(set);
  const { labels = {} } = metadata;
  return (
    labels[sets.REVISION_LABEL] === hash ||
    (generation !== undefined && labels[GENERATION_LABEL] === generation)
  );
}

export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/**
 * Compares pods of one node for `toSorted`: a bound pod first, then the oldest, then by name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go podByCreationTimestampAndPhase
 */
export function byCreationTimestampAndPhase(a: Pod, b: Pod): number {
  const [one, other] = [a.spec.nodeName ? 0 : 1, b.spec.nodeName ? 0 : 1];
  if (one !== other) return one - other;
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[TEMPLATE_GENERATION];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
}
