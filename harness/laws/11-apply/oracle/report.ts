import type { Applied } from '../../../contracts/apply/index.ts';

import { isWrite, LAST_APPLIED, nameOf } from '../history.ts';

import type { Json } from '../scenario/fields.ts';

import { isQuietAbout, judgeComputed } from './content.ts';
import { textOf } from './encode.ts';
import type { Judged } from './findings.ts';
import { type Course, isForgotten, type Outcome } from './flow.ts';

/** Judges the report of an apply: its results, errors and warnings. */
export function judgeReport(judged: Judged, courses: readonly Course[]): void {
  judgeResults(judged, courses);
  judgeErrors(judged, courses);
  judgeWarnings(judged, courses);
  judgeOrderOfObjects(judged, courses);
}

/** Returns the outcome that the report must have: a client-side dry run reports the writes that it omits. */
export function dueOutcome({ apply }: Judged, course: Course): Outcome['is'] {
  const { outcome } = course;
  if (apply.options.dryRun !== 'client' || outcome.is === 'failed') return outcome.is;
  const seen = course.lastSeen;
  if (!seen) return course.requests.length > 0 ? 'created' : 'nothing';
  return isQuietAbout(course.wanted, seen) ? 'unchanged' : 'configured';
}

function judgeResults(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  const endMs = apply.endMs ?? apply.startMs;
  const applied = (apply.report?.applied ?? []).filter(({ outcome }) => outcome !== 'pruned');
  const named = (each: Applied): string => nameOf(each.resource, each.key);
  for (const course of courses) {
    const entries = applied.filter((each) => named(each) === course.name);
    const due = dueOutcome(judged, course);
    findings.meet('oneResult');
    if (due === 'nothing') {
      findings.report(
        'oneResult',
        endMs,
        `${name} did nothing about ${course.name}, which ${course.wanted.source} contains.`,
      );
      continue;
    }
    const isDue = due !== 'failed';
    if (entries.length !== (isDue ? 1 : 0)) {
      findings.report(
        isDue ? 'oneResult' : 'truth',
        endMs,
        `${name} reports ${entries.length} results for ${course.name}; ${isDue ? '1' : '0'} is right, because its requests ${isDue ? 'succeeded' : 'failed'}.`,
      );
      continue;
    }
    const [entry] = entries;
    if (entry && isDue) judgeResult(judged, course, entry, due);
  }
  const expected = new Set(courses.map((each) => each.name));
  const other = applied.find((each) => !expected.has(named(each)));
  if (other) {
    findings.report(
      'oneResult',
      endMs,
      `${name} reports a result for ${named(other)}, which no document contains.`,
    );
  }
}

function judgeResult(judged: Judged, course: Course, entry: Applied, due: Outcome['is']): void {
  const { apply, findings, name } = judged;
  const endMs = apply.endMs ?? apply.startMs;
  findings.meet('truth');
  // A null in the manifest may or may not cause a patch that changes nothing.
  const isOpen = apply.options.dryRun === 'client' && entry.outcome !== 'created' && due !== 'created';
  if (entry.outcome !== due && !isOpen) {
    findings.report('truth', endMs, `${name} reports ${course.name} as ${entry.outcome}; ${due} is right.`);
    return;
  }
  if (isOpen || apply.options.dryRun === 'client') {
    findings.meet('dryRun');
    judgeComputed(judged, course, entry.object);
    return;
  }
  const { outcome } = course;
  if (!('object' in outcome)) return;
  const [is, right] = [entry.object?.metadata?.resourceVersion, outcome.object.metadata.resourceVersion];
  if (is === right) return;
  findings.report(
    'truth',
    endMs,
    `${name} reports ${course.name} at resourceVersion ${is}; the server's last answer has ${right}.`,
  );
}

