import { deepEqual } from '../../../api/freeze.ts';
import type { Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import type { NodeInfo } from '../../../contracts/framework/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { ObjectHistories } from '../../../testing/rig/object-history.ts';
import { type RecordedRequest, THOUGHT_MS } from '../../../testing/rig/recorder.ts';
import type { Attempt, SchedulerHistory } from '../history/index.ts';
import { decisionsOf, type Law, nodeOf, podName, reasonOf } from '../history/reading.ts';

/**
 * Without faults, the cache is true: each snapshot has exactly the nodes of the cluster, each with exactly its pods, in their current
 * versions.
 */
export const cacheIsTrue: Law = (history) =>
  errorsOf(history).flatMap(({ undone, ...violation }) => (undone ? [] : [violation]));

/** A pod that could not be bound takes up no room, once that is known. */
export const forgetsWhatFailed: Law = (history) =>
  errorsOf(history).flatMap(({ undone, ...violation }) => (undone ? [violation] : []));

/** A difference between a snapshot and the cluster. */
interface Untruth extends Violation {
  /** The difference is a failed bind that was not forgotten. */
  readonly undone: boolean;
}

/** Returns the differences between snapshots without faults and every state of the cluster just before them. */
function errorsOf(history: SchedulerHistory): readonly Untruth[] {
  return history.attempts
    .filter(({ atMs }) => atMs >= history.calmMs)
    .flatMap((attempt) => [
      ...untrueNodes(history, attempt),
      ...attempt.nodeInfos.flatMap((info) => untruePods(history, attempt, info)),
    ]);
}

/** @param object - The name of the pod or node that differs. */
function untruth({ atMs, pod }: Attempt, object: string, what: string, undone = false): Untruth {
  return {
    atMs,
    message: `when the scheduler looked for a node for ${podName(pod)}, its snapshot ${what}`,
    object,
    undone,
  };
}

function untrueNodes({ nodes }: SchedulerHistory, attempt: Attempt): readonly Untruth[] {
  const { atMs, nodeInfos } = attempt;
  const known = new Set(nodeInfos.map(({ name }) => name));
  return nodes.all.flatMap((node) => {
    const { id: name } = node;
    const states = node.duringMs(atMs - THOUGHT_MS, atMs);
    if (known.has(name)) {
      return states.some(Boolean) ? [] : [untruth(attempt, name, `had ${name}, which does not exist`)];
    }
    return states.every(Boolean) ? [untruth(attempt, name, `lacked the node ${name}`)] : [];
  });
}

function untruePods(
  history: SchedulerHistory,
  attempt: Attempt,
  { name, pods: there }: NodeInfo,
): readonly Untruth[] {
  const { pods } = history;
  const { atMs } = attempt;
  const counted = new Map(there.map(({ pod }) => [pod.metadata.uid, pod]));
  const twice = counted.size < there.length ? [untruth(attempt, name, `counted a pod on ${name} twice`)] : [];
  const wrong = pods.all.flatMap((past) => {
    const { id: uid } = past;
    const states = past.duringMs(atMs - THOUGHT_MS, atMs);
    const was = states.map((pod) => pod?.spec.nodeName === name && !hasEnded(pod));
    const who = podName(past.last);
    const copy = counted.get(uid);
    if (!copy) {
      return was.every(Boolean) ? [untruth(attempt, who, `did not count ${who}, which is on ${name}`)] : [];
    }
    if (isOnItsWay(history, attempt, uid)) return [];
    if (was.some(Boolean)) {
      if (states.some((pod) => pod && deepEqual(placingParts(pod), placingParts(copy)))) return [];
      const { resourceVersion } = copy.metadata;
      const now = past.versions.findLast((version) => version.atMs <= atMs - THOUGHT_MS)?.revision;
      return [
        untruth(
          attempt,
          who,
          `counted ${who} on ${name} as of revision ${resourceVersion}, although its informer had reported revision ${now}: replace the assumed pod with the version that the informer shows`,
        ),
      ];
    }
    const failed = failureOf(history, attempt, uid, name);
    const why = failed
      ? `its bind failed (${reasonOf(failed)} at ${failed.answeredMs} ms): forget the assumed pod`
      : whyElsewhere(past.versions, atMs);
    return [untruth(attempt, who, `counted ${who} on ${name}, but ${why}`, failed !== undefined)];
  });
  return [...twice, ...wrong];
}

/** Returns the parts of a pod on a node that decide where other pods can go. */
function placingParts({ metadata, spec }: Pod) {
  return { labels: metadata.labels, deletionTimestamp: metadata.deletionTimestamp, spec };
}

/** Explains where a pod is that a snapshot counts on a node. */
function whyElsewhere(versions: ObjectHistories<Pod>['all'][number]['versions'], atMs: number): string {
  const last = versions.findLast((version) => version.atMs <= atMs);
  if (!last) return 'the pod was not created yet';
  if (!last.object) return `the pod was deleted at ${last.atMs} ms: remove it when its informer reports that`;
  const { spec, status } = last.object;
  if (hasEnded(last.object)) {
    return `the pod is ${status.phase} since ${last.atMs} ms: a pod that has ended takes up no room`;
  }
  return spec.nodeName ? `the pod is on ${spec.nodeName}` : 'the pod has no node';
}

/** Reports whether the scheduler has just tried the pod or waits for its bind: then the pod may be assumed on a node. */
function isOnItsWay(history: SchedulerHistory, { incarnation, atMs }: Attempt, uid: string): boolean {
  const sinceMs = atMs - THOUGHT_MS;
  const bind = lastBind(history, incarnation, uid, atMs);
  return (
    (bind !== undefined && (bind.answeredMs ?? Number.POSITIVE_INFINITY) > sinceMs) ||
    history.attempts.some(
      (other) => other.pod.metadata.uid === uid && other.atMs >= sinceMs && other.atMs <= atMs,
    )
  );
}

function failureOf(
  history: SchedulerHistory,
  { incarnation, atMs }: Attempt,
  uid: string,
  node: string,
): RecordedRequest | undefined {
  const bind = lastBind(history, incarnation, uid, atMs);
  return bind && nodeOf(bind) === node && bind.error !== undefined ? bind : undefined;
}

function lastBind(
  history: SchedulerHistory,
  incarnation: number,
  uid: string,
  atMs: number,
): RecordedRequest | undefined {
  return decisionsOf(history).findLast(
    (decision) =>
      decision.uid === uid && decision.request.incarnation === incarnation && decision.request.sentMs <= atMs,
  )?.request;
}
