import type * as core from '#api/core/v1';
import { deepEqual } from '../../../api/freeze.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistory } from '../../../testing/rig/object-history.ts';
import { isUndisturbed, knownVersions, type NodeHistory, readyOf, viewOf } from '../history.ts';
import { EVICTION, LIFECYCLE } from '../operations.ts';
import { executeTaints, NOT_READY, nameOfTaint, UNREACHABLE } from '../oracle/taints.ts';
import { toleratedMs } from '../oracle/tolerations.ts';
import { type Law, seconds } from './owed.ts';
import { KNOWN_MS } from './taints.ts';

/** A write of a controller to an existing pod. */
type Change = JournalEntry<Pod> & { readonly previous: Pod };

function changesIn(history: NodeHistory, process: string): readonly Change[] {
  return viewOf(history).pods.filter(
    (entry): entry is Change => entry.actor === process && entry.previous !== undefined,
  );
}

const conditionIn = ({ status }: Pod, type: string): core.PodCondition | undefined =>
  status.conditions?.find((condition) => condition.type === type);

/** Returns the writes that mark a pod as not ready: a pod that was ready, or had not reported yet. */
export function marksIn(history: NodeHistory): readonly Change[] {
  return changesIn(history, LIFECYCLE).filter(({ object, previous }) => {
    const [is, was] = [object, previous].map((pod) => conditionIn(pod, 'Ready')?.status);
    return is !== undefined && is !== 'True' && is !== was;
  });
}

/**
 * Safety. The controller marks a pod as not ready only if its node was silent in a state that it can have known. A kubelet
 * that reports that its node is not ready also reports its pods.
 */
export const marksJustified: Law = (history) =>
  marksIn(history).flatMap(({ atMs, object }): readonly Violation[] => {
    const { nodeName = '' } = object.spec;
    const node = viewOf(history).nodesByName.of(nodeName);
    const versions = knownVersions(history, LIFECYCLE, node, { atMs, withinMs: KNOWN_MS });
    if (versions.some((version) => readyOf(version)?.status === 'Unknown')) return [];
    const { name } = object.metadata;
    return [
      {
        atMs,
        message: `the controller set Ready of ${name} to False, but the kubelet of ${nodeName} was not silent`,
        object: name,
      },
    ];
  });

/** Safety. The lifecycle controller changes only the condition Ready of a pod, the eviction controller DisruptionTarget. */
export const touchesLittle: Law = (history) =>
  (
    [
      [LIFECYCLE, 'Ready'],
      [EVICTION, 'DisruptionTarget'],
    ] as const
  ).flatMap(([process, own]) =>
    changesIn(history, process).flatMap(({ atMs, type, object, previous }): readonly Violation[] => {
      const { name } = object.metadata;
      if (process === LIFECYCLE && (type === 'DELETED' || isDeletion(object, previous)))
        return [{ atMs, message: `${process} deleted ${name}`, object: name }];
      if (type === 'DELETED') return [];
      const [is, was] = [foreignParts(object, own), foreignParts(previous, own)];
      return Object.keys(was)
        .filter((part) => !deepEqual(is[part], was[part]))
        .map((part) => ({
          atMs,
          message: `${process} changed the ${part} of ${name} from ${JSON.stringify(was[part])} to ${JSON.stringify(is[part])}`,
          object: name,
        }));
    }),
  );

function foreignParts({ metadata, spec, status }: Pod, own: string): Readonly<Record<string, unknown>> {
  const { conditions = [], observedGeneration: _, ...rest } = status;
  return {
    labels: metadata.labels ?? {},
    finalizers: metadata.finalizers ?? [],
    spec,
    status: rest,
    conditions: conditions
      .filter(({ type }) => type !== own)
      .map(({ type, status }) => `${type} ${status}`)
      .sort(),
  };
}

function isDeletion({ metadata }: Pod, previous: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && previous.metadata.deletionTimestamp === undefined;
}

/** Returns the writes that delete a pod, or begin to delete it. */
export function evictionsIn(history: NodeHistory): readonly Change[] {
  return changesIn(history, EVICTION).filter(
    ({ type, object, previous }) =>
      isDeletion(object, previous) ||
      (type === 'DELETED' && previous.metadata.deletionTimestamp === undefined),
  );
}

