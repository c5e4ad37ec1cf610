import type { Job } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { expiryOf } from './oracle.ts';
import { PROCESS } from './scenario.ts';
import type { TtlHistory } from './simulation.ts';

/** A decision is based on a state that was true up to this long before its write. */
const LATE_MS = 1_000;

/** Safety: no Job is deleted before it expires, and none without a limit. */
export const neverEarly: Law<TtlHistory> = lawAbout(
  { name: 'an expired Job', isMet: (history) => deletions(history).length > 0 },
  (history) =>
    deletions(history).flatMap((entry): Violation[] => {
      const nowMs = history.epochMs + entry.atMs;
      const isExpired = statesBefore(history, entry).some((job) => {
        const expiry = expiryOf(job);
        return expiry !== undefined && expiry <= nowMs;
      });
      if (isExpired) return [];
      const { name } = entry.object.metadata;
      const expiry = expiryOf(entry.previous ?? entry.object);
      const why = expiry === undefined ? 'it must not expire' : `it expires ${expiry - nowMs} ms later`;
      return [{ atMs: entry.atMs, message: `${name} is deleted, although ${why}`, object: name }];
    }),
);

/** Safety: Jobs are deleted by uid, after their pods. */
export const gentle: Law<TtlHistory> = ({ requests }) =>
  requests.flatMap(({ verb, name = '', request, sentMs }): Violation[] => {
    if (verb !== 'delete') return [];
    const { options } = request as {
      readonly options?: { propagationPolicy?: string; preconditions?: { uid?: string } };
    };
    const wrong =
      options?.propagationPolicy !== 'Foreground'
        ? 'before its pods'
        : options.preconditions?.uid === undefined
          ? 'without its uid'
          : undefined;
    return wrong === undefined
      ? []
      : [{ atMs: sentMs, message: `${name} is deleted ${wrong}`, object: name }];
  });

/** Liveness: once faults have stopped, each Job is deleted within a second of its expiry. */
export const onTime: Law<TtlHistory> = (history) => {
  const { epochMs, steadyMs, leftMs, jobs } = history;
  const late = deletions(history).flatMap((entry): Violation[] => {
    const expiry = expiryOf(entry.previous ?? entry.object) ?? Number.POSITIVE_INFINITY;
    const lateMs = entry.atMs - Math.max(expiry - epochMs, steadyMs);
    if (lateMs <= LATE_MS) return [];
    const { name } = entry.object.metadata;
    return [{ atMs: entry.atMs, message: `${name} is deleted ${lateMs} ms late`, object: name }];
  });
  const left = jobs.length === 0 ? [] : history.left;
  const kept = left.flatMap((job): Violation[] => {
    const expiry = expiryOf(job);
    if (expiry === undefined || expiry - epochMs > leftMs - LATE_MS) return [];
    const { name } = job.metadata;
    return [{ atMs: leftMs, message: `${name} has expired, but is never deleted`, object: name }];
  });
  return [...late, ...kept];
};

/** Liveness: when no Job is left that expires, the controller sends no write, not even after a restart. */
export const quiet: Law<TtlHistory> = ({ restedMs, requests }) =>
  restedMs === undefined
    ? []
    : requests
        .filter(({ verb, sentMs }) => sentMs > restedMs + LATE_MS && verb !== 'get' && verb !== 'list')
        .map(({ verb, name = '', sentMs }) => ({
          atMs: sentMs,
          message: `the controller sends ${verb} jobs/${name}, although no Job expires`,
          object: name,
        }));

/** Returns the writes of the controller that begin the deletion of a Job. */
function deletions({ jobs }: TtlHistory): readonly JournalEntry<Job>[] {
  return jobs.filter(
    ({ actor, verb, previous }) =>
      actor === PROCESS && verb === 'delete' && previous?.metadata.deletionTimestamp === undefined,
  );
}

/** Returns the states of a Job from shortly before a write until the write. A read is at most a few requests old. */
function statesBefore({ jobs }: TtlHistory, entry: JournalEntry<Job>): readonly Job[] {
  const { uid } = entry.object.metadata;
  const before = jobs.filter(
    ({ object, revision }) => object.metadata.uid === uid && revision < entry.revision,
  );
  return before
    .filter((_, i) => (before[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= entry.atMs - READ_MS)
    .map(({ object }) => object);
}

/** The longest time between the read of a Job and the delete. */
const READ_MS = 100;
