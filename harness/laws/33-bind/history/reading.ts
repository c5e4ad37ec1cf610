import type { Node, Pod } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import { PROCESS } from '../operations.ts';
import type { Attempt, Known, SchedulerHistory } from './index.ts';

/** Reads a history and returns its violations. */
export type Law = (history: SchedulerHistory) => readonly Violation[];

/** A request to bind a pod, and the attempt that led to it. */
export interface Decision {
  readonly request: RecordedRequest;
  readonly attempt: Attempt | undefined;
  /** The uid of the pod, if it is known. */
  readonly uid: string | undefined;
  /** The revisions that the scheduler had certainly observed at the decision. */
  readonly told: Known;
}

const decisions = new WeakMap<SchedulerHistory, readonly Decision[]>();

/** Returns every request to bind a pod, in order. */
export function decisionsOf(history: SchedulerHistory): readonly Decision[] {
  const known = decisions.get(history) ?? findDecisions(history);
  decisions.set(history, known);
  return known;
}

function findDecisions({ requests, attempts, told }: SchedulerHistory): readonly Decision[] {
  return requests
    .filter(({ verb }) => verb === 'bind')
    .map((request) => {
      const uid = uidOf(request);
      const attempt = attempts.findLast(
        ({ incarnation, as, pod }) =>
          incarnation === request.incarnation &&
          as < request.sentAs &&
          (uid ? pod.metadata.uid === uid : pod.metadata.name === request.name),
      );
      return {
        request,
        attempt,
        uid: uid ?? attempt?.pod.metadata.uid,
        told: told.atThought(attempt?.atMs ?? request.sentMs),
      };
    });
}

/** Returns every successful bind of the scheduler, with its decision. */
export function bindingsOf(history: SchedulerHistory): readonly {
  readonly entry: JournalEntry<Pod>;
  readonly node: string;
  readonly decision: Decision;
}[] {
  const decisions = decisionsOf(history);
  return podWritesOf(history).flatMap((entry) => {
    const node = entry.object.spec.nodeName;
    if (entry.verb !== 'bind' || !node) return [];
    const decision = decisions.findLast(
      ({ request }) =>
        request.name === entry.object.metadata.name &&
        nodeOf(request) === node &&
        request.sentMs <= entry.atMs,
    );
    return decision ? [{ entry, node, decision }] : [];
  });
}

/** Returns the writes of the scheduler to pods. */
export function podWritesOf({ journal }: SchedulerHistory): readonly JournalEntry<Pod>[] {
  return journal.filter(
    ({ actor, resource }) => actor === PROCESS && resource.plural === 'pods',
  ) as unknown as readonly JournalEntry<Pod>[];
}

/** Returns the writes of all clients to pods and nodes. */
export function changesOf({ journal }: SchedulerHistory): readonly JournalEntry<Pod | Node>[] {
  return journal.filter(
    ({ resource }) => resource.plural === 'pods' || resource.plural === 'nodes',
  ) as unknown as readonly JournalEntry<Pod | Node>[];
}

/** Returns the versions of a pod that a scheduler which has observed revision `told` may have at a moment. */
export function versionsOf(
  { pods }: SchedulerHistory,
  uid: string,
  told: number,
  atMs: number,
): readonly (Pod | undefined)[] {
  const now = pods.of(uid)?.versions.findLast((version) => version.atMs <= atMs);
  return pods.between(uid, told, now?.revision ?? told);
}

/** Returns the node of a bind request; undefined for other requests. */
export function nodeOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'bind' ? request.nodeName : undefined;
}

/** Returns the uid in a bind request, if it has one. */
function uidOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'bind' ? request.options.uid : undefined;
}

/** Returns the reason of a failed request; undefined if it succeeded or has no response. */
export function reasonOf({ error }: RecordedRequest): string | undefined {
  if (error === undefined) return undefined;
  const { reason, code, name } = error as { reason?: unknown; code?: unknown; name?: unknown };
  const said = [reason, code, name].find((word) => typeof word === 'string');
  return (said as string | undefined) ?? 'Error';
}

/** Reports whether a request ended with an error that leaves its outcome unknown. */
export function isUnknown(request: RecordedRequest): boolean {
  const reason = reasonOf(request);
  return reason === 'Timeout' || reason === 'ETIMEDOUT' || reason === 'ECONNRESET';
}

/** Returns the name of a pod. */
export function podName({ metadata }: Pod): string {
  return metadata.name;
}

/** Formats a time: `1.5 s` for 1500. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
