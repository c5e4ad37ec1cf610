import { deepEqual } from '../../../api/freeze.ts';
import type { KubeObject } from '../../../api/objects.ts';
import {
  type ApplyRecord,
  annotationOf,
  isChange,
  isDryRun,
  LAST_APPLIED,
  type RequestRecord,
} from '../history.ts';
import type { Json, JsonMap } from '../scenario/fields.ts';
import { type Difference, differences } from './differences.ts';
import type { Wanted } from './documents.ts';
import { annotate, encode } from './encode.ts';
import type { Judged, LawName } from './findings.ts';
import type { Course } from './flow.ts';
import { isMap, same } from './json.ts';
import { created, pruned } from './merge.ts';
import { normalized } from './normal.ts';
import { hasSameItems, judgeOrder } from './order.ts';
import { originalOf } from './original.ts';
import { isCustom, resultOf, schemaFor, seenBy } from './result.ts';
import { hasTwins } from './twins.ts';

/** Judges the content of each write of an object, and the absence of writes. */
export function judgeContent(judged: Judged, course: Course): void {
  const { apply, findings } = judged;
  const { wanted, requests, outcome } = course;
  if (hasTwins(wanted, requests)) {
    judgeTwins(judged, course);
    return;
  }
  /** The live objects for which a patch met a conflict. */
  const outdated: KubeObject[] = [];
  // After a failure of the first one, --force creates the old object again.
  const firstCreate = requests.find(({ verb }) => verb === 'create');
  for (const request of requests) {
    if (isChange(request)) {
      judgeChange(judged, course, request, outdated);
      const seen = request.fault === 'Conflict' && seenBy(apply, request);
      if (seen) outdated.push(seen);
    } else if (request === firstCreate) {
      judgeCreate(judged, course, request);
    }
  }
  judgeGuard(judged, course);
  if (outcome.is !== 'unchanged') return;
  const isClient = apply.options.dryRun === 'client';
  if (isClient) return;
  findings.meet('quiet');
  const { object } = outcome;
  judgeResult(judged, course, requests.at(-1) as RequestRecord, {
    seen: object,
    stored: object,
    actual: object,
    verb: 'left',
  });
}

/** Judges a patch of an object whose list has items with one merge key: the same list again needs none. */
function judgeTwins({ apply, findings, name }: Judged, { wanted, requests, ...course }: Course): void {
  const ports = (object: object): Json => (object as { readonly spec: { readonly ports: Json } }).spec.ports;
  for (const request of requests.filter(isChange)) {
    const seen = seenBy(apply, request);
    if (!seen || annotationOf(seen) !== encode(wanted.manifest)) continue;
    const [right, found] = [wanted.manifest, seen].map((each) => normalized(wanted.resource, each, false));
    if (!right || !found || !same(ports(right), ports(found))) continue;
    findings.report(
      'quiet',
      request.sentMs,
      `${name} sent a ${request.verb} of ${course.name}, although the live object already has all items of the list.`,
    );
  }
}

/** Judges a success of a manifest that names another resourceVersion or uid than the live object has. */
function judgeGuard(
  { apply, findings, name }: Judged,
  { wanted, outcome, lastSeen, deleted, ...course }: Course,
): void {
  if (outcome.is !== 'configured' && outcome.is !== 'unchanged') return;
  if (!lastSeen || deleted || apply.options.dryRun === 'client') return;
  const metadata = wanted.manifest.metadata as JsonMap;
  for (const guard of ['resourceVersion', 'uid'] as const) {
    const [named, live] = [metadata[guard], lastSeen.metadata[guard]];
    if (named === undefined || named === live) continue;
    findings.report(
      'manifestWins',
      endOf(apply),
      `${name} reports ${course.name} as ${outcome.is}, although its manifest has the ${guard} ${named} and the live object has ${live}: a patch with this ${guard} is refused.`,
    );
  }
}

