import type { Node, Pod } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Violation } from '../../testing/holds.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';
import type { Attempt, Known, SchedulerHistory } from './history.ts';
import { PROCESS } from './step.ts';

/** Reads a history; empty when the law holds. */
export type Law = (history: SchedulerHistory) => readonly Violation[];

/** A request to bind a pod, and the time that the filters were asked about it before. */
export interface Decision {
  readonly request: RecordedRequest;
  readonly attempt: Attempt | undefined;
  /** Which pod was meant, as far as can be told. */
  readonly uid: string | undefined;
  /** What the scheduler had been told for certain when it decided this. */
  readonly told: Known;
}

/**
 * Every request to bind a pod, in order.
 *
 * How laws read a history: which decision a write comes of, and what the scheduler can have known when it took it.
 */
export function decisionsOf({ requests, attempts, told }: SchedulerHistory): readonly Decision[] {
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

/** Every pod that the scheduler has bound, with the decision that it comes of. */
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

/** What the scheduler wrote to pods. */
export function podWritesOf({ journal }: SchedulerHistory): readonly JournalEntry<Pod>[] {
  return journal.filter(
    ({ actor, resource }) => actor === PROCESS && resource.plural === 'pods',
  ) as unknown as readonly JournalEntry<Pod>[];
}

/** All that has been written to pods and nodes, by any client. */
export function changesOf({ journal }: SchedulerHistory): readonly JournalEntry<Pod | Node>[] {
  return journal.filter(
    ({ resource }) => resource.plural === 'pods' || resource.plural === 'nodes',
  ) as unknown as readonly JournalEntry<Pod | Node>[];
}

/** What a scheduler that has been told so much may take a pod for at a moment. */
export function versionsOf(
  { pods }: SchedulerHistory,
  uid: string,
  told: number,
  atMs: number,
): readonly (Pod | undefined)[] {
  const now = pods.of(uid)?.versions.findLast((version) => version.atMs <= atMs);
  return pods.between(uid, told, now?.revision ?? told);
}

/** The node that a pod was to be bound to; absent for a request that is no bind. */
export function nodeOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'bind' ? request.nodeName : undefined;
}

/** The uid of the pod that was to be bound, if the request gives it. */
function uidOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'bind' ? request.options.uid : undefined;
}

/** Was the answer to this request a plain no? `undefined` is a yes, or none. */
export function reasonOf({ error }: RecordedRequest): string | undefined {
  if (error === undefined) return undefined;
  const { reason, code, name } = error as { reason?: unknown; code?: unknown; name?: unknown };
  const said = [reason, code, name].find((word) => typeof word === 'string');
  return (said as string | undefined) ?? 'Error';
}

/** An error after which it is not known whether it was done. */
export function isUnknown(request: RecordedRequest): boolean {
  const reason = reasonOf(request);
  return reason === 'Timeout' || reason === 'ETIMEDOUT' || reason === 'ECONNRESET';
}

/** The name of a pod. */
export function podName({ metadata }: Pod): string {
  return metadata.name;
}

/** A time in words: `1.5 s` for 1500. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