function judgeErrors(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  const endMs = apply.endMs ?? apply.startMs;
  const errors = apply.report?.errors ?? [];
  const sources = new Set(apply.documents.map(({ source }) => source));
  const other = errors.find(({ source }) => !sources.has(source));
  // Pruning belongs to no document.
  if (other && !apply.options.prune && apply.expected.length > 0) {
    findings.report(
      'namesErrors',
      endMs,
      `${name} reports an error of "${other.source}", which is not one of its files.`,
    );
  }
  for (const source of sources) {
    const own = errors.filter((each) => each.source === source);
    const problems = apply.expected.flatMap((each) =>
      each.source === source && 'problem' in each ? [each.problem] : [],
    );
    const failed = courses.filter((each) => each.wanted.source === source && each.outcome.is === 'failed');
    const due = problems.length + failed.length;
    if (due > 0) findings.meet('namesErrors');
    if (due === 0 && own.length > 0) {
      findings.report(
        'namesErrors',
        endMs,
        `${name} reports an error of ${source}, although nothing failed: ${own[0]?.message}`,
      );
    }
    if (own.length < due) {
      const [first = 'an object'] = [...problems, ...failed.map((each) => each.name)];
      findings.report(
        'namesErrors',
        endMs,
        `${name} reports ${own.length} errors of ${source}; ${due} is right: ${first}.`,
      );
    }
    for (const { outcome, name: object, requests } of failed) {
      const patches = requests.flatMap(({ request }) =>
        'patch' in request ? [textOf(request.patch.body as Json)] : [],
      );
      const last = patches.at(-1);
      const isOld = own.some(
        ({ message }) =>
          last !== undefined && !message.includes(last) && patches.some((patch) => message.includes(patch)),
      );
      if (isOld) {
        findings.report(
          'namesErrors',
          endMs,
          `${name} names an earlier patch of ${object} in its error; the server refused the last one: ${last}`,
        );
      }
      if (!('cause' in outcome) || !(outcome.cause instanceof Error)) continue;
      const { message } = outcome.cause;
      const isNamed = own.some(
        (each) =>
          each.cause === outcome.cause ||
          each.message.includes(message) ||
          (each.cause as Error | undefined)?.message?.includes(message),
      );
      if (isNamed || own.length < due) continue;
      findings.report(
        'namesErrors',
        endMs,
        `${name} hides why ${object} failed: no error of ${source} has the message "${message}".`,
      );
    }
    if (own.some(({ message }) => typeof message !== 'string' || message === '')) {
      findings.report('namesErrors', endMs, `${name} reports an error of ${source} without a message.`);
    }
  }
}

function judgeWarnings(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  const { dryRun, serverSide, prune } = apply.options;
  if (dryRun === 'client' || serverSide || prune) return;
  const endMs = apply.endMs ?? apply.startMs;
  const warnings = apply.report?.warnings ?? [];
  const about = (course: Course, text: string): readonly string[] =>
    warnings.filter((each) => each.includes(course.wanted.key.name) && each.includes(text));
  let due = 0;
  let isExact = true;
  for (const course of courses) {
    const { firstSeen, requests, outcome } = course;
    if (isForgotten(firstSeen)) {
      findings.meet('warns');
      due++;
      const found = about(course, LAST_APPLIED).length;
      if (found !== 1) {
        findings.report(
          'warns',
          endMs,
          `${name} warns ${found} times that ${course.name} lacks the annotation of apply; once is right.`,
        );
      }
    }
    const isSettled = requests.filter(isWrite).length <= 1 && outcome.is !== 'failed';
    if (!isSettled) isExact = false;
    else if ('object' in outcome && outcome.object.metadata.deletionTimestamp) {
      due++;
      if (about(course, 'being deleted').length !== 1) {
        findings.report('warns', endMs, `${name} does not warn that ${course.name} is being deleted.`);
      }
    }
  }
  if (isExact && warnings.length > due) {
    findings.report(
      'warns',
      endMs,
      `${name} has ${warnings.length} warnings; ${due} is right: ${warnings.at(-1)}`,
    );
  }
}

/** Judges the order of the objects and that an error stops no other object. */
function judgeOrderOfObjects(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  const fails =
    apply.expected.some((each) => 'problem' in each) ||
    courses.some(({ outcome }) => outcome.is === 'failed');
  if (fails && courses.length > 0) findings.meet('independent');
  let last = { document: -1, number: -1, name: '' };
  for (const course of courses) {
    const [first] = course.requests;
    if (!first) {
      if (fails) {
        findings.report(
          'independent',
          apply.endMs ?? apply.startMs,
          `${name} did nothing about ${course.name}, because something else failed.`,
        );
      }
      continue;
    }
    const { document } = course.wanted;
    if (document !== last.document && last.document >= 0) findings.meet('inOrder');
    if (first.number < last.number) {
      const why = document === last.document ? 'follows it in its document' : 'is in a later document';
      findings.report(
        'inOrder',
        first.sentMs,
        `${name} began with ${course.name} before ${last.name}, although it ${why}.`,
      );
    }
    last = { document, number: first.number, name: course.name };
  }
}