function judgeChange(
  judged: Judged,
  course: Course,
  request: RequestRecord,
  outdated: readonly KubeObject[],
): void {
  const { apply, findings, name } = judged;
  const { wanted } = course;
  const seen = seenBy(apply, request);
  if (!seen || !request.before) return;
  const isRetry = outdated.length > 0;
  if (request.alternative?.accepted) {
    const why = (request.error as Error).message;
    const message = `${name} sent a ${request.verb} of ${course.name} that the server refused, although it accepts the right result: ${why}`;
    const right = resultOf(wanted, seen, request.before, true);
    const differs = (each: KubeObject): boolean =>
      !deepEqual(resultOf(wanted, each, request.before as KubeObject, true), right);
    const laws: readonly LawName[] = outdated.some(differs)
      ? ['fresh', 'manifestWins', 'retained']
      : ['manifestWins', 'retained'];
    for (const law of laws) {
      findings.report(law, request.answeredMs ?? request.sentMs, message);
    }
  }
  if (!isRetry && isQuietAbout(wanted, seen)) {
    findings.meet('quiet');
    findings.report(
      'quiet',
      request.sentMs,
      `${name} sent a ${request.verb} of ${course.name}, although the live object and its annotation already match the manifest.`,
    );
  }
  const actual = isDryRun(request) ? (request.answer as KubeObject | undefined) : request.after;
  const isPerformed = request.answer !== undefined || request.fault === 'lost after';
  if (!isPerformed || !actual || actual.metadata.uid !== request.before.metadata.uid) return;
  judgeResult(judged, course, request, { seen, stored: request.before, actual, verb: 'changed', outdated });
  judgeOrder(judged, course, request, { stored: request.before, actual });
}

/** Returns whether the live object needs no write: the manifest, the annotation and all values are the same. */
export function isQuietAbout(wanted: Wanted, seen: KubeObject): boolean {
  if (annotationOf(seen) !== encode(wanted.manifest)) return false;
  // A strategic merge patch always removes the fields that are null.
  if (!isCustom(wanted) && hasNull(wanted.manifest)) return false;
  return (
    deepEqual(resultOf(wanted, seen, seen, true), seen) &&
    hasSameItems(wanted.manifest, seen as unknown as JsonMap, schemaFor(wanted))
  );
}

const hasNull = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull));

interface States {
  readonly seen: KubeObject;
  readonly stored: KubeObject;
  readonly actual: KubeObject;
  readonly verb: 'changed' | 'left';
  readonly outdated?: readonly KubeObject[];
}

function judgeResult(judged: Judged, course: Course, request: RequestRecord, states: States): void {
  const { findings, name } = judged;
  const { wanted } = course;
  const { seen, stored, actual, verb, outdated = [] } = states;
  const original = originalOf(annotationOf(seen));
  const modified = annotate(wanted.manifest);
  const custom = isCustom(wanted);
  const schema = schemaFor(wanted);
  const compare = (right: object | undefined, found: object): readonly Difference[] => {
    const a = right && normalized(wanted.resource, right, custom);
    const b = normalized(wanted.resource, found, custom);
    if (!a || !b) return [];
    return differences(a, b, { modified, original }, schema).filter((each) => !isOpen(each));
  };
  const eager = resultOf(wanted, seen, stored, true);
  meetSituations(judged, compare(eager, stored));
  let wrong = compare(eager, actual);
  if (wrong.length > 0 && stored.metadata.resourceVersion !== seen.metadata.resourceVersion) {
    const lazy = new Set(compare(resultOf(wanted, seen, stored, false), actual).map(({ path }) => path));
    // Between the read and the write, others changed the object: a field that was right then need not be sent.
    wrong = wrong.filter(({ path }) => lazy.has(path));
  }
  // A patch for an older live object explains a field that is right for that object.
  const explained = outdated.flatMap((old) => {
    const paths = new Set(compare(resultOf(wanted, old, stored, false), actual).map(({ path }) => path));
    return wrong.filter(({ path }) => !paths.has(path));
  });
  for (const each of wrong) {
    const law = lawOf(each);
    const message = `${name} ${verb} ${course.name}${verb === 'left' ? ' as it is' : ''}: ${describe(each)}`;
    const laws: LawName[] = [law];
    if (explained.includes(each)) laws.push('fresh');
    if (/\.(strategy|volumes)\b/.test(each.path)) laws.push('retained');
    for (const each of laws) findings.report(each, request.answeredMs ?? request.sentMs, message);
  }
}