/**
 * Safety. The controller deletes a pod only if its node has a `NoExecute` taint that the pod does not tolerate, or has
 * tolerated for as long as it does. A state counts that the controller can have known. A pod that is deleted in the place
 * of another pod belongs to {@link respectsUid}.
 */
export const tolerant: Law = (history) =>
  evictionsIn(history).flatMap(({ atMs, previous }): readonly Violation[] => {
    const why = whyNotYet(history, previous, atMs);
    if (why === undefined || meantInstead(history, previous, atMs)) return [];
    return [{ atMs, message: why, object: previous.metadata.name }];
  });

/** A taint that comes back this soon has not gone: the controller need not have seen the gap. */
const GAP_MS = 2_000;
/** Timers are exact, and requests are not early. */
const EXACT_MS = 50;

/** A time in which the node of a pod has certain `NoExecute` taints, and the pod certain tolerations. */
interface Stay {
  readonly toMs: number;
  readonly taints: readonly {
    readonly taint: core.Taint;
    /** Since when the pod is on the node with this taint, without a gap. */
    readonly sinceMs: number;
    /** As {@link sinceMs}, whatever the gaps. */
    readonly firstMs: number;
    readonly limitMs: number;
  }[];
}

function whyNotYet(history: NodeHistory, { metadata, spec }: Pod, atMs: number): string | undefined {
  const { name, uid } = metadata;
  const pod = viewOf(history).podsByUid.of(uid);
  if (!pod) return undefined;
  const isCalm = (fromMs: number): boolean => isUndisturbed(history, EVICTION, fromMs, atMs);
  const stays = staysOf(history, pod, atMs);
  const known = stays.filter(({ toMs }) => toMs >= atMs - KNOWN_MS || !isCalm(toMs));
  const taints = known.flatMap((stay) => stay.taints);
  const isDue = taints.some(({ sinceMs, firstMs, limitMs }) => {
    // A controller that missed a removal counts from an earlier taint.
    const startMs = isCalm(sinceMs - GAP_MS) ? sinceMs : firstMs;
    return atMs >= startMs + limitMs - EXACT_MS;
  });
  if (isDue) return undefined;
  const last = taints.filter(({ limitMs }) => Number.isFinite(limitMs)).at(-1);
  if (!last)
    return `the controller deleted ${name}, but ${spec.nodeName} has no NoExecute taint that ${name} does not tolerate`;
  const stayed = `${seconds(atMs - last.sinceMs)} after ${spec.nodeName} got the taint ${nameOfTaint(last.taint)}`;
  return `the controller deleted ${name} ${stayed}, which ${name} tolerates for ${last.limitMs / 1_000} s`;
}

/** Returns the stays of a pod until a time, oldest first. A deleted Node counts as its last version. */
function staysOf(history: NodeHistory, pod: ObjectHistory<Pod>, atMs: number): readonly Stay[] {
  const node = viewOf(history).nodesByName.of(pod.last.spec.nodeName);
  const bornMs = pod.versions[0]?.atMs ?? 0;
  const times = [...pod.versions, ...(node?.versions ?? [])].flatMap((version) =>
    version.atMs < atMs ? [Math.max(version.atMs, bornMs)] : [],
  );
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const seen = new Map<string, { sinceMs: number; firstMs: number; lastMs: number }>();
  return sorted.map((fromMs, i): Stay => {
    const toMs = sorted[i + 1] ?? atMs;
    const { tolerations } = (pod.atMs(fromMs) ?? pod.last).spec;
    const taints = executeTaintsAt(node, fromMs).map((taint) => {
      const id = identityOf(taint);
      const before = seen.get(id);
      const isSame = before !== undefined && fromMs - before.lastMs <= GAP_MS;
      const times = {
        sinceMs: isSame ? before.sinceMs : fromMs,
        firstMs: before?.firstMs ?? fromMs,
        lastMs: toMs,
      };
      seen.set(id, times);
      return { taint, ...times, limitMs: toleratedMs([taint], tolerations) };
    });
    return { toMs, taints };
  });
}

/** One of the two taints of a node that is not ready follows the other: a controller may count from the first. */
function identityOf({ key }: core.Taint): string {
  return key === NOT_READY ? UNREACHABLE : key;
}

