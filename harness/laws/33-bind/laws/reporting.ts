import type { Event, Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { Attempt, SchedulerHistory } from '../history/index.ts';
import { bindingsOf, decisionsOf, type Law, podName, podWritesOf, seconds } from '../history/reading.ts';
import { PROCESS } from '../operations.ts';
import { isWaiting } from '../oracle/truth.ts';
import { whimOf } from '../simulation/filters.ts';

const NO_NODES = 'no nodes available to schedule pods';
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go truncateMessage */
const MESSAGE_MAX = 1_024;
/** Without faults, the result of an attempt is written within this time. */
const WRITTEN_AFTER_MS = 5_000;
/** Events are sent one at a time; this long after the last fault, none is blocked any longer. */
const UNSTUCK_MS = 90_000;

/**
 * Reports of the scheduler are true: PodScheduled is False only for a pod without a node, and has the message of the filters;
 * the event `Scheduled` names the node of the pod; `FailedScheduling` follows a failed attempt. Without faults, none of them
 * is missing.
 */
export const tellsTheTruth: Law = (history) => [
  ...conditions(history),
  ...toldEvents(history),
  ...keepsItBack(history),
];

type Condition = NonNullable<Pod['status']['conditions']>[number];

function conditionOf(pod: Pod | undefined): Condition | undefined {
  return pod?.status.conditions?.find(({ type }) => type === 'PodScheduled');
}

function conditions(history: SchedulerHistory): readonly Violation[] {
  return podWritesOf(history).flatMap(({ verb, object, previous, atMs }) => {
    const [before, after] = [conditionOf(previous), conditionOf(object)];
    if (verb === 'bind' || !after || JSON.stringify(before) === JSON.stringify(after)) return [];
    const why = lieOf(history, object, after, atMs);
    const said = `${after.status}, ${after.reason}: "${after.message}"`;
    const name = podName(object);
    return why
      ? [{ atMs, message: `the scheduler set PodScheduled of ${name} to ${said}; but ${why}`, object: name }]
      : [];
  });
}

function lieOf(
  history: SchedulerHistory,
  pod: Pod,
  { status, reason, message = '' }: Condition,
  atMs: number,
): string | undefined {
  if (status !== 'False') return 'the server sets True, when the pod is bound';
  if (pod.spec.nodeName) return `the pod is already on ${pod.spec.nodeName}`;
  if (reason === 'SchedulerError') {
    return hasFailed(history, pod, atMs) ? undefined : 'nothing failed';
  }
  if (reason !== 'Unschedulable') return 'the reason must be Unschedulable or SchedulerError';
  if (message === NO_NODES) return hadNoNodes(history, atMs) ? undefined : 'the cluster had nodes';
  if (message.startsWith('0/0 ')) return `in a cluster without nodes the message must be "${NO_NODES}"`;
  const said = rejectionsOf(history, pod.metadata.uid, atMs).map((attempt) => attempt.message());
  if (said.includes(message)) return undefined;
  return said.length === 0 ? 'no filter rejected the pod' : `the filters said: "${said.at(-1)}"`;
}

function rejectionsOf({ attempts }: SchedulerHistory, uid: string, atMs: number): readonly Attempt[] {
  return attempts.filter(
    (attempt) => attempt.pod.metadata.uid === uid && attempt.atMs <= atMs && attempt.feasible.length === 0,
  );
}

/** Reports whether a bind of the pod has failed, or a filter has thrown. */
function hasFailed(history: SchedulerHistory, pod: Pod, atMs: number): boolean {
  const { metadata } = pod;
  if (whimOf(pod) === 'erring') return true;
  return decisionsOf(history).some(
    ({ request, uid }) =>
      (uid ?? metadata.uid) === metadata.uid &&
      request.error !== undefined &&
      (request.answeredMs ?? Number.POSITIVE_INFINITY) <= atMs,
  );
}

/** Reports whether some state of the nodes that the scheduler can have known was empty. */
function hadNoNodes({ nodes, journal, told }: SchedulerHistory, atMs: number): boolean {
  const since = told.at(atMs - WRITTEN_AFTER_MS).nodes;
  const revisions = journal
    .filter((entry) => entry.resource.plural === 'nodes' && entry.revision > since && entry.atMs <= atMs)
    .map(({ revision }) => revision);
  return [since, ...revisions].some((revision) => nodes.allAt(revision).length === 0);
}

function eventsOf({ journal }: SchedulerHistory): readonly JournalEntry<Event>[] {
  return journal.filter(
    ({ actor, resource }) => actor === PROCESS && resource.plural === 'events',
  ) as unknown as readonly JournalEntry<Event>[];
}

function toldEvents(history: SchedulerHistory): readonly Violation[] {
  return eventsOf(history).flatMap(({ object, atMs }) => {
    const { reason, involvedObject, message = '' } = object;
    const uid = involvedObject.uid ?? '';
    const why =
      reason === 'Scheduled'
        ? notOn(history, uid, message, atMs)
        : reason === 'FailedScheduling'
          ? notFailed(history, uid, message, atMs)
          : undefined;
    const { name } = involvedObject;
    if (!why) return [];
    const told = `the scheduler emitted the event ${reason} about ${name}, "${message}"; but ${why}`;
    return [{ atMs, message: told, ...(name !== undefined && { object: name }) }];
  });
}

function notOn({ pods }: SchedulerHistory, uid: string, message: string, atMs: number): string | undefined {
  const on = pods.of(uid)?.versions.find((version) => version.atMs <= atMs && version.object?.spec.nodeName)
    ?.object?.spec.nodeName;
  if (!on) return 'the pod has no node';
  return message.endsWith(` ${on}`) ? undefined : `the pod is on ${on}`;
}

function notFailed(
  history: SchedulerHistory,
  uid: string,
  message: string,
  atMs: number,
): string | undefined {
  const said = message.replace('(combined from similar events): ', '');
  if (!/^\d+\/\d+ nodes are available/.test(said)) return undefined;
  const rejections = rejectionsOf(history, uid, atMs);
  if (rejections.some((attempt) => isCut(attempt.message(), said))) return undefined;
  const last = rejections.at(-1);
  return last ? `the filters said: "${last.message()}"` : 'no filter rejected the pod';
}

function isCut(message: string, said: string): boolean {
  return said === message || (message.length > MESSAGE_MAX && message.startsWith(said.slice(0, -4)));
}

/** Without faults, nothing prevents a report. */
function keepsItBack(history: SchedulerHistory): readonly Violation[] {
  const { restedMs, quietMs, healedMs } = history;
  if (restedMs === undefined) return [];
  const untilMs = quietMs.to - WRITTEN_AFTER_MS;
  const unstuckMs = Math.max(restedMs, healedMs + UNSTUCK_MS);
  const told = eventsOf(history);
  const tells = (uid: string, reason: string): boolean =>
    told.some(({ object }) => object.reason === reason && object.involvedObject.uid === uid);
  const silent: Violation[] = [];
  for (const { entry } of bindingsOf(history)) {
    const { atMs, object } = entry;
    if (atMs < unstuckMs || atMs > untilMs || tells(object.metadata.uid, 'Scheduled')) continue;
    const name = podName(object);
    silent.push({
      atMs,
      message: `the scheduler bound ${name}, but emitted no event Scheduled about it`,
      object: name,
    });
  }
  for (const attempt of lastAttempts(history)) {
    const { atMs, pod, feasible } = attempt;
    const { uid } = pod.metadata;
    const now = history.pods.of(uid)?.atMs(atMs + WRITTEN_AFTER_MS);
    if (feasible.length > 0 || atMs < restedMs || atMs > untilMs || !now || !isWaiting(now)) continue;
    const condition = conditionOf(now);
    if (condition?.message !== attempt.message()) {
      const is = condition ? `"${condition.message}"` : 'missing';
      silent.push({
        atMs: atMs + WRITTEN_AFTER_MS,
        message: `filters rejected ${podName(pod)} with "${attempt.message()}"; ${seconds(WRITTEN_AFTER_MS)} later the message of its PodScheduled is ${is}`,
        object: podName(pod),
      });
    }
    if (atMs >= unstuckMs && !tells(uid, 'FailedScheduling')) {
      silent.push({
        atMs: atMs + WRITTEN_AFTER_MS,
        message: `filters rejected ${podName(pod)} on all nodes, but the scheduler emitted no event FailedScheduling about it`,
        object: podName(pod),
      });
    }
  }
  return silent;
}

/** Returns the last attempt of each pod. */
function lastAttempts({ attempts }: SchedulerHistory): readonly Attempt[] {
  return [...new Map(attempts.map((attempt) => [attempt.pod.metadata.uid, attempt])).values()];
}
