import type { ControllerRevision, DaemonSet, Node, Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { podsOf } from './environment.ts';

/** The stored objects of a run at some time. */
export interface Snapshot {
  readonly set: DaemonSet | undefined;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  /** Ms since 1970. */
  readonly nowMs: number;
}

/** Taints that every daemon survives. The environment uses no other taints with these keys. */
const SURVIVED = 'node.kubernetes.io/';

/** Returns whether a new pod of the set may start on a node, and whether a running one may stay. */
export function fits(set: DaemonSet, node: Node): { readonly starts: boolean; readonly stays: boolean } {
  const selector = Object.entries(set.spec.template.spec?.nodeSelector ?? {});
  const isSelected = selector.every(([key, value]) => node.metadata.labels?.[key] === value);
  const effects = (node.spec.taints ?? [])
    .filter(({ key }) => !key.startsWith(SURVIVED))
    .map(({ effect }) => effect);
  const stays = isSelected && !effects.includes('NoExecute');
  return { starts: stays && !effects.includes('NoSchedule'), stays };
}

/** Returns the name of the node that a pod is on, or for which it was created. */
export function targetOf({ spec }: Pod): string | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return spec.nodeName || required?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0];
}

/** Returns whether a pod is ready for long enough, and is not being deleted. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod) || pod.metadata.deletionTimestamp !== undefined) return false;
  const since = pod.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  // The clock of its node may be wrong, which matters only to minReadySeconds.
  return minReadySeconds === 0 || Date.parse(since ?? '') + minReadySeconds * 1_000 <= nowMs;
}

/** Returns the image of the set's pods. */
const imageOf = ({ spec }: Pick<Pod, 'spec'>): string | undefined => spec.containers[0]?.image;

/** Returns the obligations of the controller in a snapshot, as phrases after "it has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  const { set } = snapshot;
  if (!set) return [];
  const own = podsOf(set, snapshot.pods);
  const orphan = snapshot.pods.find(
    ({ metadata }) => metadata.deletionTimestamp === undefined && !metadata.ownerReferences?.length,
  );
  return [
    ...(orphan ? [`adopt ${orphan.metadata.name}`] : []),
    ...snapshot.nodes.flatMap((node) => dueOn(set, node, own)),
    ...own
      // Another controller deletes bound pods of a deleted node.
      .filter(
        (pod) =>
          !pod.spec.nodeName && !snapshot.nodes.some(({ metadata }) => metadata.name === targetOf(pod)),
      )
      .map(({ metadata }) => `delete ${metadata.name}, whose node does not exist`),
    ...dueHistory(snapshot, set, own),
    ...dueStatus(snapshot, set, own),
  ];
}

/** Returns whether some pod of the set becomes available, or stops, just by waiting. */
export function isWaiting({ set, pods, nowMs }: Snapshot): boolean {
  const { minReadySeconds = 0 } = set?.spec ?? {};
  return podsOf(set, pods).some((pod) => !isAvailable(pod, minReadySeconds, nowMs));
}

function dueOn(set: DaemonSet, node: Node, own: readonly Pod[]): readonly string[] {
  const { name } = node.metadata;
  const { starts, stays } = fits(set, node);
  const there = own.filter((pod) => targetOf(pod) === name);
  if (!stays) return there.map(({ metadata }) => `delete ${metadata.name} from ${name}`);
  if (there.length === 0) return starts ? [`create a pod on ${name}`] : [];
  if (there.length > 1) return [`delete one of ${there.length} pods on ${name}`];
  const [pod] = there as [Pod];
  if (pod.status.phase !== 'Running')
    return [`replace ${pod.metadata.name} on ${name}, which is ${pod.status.phase}`];
  const image = imageOf({ spec: set.spec.template.spec ?? { containers: [] } });
  const isOld = imageOf(pod) !== image && set.spec.updateStrategy?.type === 'RollingUpdate';
  return isOld && starts ? [`replace ${pod.metadata.name} on ${name} by a pod with ${image}`] : [];
}

function dueHistory({ revisions }: Snapshot, set: DaemonSet, own: readonly Pod[]): readonly string[] {
  const ours = revisions.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === set.metadata.uid);
  const templateIn = ({ data }: ControllerRevision): object => {
    const { $patch, ...template } = (data as { spec: { template: { $patch?: string } } }).spec.template;
    return template;
  };
  const current = ours.filter((revision) => semanticEqual(templateIn(revision), set.spec.template));
  if (current.length !== 1) return [`have 1 revision of its template instead of ${current.length}`];
  const [first] = current as [ControllerRevision];
  const old = ours.filter((revision) => revision !== first);
  const highest = Math.max(0, ...old.map(({ revision }) => revision));
  const live = new Set(own.map(({ metadata }) => metadata.labels?.['controller-revision-hash']));
  const unused = old.filter(({ metadata }) => !live.has(metadata.labels?.['controller-revision-hash']));
  return [
    ...(first.revision <= highest ? [`number the revision ${first.metadata.name} above ${highest}`] : []),
    ...(old.length > (set.spec.revisionHistoryLimit ?? 10) && unused.length > 0
      ? [`delete ${unused.length} old revisions`]
      : []),
  ];
}

function dueStatus({ nodes, nowMs }: Snapshot, set: DaemonSet, own: readonly Pod[]): readonly string[] {
  const { minReadySeconds = 0, template } = set.spec;
  const image = template.spec?.containers[0]?.image;
  const onNode = (node: Node): readonly Pod[] => own.filter((pod) => targetOf(pod) === node.metadata.name);
  const desired = nodes.filter((node) => fits(set, node).starts);
  const running = desired.flatMap((node) => onNode(node).slice(0, 1));
  const available = running.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length;
  const generationOf = (pod: Pod): string | undefined => pod.metadata.labels?.['pod-template-generation'];
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'];
  const wanted: DaemonSet['status'] = {
    currentNumberScheduled: running.length,
    desiredNumberScheduled: desired.length,
    numberAvailable: available,
    numberMisscheduled: nodes.filter((node) => !desired.includes(node) && onNode(node).length > 0).length,
    numberReady: running.filter(isReady).length,
    numberUnavailable: desired.length - available,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: running.filter(
      (pod) => imageOf(pod) === image || generationOf(pod) === generation,
    ).length,
  };
  return Object.entries(wanted)
    .filter(([field, count]) => (set.status[field as keyof DaemonSet['status']] ?? 0) !== count)
    .map(([field, count]) => `report ${field}: ${count}`);
}
