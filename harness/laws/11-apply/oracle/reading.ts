import { deepEqual } from '../../../api/freeze.ts';
import type { Violation } from '../../../testing/holds.ts';
import {
  type ApplyHistory,
  type ApplyRecord,
  isDryRun,
  isWrite,
  nameOf,
  type RequestRecord,
} from '../history.ts';
import { kinds } from '../scenario/kinds.ts';
import { judgeContent } from './content.ts';
import type { Wanted } from './documents.ts';
import { Findings, type Judged, type Reading } from './findings.ts';
import { type Course, follow } from './flow.ts';
import { judgeForce } from './force.ts';
import { judgePrune } from './prune.ts';
import { judgeReport } from './report.ts';
import { followServerSide, judgeOwners } from './server-side.ts';

const readings = new WeakMap<ApplyHistory, Reading>();

/** Judges a history, once for all laws. */
export function readingOf(history: ApplyHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const findings = new Findings();
  for (const apply of history.applies) judgeApply(history, apply, findings);
  readings.set(history, findings);
  return findings;
}

/** Returns an error of a call that never returned a report. */
export function failureOf({ applies }: ApplyHistory): Violation | undefined {
  const failed = applies.find(({ rejection }) => rejection !== undefined);
  return failed && { atMs: failed.endMs ?? failed.startMs, message: String(failed.rejection) };
}

function judgeApply(history: ApplyHistory, apply: ApplyRecord, findings: Findings): void {
  const name = `apply ${apply.number}`;
  const judged: Judged = { apply, findings, name };
  findings.meet('reports');
  if (!apply.report) {
    const message =
      apply.endMs === undefined
        ? `${name} never ends.`
        : `${name} rejects with "${String(apply.rejection)}", although every error belongs into its report.`;
    findings.report('reports', apply.endMs ?? apply.startMs, message);
    return;
  }
  meetForeign(history, apply, findings);
  const wanted = apply.expected.filter((each): each is Wanted => 'key' in each);
  const isServerSide = apply.options.serverSide === true;
  const courses = wanted.map((each) =>
    isServerSide ? followServerSide(judged, each) : follow(judged, each),
  );
  if (!isServerSide) for (const course of courses) judgeContent(judged, course);
  judgeForce(judged, courses);
  judgePrune(judged, courses);
  judgeDryRun(judged);
  judgeReport(judged, courses);
  judgeBystanders(judged, courses);
  if (isServerSide) judgeOwners(history, judged, courses);
}

/** Reaches the situation of `foreign` if another client has set a field that no manifest has. */
function meetForeign({ scenario }: ApplyHistory, apply: ApplyRecord, findings: Findings): void {
  const at = scenario.steps.indexOf(apply.plan as never);
  const earlier = at < 0 ? scenario.steps : scenario.steps.slice(0, at);
  const isForeign = earlier.some(
    (step) =>
      step.do === 'act' && step.act === 'edit' && kinds[step.target.kind].fields[step.field]?.by === 'others',
  );
  if (isForeign && apply.requests.some(isWrite)) findings.meet('foreign');
}

function judgeDryRun({ apply, findings, name }: Judged): void {
  const { dryRun } = apply.options;
  if (!dryRun) return;
  findings.meet('dryRun');
  for (const request of apply.requests) {
    if (!isWrite(request) || (dryRun === 'server' && isDryRun(request))) continue;
    findings.report(
      'dryRun',
      request.sentMs,
      `${name} is a dry run, but sent a ${request.verb} of ${nameOf(request.resource, request.key)} that writes.`,
    );
  }
}

/** Objects that no document names do not change, unless they are pruned or others change them. */
function judgeBystanders({ apply, findings, name }: Judged, courses: readonly Course[]): void {
  const own = new Set([...courses.map((each) => each.name), ...apply.disturbed]);
  const names = new Map(
    apply.before.map(({ resource, object }) => [nameOf(resource, object.metadata), object] as const),
  );
  // The law of pruning judges the deletes of a prune.
  const isOwn = (each: RequestRecord): boolean =>
    isWrite(each) && !(apply.options.prune && each.verb === 'delete');
  const requested = new Set(apply.requests.filter(isOwn).map(({ resource, key }) => nameOf(resource, key)));
  for (const other of requested) {
    if (own.has(other)) continue;
    const before = names.get(other);
    const after = apply.after.find(({ resource, object }) => nameOf(resource, object.metadata) === other);
    if (deepEqual(before, after?.object)) continue;
    const message = `${name} changed ${other}, which no document contains.`;
    findings.report('foreign', apply.endMs ?? apply.startMs, message);
  }
}
