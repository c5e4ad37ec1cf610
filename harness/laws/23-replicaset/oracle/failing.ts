import type { ReplicaSet } from '../../../api/objects.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { RecordedRequest } from '../../../testing/rig/recorder.ts';
import type { ReplicaSetHistory } from '../history/index.ts';
import { creates, ownerOf } from '../laws/creating.ts';
import { violation } from '../laws/safety.ts';
import { nameOf, pods } from '../render/names.ts';

type Condition = NonNullable<ReplicaSet['status']['conditions']>[number];

/** The `ReplicaFailure` condition, or undefined. */
export function failureOf({ status }: ReplicaSet): Condition | undefined {
  return status.conditions?.find(({ type, status: value }) => type === 'ReplicaFailure' && value === 'True');
}

/** The time for which creates may fail in a row before the status must report it. */
const UNREPORTED_MS = 5_000;

/** Violations: creates failed in a row for too long, and no status reported it. */
export function unreportedFailures(history: ReplicaSetHistory): readonly Violation[] {
  const all = creates(history.requests).toSorted((a, b) => a.sentAs - b.sentAs);
  const owners = new Set(all.map((one) => `${one.incarnation} ${ownerOf(one)}`));
  return [...owners].flatMap((owner) =>
    unreported(
      history,
      all.filter((one) => `${one.incarnation} ${ownerOf(one)}` === owner),
    ),
  );
}

function unreported(
  { requests, sets }: ReplicaSetHistory,
  all: readonly RecordedRequest[],
): readonly Violation[] {
  let first: RecordedRequest | undefined;
  for (const create of all) {
    if (create.error === undefined) {
      first = undefined;
      continue;
    }
    first ??= create;
    const [fromMs, toMs] = [first.answeredMs ?? Infinity, create.sentMs];
    if (toMs - fromMs < UNREPORTED_MS) continue;
    const states = sets.of(ownerOf(create))?.duringMs(fromMs, toMs) ?? [];
    const isHindered = requests.some(
      ({ resource, sentMs, answeredMs = Infinity, error }) =>
        resource === 'replicasets' && error !== undefined && answeredMs >= fromMs && sentMs <= toMs,
    );
    if (isHindered || states.some((rs) => !rs || rs.metadata.deletionTimestamp || failureOf(rs))) continue;
    const [rs] = states as readonly ReplicaSet[];
    if (!rs) continue;
    const message = `creates for ${nameOf(rs)} have failed for ${toMs - fromMs} ms, but its status lacks the condition ReplicaFailure`;
    return [{ atMs: toMs, message, object: nameOf(rs) }];
  }
  return [];
}

/** Violations: a new ReplicaFailure whose reason is not FailedCreate with too few pods, or FailedDelete with too many. */
export function wrongReasons(
  { sets, knowledge }: ReplicaSetHistory,
  entry: JournalEntry<ReplicaSet>,
): readonly Violation[] {
  const { object: rs, revision, atMs } = entry;
  const failure = failureOf(rs);
  const past = sets.of(rs.metadata.uid);
  const known = past?.statesBetween(knowledge.at(atMs).replicasets, revision - 1) ?? [];
  if (!failure || known.some(failureOf)) return [];
  const { observedGeneration, replicas } = rs.status;
  const wanted = past?.versions.find(({ object }) => object?.metadata.generation === observedGeneration)
    ?.object?.spec.replicas;
  if (wanted === undefined || wanted === replicas) return [];
  const reason = replicas < wanted ? 'FailedCreate' : 'FailedDelete';
  if (failure.reason === reason) return [];
  return [
    violation(
      entry,
      `the controller set ReplicaFailure of ${nameOf(rs)} with reason ${failure.reason}, but it has ${pods(replicas)} and spec.replicas is ${wanted}: with too ${replicas < wanted ? 'few' : 'many'} pods the reason is ${reason}`,
    ),
  ];
}