/** A map of nothing but nulls may create an empty map: the server creates one if the patch names the nulls. */
function isOpen({ right, actual, wanted }: Difference): boolean {
  const isNothing = (value: Json | undefined): boolean => same(value ?? {}, {});
  return (
    isMap(wanted) && !same(wanted, {}) && isNothing(pruned(wanted)) && isNothing(right) && isNothing(actual)
  );
}

function meetSituations({ findings }: Judged, changes: readonly Difference[]): void {
  for (const { path, of, right } of changes) {
    if (path.endsWith(LAST_APPLIED)) findings.meet('remembered');
    else if (of === 'manifest') findings.meet('manifestWins');
    else if (of === 'removed' && right === undefined) findings.meet('removed');
    if (/\.(strategy|volumes)\b/.test(path)) findings.meet('retained');
  }
}

function lawOf({ path, of }: Difference): LawName {
  if (path === `metadata.annotations.${LAST_APPLIED}`) return 'remembered';
  return of === 'manifest' ? 'manifestWins' : of;
}

function describe({ path, of, right, actual }: Difference): string {
  const is = `${path} is ${said(actual)}, but ${said(right)} is right`;
  switch (of) {
    case 'manifest':
      return `${is}: the manifest has the field.`;
    case 'removed':
      return `${is}: the annotation has the field, and the manifest lacks it.`;
    case 'foreign':
      return `${is}: neither the annotation nor the manifest has the field.`;
  }
}

function said(value: Json | undefined): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

function judgeCreate(judged: Judged, course: Course, request: RequestRecord): void {
  const { findings, name } = judged;
  const { wanted } = course;
  findings.meet('createsWhole');
  const actual = (request.answer ?? (request.fault === 'lost after' ? request.after : undefined)) as
    | KubeObject
    | undefined;
  if (!actual) return;
  const modified = annotate(wanted.manifest);
  const custom = isCustom(wanted);
  const right = normalized(wanted.resource, created(modified), custom);
  const found = normalized(wanted.resource, actual, custom);
  if (!right || !found) return;
  const owners = { modified, original: undefined };
  for (const each of differences(right, found, owners, schemaFor(wanted))) {
    // The server adds fields to a new object.
    if (each.of === 'foreign' && each.right === undefined) continue;
    const law = lawOf(each) === 'remembered' ? 'remembered' : 'createsWhole';
    findings.report(
      law,
      request.answeredMs ?? request.sentMs,
      `${name} created ${course.name}: ${each.path} is ${said(each.actual)}, but ${said(each.right)} is right.`,
    );
  }
}

/** Judges the object that a client-side dry run reports. */
export function judgeComputed(judged: Judged, course: Course, object: KubeObject): void {
  const { wanted, lastSeen } = course;
  if (hasTwins(wanted, course.requests)) return;
  const custom = isCustom(wanted);
  const modified = annotate(wanted.manifest);
  const right = lastSeen ? resultOf(wanted, lastSeen, lastSeen, true) : created(modified);
  const [a, b] = [normalized(wanted.resource, right, custom), normalized(wanted.resource, object, custom)];
  if (!a || !b || !isMap(a) || !isMap(b)) return;
  const original = originalOf(annotationOf(lastSeen));
  const [first] = differences(a, b, { modified, original }, schemaFor(wanted));
  if (!first) return;
  const { findings, name, apply } = judged;
  findings.report(
    'dryRun',
    endOf(apply),
    `${name} is a dry run and reports a wrong object ${course.name}: ${describe(first)}`,
  );
}

const endOf = ({ endMs, startMs }: ApplyRecord): number => endMs ?? startMs;
