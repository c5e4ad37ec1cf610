import { isDryRun, nameOf, type RequestRecord, reasonOf } from '../history.ts';
import type { JsonMap } from '../scenario/fields.ts';
import { differences } from './differences.ts';
import { annotate } from './encode.ts';
import type { Judged } from './findings.ts';
import type { Course } from './flow.ts';
import { created } from './merge.ts';
import { normalized } from './normal.ts';
import { isCustom, schemaFor } from './result.ts';

/** Judges the end of each object that `--force` has deleted: the new one exists, or the old one again. */
export function judgeForce(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  for (const course of courses) {
    const { deleted } = course;
    if (!deleted || isDryRun(deleted)) continue;
    findings.meet('neverLost');
    judgeWait(judged, course, deleted);
    // A client that cannot read the object does not know whether it is gone.
    if (readsAfter(course, deleted).some(({ answer, error }) => answer === undefined && !isGone(error)))
      continue;
    const endMs = apply.endMs ?? apply.startMs;
    const now = apply.after.find(
      ({ resource, object }) => nameOf(resource, object.metadata) === course.name,
    )?.object;
    if (!now) {
      findings.report('neverLost', endMs, `${name} deleted ${course.name}, and left nothing in its place.`);
      continue;
    }
    if (now.metadata.deletionTimestamp) {
      if (apply.options.timeoutMs) continue;
      findings.report(
        'neverLost',
        endMs,
        `${name} ended while ${course.name} is still being deleted; without a timeout it waits without an end.`,
      );
      continue;
    }
    const custom = isCustom(course.wanted);
    const old = deleted.before as unknown as JsonMap | undefined;
    const failed = course.outcome.is === 'failed';
    const right = failed ? old : created(annotate(course.wanted.manifest));
    const [a, b] = [
      right && normalized(course.wanted.resource, withoutDeletion(right), custom),
      normalized(course.wanted.resource, now, custom),
    ];
    if (!a || !b) continue;
    const [first] = differences(a, b, { modified: a, original: undefined }, schemaFor(course.wanted)).filter(
      ({ of }) => of === 'manifest',
    );
    if (!first) continue;
    findings.report(
      'neverLost',
      endMs,
      `${name} replaced ${course.name}: ${first.path} is ${JSON.stringify(first.actual)}, but ${JSON.stringify(first.right)} is right, as in the ${failed ? 'old' : 'new'} object.`,
    );
  }
}

/** Judges the end of the wait for the deletion, if the wait has a limit. */
function judgeWait({ apply, findings, name }: Judged, course: Course, deleted: RequestRecord): void {
  const { timeoutMs } = apply.options;
  if (!timeoutMs) return;
  const endMs = apply.endMs ?? apply.startMs;
  const deadlineMs = (deleted.answeredMs ?? deleted.sentMs) + timeoutMs;
  const reads = readsAfter(course, deleted);
  const late = reads.find(({ sentMs }) => sentMs > deadlineMs);
  if (late) {
    findings.report(
      'bounded',
      late.sentMs,
      `${name} asked whether ${course.name} is deleted ${late.sentMs - deadlineMs} ms after the timeout of ${timeoutMs} ms.`,
    );
  }
  const isThere = reads.at(-1)?.answer !== undefined;
  if (isThere && endMs < deadlineMs) {
    findings.report(
      'bounded',
      endMs,
      `${name} gave up the wait for the deletion of ${course.name} ${deadlineMs - endMs} ms before the timeout of ${timeoutMs} ms.`,
    );
  }
}

const readsAfter = ({ requests }: Course, deleted: RequestRecord): readonly RequestRecord[] =>
  requests.filter(({ verb, number }) => verb === 'get' && number > deleted.number);

const isGone = (error: unknown): boolean => reasonOf(error) === 'NotFound';

/** Removes the fields of a deletion: the old object is created without them. */
function withoutDeletion(object: JsonMap): JsonMap {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = object.metadata as JsonMap;
  return { ...object, metadata };
}
