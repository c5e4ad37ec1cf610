import type { ControllerRevision, Pod, StatefulSet } from '../../api/objects.ts';
import { controllerOf, hasEnded, isReady } from '../../api/predicates.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';

/** The stored objects of a run at some time. */
export interface Snapshot {
  readonly set: StatefulSet | undefined;
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  /** Ms since 1970. */
  readonly nowMs: number;
}

/** Returns the ordinals that a set wants, upwards. */
export function wantedOrdinals({ spec }: StatefulSet): readonly number[] {
  const start = spec.ordinals?.start ?? 0;
  return Array.from({ length: spec.replicas ?? 1 }, (_, i) => start + i);
}

/** Returns the ordinal of a pod of the set with the name `set`; undefined for any other pod. */
export function ordinalIn(set: string, { metadata: { name } }: Pod): number | undefined {
  const digits = name.startsWith(`${set}-`) ? name.slice(set.length + 1) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the lowest ordinal that an update replaces. */
export function partitionOf({ spec }: StatefulSet): number {
  return (spec.ordinals?.start ?? 0) + (spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

/** Returns whether a pod runs, is ready for long enough, and is not being deleted. */
export function isHealthy(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const { metadata, status } = pod;
  if (status.phase !== 'Running' || !isReady(pod) || metadata.deletionTimestamp !== undefined) return false;
  const since = status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  // The clock of its node may be wrong, which matters only to minReadySeconds.
  return minReadySeconds === 0 || Date.parse(since ?? '') + minReadySeconds * 1_000 <= nowMs;
}

/** Returns the image of a pod. */
export const imageOf = ({ spec }: Pick<Pod, 'spec'>): string | undefined => spec.containers[0]?.image;

/** Returns the image of a set's template. */
export const templateImage = ({ spec }: StatefulSet): string | undefined =>
  spec.template.spec?.containers[0]?.image;

/** Returns whether some pod becomes healthy just by waiting. */
export function isWaiting({ set, pods, nowMs }: Snapshot): boolean {
  return pods.some(
    (pod) =>
      set &&
      ordinalIn(set.metadata.name, pod) !== undefined &&
      !isHealthy(pod, set.spec.minReadySeconds ?? 0, nowMs),
  );
}

/** Returns the obligations of the controller in a snapshot, as phrases after "it has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  const { set, pods } = snapshot;
  if (!set) return [];
  const wanted = wantedOrdinals(set);
  const ordinal = (pod: Pod): number | undefined => ordinalIn(set.metadata.name, pod);
  const named = pods.filter((pod) => ordinal(pod) !== undefined);
  const own = named.filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
  return [
    ...named
      .filter((pod) => !controllerOf(pod) && !pod.metadata.deletionTimestamp)
      .map(({ metadata }) => `adopt ${metadata.name}`),
    ...wanted.flatMap((each) => dueFor(set, each, own)),
    ...own
      .filter((pod) => !wanted.includes(ordinal(pod) ?? -1))
      .map(({ metadata }) => `delete ${metadata.name}`),
    ...dueHistory(snapshot, set, own),
  ];
}

function dueFor(set: StatefulSet, ordinal: number, own: readonly Pod[]): readonly string[] {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = own.find(({ metadata }) => metadata.name === name);
  if (!pod) return [`create ${name}`];
  if (hasEnded(pod)) return [`replace ${name}, which is ${pod.status.phase}`];
  const isUpdated = imageOf(pod) === templateImage(set);
  const isRolling = set.spec.updateStrategy?.type === 'RollingUpdate' && ordinal >= partitionOf(set);
  return isRolling && !isUpdated ? [`replace ${name} by a pod with ${templateImage(set)}`] : [];
}

function dueHistory(
  { revisions, nowMs }: Snapshot,
  set: StatefulSet,
  own: readonly Pod[],
): readonly string[] {
  const ours = revisions.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === set.metadata.uid);
  const templateIn = ({ data }: ControllerRevision): object => {
    const { $patch, ...template } = (data as { spec: { template: { $patch?: string } } }).spec.template;
    return template;
  };
  const equal = ours.filter((revision) => semanticEqual(templateIn(revision), set.spec.template));
  if (equal.length !== 1) return [`have 1 revision of its template instead of ${equal.length}`];
  const [update] = equal as [ControllerRevision];
  const highest = Math.max(0, ...ours.filter((each) => each !== update).map(({ revision }) => revision));
  const live = new Set([
    update.metadata.name,
    set.status.currentRevision,
    ...own.map(({ metadata }) => metadata.labels?.['controller-revision-hash']),
  ]);
  const limit = set.spec.revisionHistoryLimit ?? 10;
  const unused = ours.filter(({ metadata }) => !live.has(metadata.name));
  return [
    ...(update.revision <= highest ? [`number the revision ${update.metadata.name} above ${highest}`] : []),
    ...(unused.length > limit ? [`delete ${unused.length - limit} old revisions`] : []),
    ...dueStatus(set, { update: update.metadata.name, own, nowMs }),
  ];
}

function dueStatus(
  set: StatefulSet,
  { update, own, nowMs }: { readonly update: string; readonly own: readonly Pod[]; readonly nowMs: number },
): readonly string[] {
  const { status, spec } = set;
  const of = (revision: string | undefined): number =>
    own.filter(({ metadata }) => metadata.labels?.['controller-revision-hash'] === revision).length;
  const isComplete =
    spec.updateStrategy?.type === 'RollingUpdate' &&
    of(update) === spec.replicas &&
    own.length === spec.replicas;
  const current = isComplete ? update : status.currentRevision;
  const wanted: StatefulSet['status'] = {
    availableReplicas: own.filter((pod) => isHealthy(pod, spec.minReadySeconds ?? 0, nowMs)).length,
    ...(current === undefined ? {} : { currentRevision: current }),
    currentReplicas: of(current),
    observedGeneration: set.metadata.generation ?? 0,
    readyReplicas: own.filter(isReady).length,
    replicas: own.length,
    updateRevision: update,
    updatedReplicas: of(update),
  };
  return Object.entries(wanted)
    .filter(([field, value]) => (status[field as keyof StatefulSet['status']] ?? 0) !== value)
    .map(([field, value]) => `report ${field}: ${value}`);
}
