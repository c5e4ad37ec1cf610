import { deepEqual } from '../../../api/freeze.ts';
import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import { podWrites, setOf } from '../history/writes.ts';
import { nameOf } from '../render/names.ts';
import { type Law, violation } from './safety.ts';

/** Each created pod has a ReplicaSet as controller, a name that starts with the ReplicaSet's, and the parts of its template. */
export const likeTheTemplate: Law = (history) =>
  podWrites(history).flatMap((entry) => {
    const { object: pod, revision, atMs } = entry;
    if (entry.verb !== 'create') return [];
    const rs = history.sets.of(setOf(pod));
    if (!rs)
      return [
        violation(
          entry,
          `the controller created ${nameOf(pod)} without a controller reference to a ReplicaSet`,
        ),
      ];
    const { generateName } = pod.metadata;
    const prefix = `${nameOf(rs.last)}-`;
    if (generateName !== prefix)
      return [
        violation(
          entry,
          `the controller created ${nameOf(pod)} with generateName ${JSON.stringify(generateName)}; expected ${JSON.stringify(prefix)}, the name of the ReplicaSet and a hyphen`,
        ),
      ];
    const known = rs.statesBetween(history.knowledge.at(atMs).replicasets, revision);
    const unlike = (known.length > 0 ? known : [rs.last]).map((version) => difference(version, pod));
    if (unlike.includes(undefined)) return [];
    return [
      violation(
        entry,
        `the controller created ${nameOf(pod)} for ${nameOf(rs.last)}, but its ${unlike[0]} differ from the template`,
      ),
    ];
  });

/** The first part of a pod that differs from the template, or undefined. */
function difference({ spec }: ReplicaSet, pod: Pod): string | undefined {
  const { metadata = {}, spec: wanted } = spec.template;
  if (!deepEqual(metadata.labels ?? {}, pod.metadata.labels ?? {})) return 'labels';
  if (!deepEqual(metadata.annotations ?? {}, pod.metadata.annotations ?? {})) return 'annotations';
  if (!deepEqual(metadata.finalizers ?? [], pod.metadata.finalizers ?? [])) return 'finalizers';
  // The server sets defaults for fields that the template omits.
  const parts = Object.entries(wanted ?? {});
  return parts.find(([part, value]) => !deepEqual(value, pod.spec[part as keyof typeof pod.spec]))?.[0];
}

/**
 * Creates for one ReplicaSet start slowly: at most one, plus one for each success since the last failure, are in flight. Batches that
 * follow each other double.
 */
export const startsSlowly: Law = ({ requests }) => {
  const all = creates(requests);
  const tooFast = all.flatMap((create) => {
    const { underWay, successes } = soFar(create, requests);
    if (underWay <= 1 + successes) return [];
    const message = `${underWay} creates were in flight at once, after ${successes} successes in a row; slow start sends 1, then 2, then 4, each batch after the one before has succeeded`;
    return [{ atMs: create.sentMs, message }];
  });
  const owners = new Set(all.map(ownerOf));
  return [
    ...tooFast,
    ...[...owners].flatMap((owner) => tooSlow(all.filter((one) => ownerOf(one) === owner))),
  ];
};

/** Violations: a batch, neither first nor last, that is less than twice as large as the batch before. */
function tooSlow(creates: readonly RecordedRequest[]): readonly Violation[] {
  const batches: RecordedRequest[][] = [];
  for (const create of creates) {
    const last = batches.at(-1);
    const isSame = last?.some(
      ({ answeredAs = Infinity, incarnation }) =>
        incarnation === create.incarnation && answeredAs > create.sentAs,
    );
    if (last && isSame) last.push(create);
    else batches.push([create]);
  }
  const follows = (batch: RecordedRequest[] = [], next: RecordedRequest[] = []): boolean =>
    batch.length > 0 &&
    batch.every(({ error, answeredMs }) => error === undefined && answeredMs !== undefined) &&
    Math.max(...batch.map(({ answeredMs = 0 }) => answeredMs)) === next[0]?.sentMs;
  return batches.flatMap((batch, i) => {
    const before = batches[i - 1];
    if (!before || !follows(before, batch) || !follows(batch, batches[i + 1])) return [];
    if (batch.length >= 2 * before.length) return [];
    const message = `a batch of ${batch.length} creates followed a batch of ${before.length} that had succeeded, although more pods were missing; each batch must be twice as large`;
    return [{ atMs: batch[0]?.sentMs ?? 0, message }];
  });
}

/** The first back-off of a key; each failure doubles it. */
const RETRY_MS = 5;

/**
 * Failed creates are retried with back-off: after 5 ms, 10, 20. Each event allows an earlier retry. A change of `spec.replicas` can
 * make a sync succeed without a create, which resets the back-off.
 */
export const backsOff: Law = ({ requests, knowledge, sets }) =>
  creates(requests).flatMap((create) => {
    const { underWay, failures } = soFar(create, requests);
    const [first] = failures;
    if (underWay > 1 || !first) return [];
    const sinceMs = create.sentMs - first.sentMs;
    const wanted = sets.of(ownerOf(create))?.duringMs(first.sentMs, create.sentMs) ?? [];
    const ladders = wanted.filter(
      (rs, i) => i === 0 || rs?.spec.replicas !== wanted[i - 1]?.spec.replicas,
    ).length;
    const timers = Math.ceil(Math.log2(sinceMs / RETRY_MS + 2));
    const allowed = 2 + Math.max(1, ladders) * timers + knowledge.heard(first.sentMs, create.sentMs);
    const tries = new Set(failures.map(({ sentMs }) => sentMs)).size + 1;
    if (tries <= allowed) return [];
    return [
      {
        atMs: create.sentMs,
        message: `the controller tried ${tries} times in ${sinceMs} ms to create a pod that the server rejected; each retry must wait twice as long as the one before`,
      },
    ];
  });

/** The creates of pods among these requests. */
export function creates(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return requests.filter(({ verb, resource }) => verb === 'create' && resource === 'pods');
}

/** The uid of the ReplicaSet that a pod was created for. */
export function ownerOf({ request }: RecordedRequest): string | undefined {
  return request.verb === 'create' ? controllerOf(request.object)?.uid : undefined;
}

/** The creates of this incarnation for the same ReplicaSet before a create: in flight, successes in a row, failures in a row. */
function soFar(
  create: RecordedRequest,
  requests: readonly RecordedRequest[],
): { underWay: number; successes: number; failures: readonly RecordedRequest[] } {
  const { incarnation, sentAs } = create;
  const own = creates(requests).filter(
    (one) => one.incarnation === incarnation && ownerOf(one) === ownerOf(create) && one.sentAs < sentAs,
  );
  const answered = own
    .filter(({ answeredAs = Number.POSITIVE_INFINITY }) => answeredAs < sentAs)
    .sort((a, b) => (a.answeredAs ?? 0) - (b.answeredAs ?? 0));
  const failed = (request: RecordedRequest): boolean => request.error !== undefined;
  return {
    underWay: own.length - answered.length + 1,
    successes: answered.length - 1 - answered.findLastIndex(failed),
    failures: answered.slice(1 + answered.findLastIndex((request) => !failed(request))),
  };
}