/** Returns the taints of the last version until a time, and of any other version of that time. */
function executeTaintsAt(node: ObjectHistory<Node> | undefined, atMs: number): readonly core.Taint[] {
  const versions = node?.versions.filter(({ object }) => object !== undefined) ?? [];
  const last = versions.findLast((version) => version.atMs <= atMs);
  const taints = versions
    .filter((version) => version === last || version.atMs === atMs)
    .flatMap(({ object }) => executeTaints(object as Node));
  return taints.filter(
    (taint, i) => taints.findIndex((each) => nameOfTaint(each) === nameOfTaint(taint)) === i,
  );
}

/**
 * Safety. Before a pod is deleted, its status explains why; it keeps its grace period. A pod that is deleted in the place of
 * another pod belongs to {@link respectsUid}.
 */
export const explains: Law = (history) =>
  evictionsIn(history).flatMap(({ atMs, type, object, previous }): readonly Violation[] => {
    const { name } = object.metadata;
    if (whyNotYet(history, previous, atMs) !== undefined && meantInstead(history, previous, atMs)) return [];
    const { status, reason } = conditionIn(previous, 'DisruptionTarget') ?? {};
    if (status !== 'True' || reason !== 'DeletionByTaintManager') {
      const message = `the controller deleted ${name} without the condition DisruptionTarget, reason DeletionByTaintManager`;
      return [{ atMs, message, object: name }];
    }
    // The apiserver gives no time to a pod that has ended.
    const grace = hasEnded(object) ? 0 : (object.spec.terminationGracePeriodSeconds ?? 30);
    if (type === 'DELETED' || object.metadata.deletionGracePeriodSeconds === grace) return [];
    const given = object.metadata.deletionGracePeriodSeconds;
    return [
      {
        atMs,
        message: `the controller gave ${name} ${given} s to stop; its own grace period is ${grace} s`,
        object: name,
      },
    ];
  });

/** Returns the writes that explain the deletion of a pod. */
function explanationsIn(history: NodeHistory): readonly Change[] {
  const isMarked = (pod: Pod): boolean => conditionIn(pod, 'DisruptionTarget')?.status === 'True';
  return changesIn(history, EVICTION).filter(
    ({ object, previous }) => isMarked(object) && !isMarked(previous),
  );
}

/** Safety. The controller deletes and marks no pod in the place of an earlier pod of its name. */
export const respectsUid: Law = (history) => {
  const check =
    (done: string) =>
    ({ atMs, previous }: Change): readonly Violation[] => {
      if (whyNotYet(history, previous, atMs) === undefined) return [];
      const { name, uid } = previous.metadata;
      const meant = meantInstead(history, previous, atMs);
      if (!meant) return [];
      const message = `the controller ${done} ${name} with the uid ${uid}, but its decision was about the earlier ${name} with the uid ${meant.metadata.uid}`;
      return [{ atMs, message, object: name }];
    };
  return [
    ...explanationsIn(history).flatMap(check('set the condition DisruptionTarget of')),
    ...evictionsIn(history).flatMap(check('deleted')),
  ];
};

/** Returns the earlier pod of the name that a controller would evict at this time, if it does not know that it is gone. */
function meantInstead(history: NodeHistory, pod: Pod, atMs: number): Pod | undefined {
  const pods = viewOf(history).podsByUid.all.map(({ last }) => last);
  const i = pods.findIndex(({ metadata }) => metadata.uid === pod.metadata.uid);
  const earlier = pods.slice(0, Math.max(0, i)).findLast((each) => haveSameName(each, pod));
  return earlier && whyNotYet(history, earlier, atMs) === undefined ? earlier : undefined;
}

function haveSameName({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  return a.namespace === b.namespace && a.name === b.name;
}

/** Returns the names that several pods of a namespace had, one after the other. */
export function reusedNames(history: NodeHistory): ReadonlySet<string> {
  const pods = viewOf(history).podsByUid.all.map(({ last }) => last);
  const reused = pods.filter((pod, i) => pods.findIndex((each) => haveSameName(each, pod)) !== i);
  return new Set(reused.map(({ metadata }) => metadata.name));
}
