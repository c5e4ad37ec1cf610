import type { KubeObject } from '../../../api/objects.ts';
import {
  type ApplyHistory,
  type ApplyRecord,
  isWrite,
  LAST_APPLIED,
  nameOf,
  type RequestRecord,
} from '../history.ts';
import type { Json, JsonMap, PathStep } from '../scenario/fields.ts';
import { isItem, setField } from '../scenario/fields.ts';
import type { DocumentPlan, ObjectPlan } from '../scenario/index.ts';
import { kinds } from '../scenario/kinds.ts';
import type { Wanted } from './documents.ts';
import type { Judged } from './findings.ts';
import type { Course, Outcome } from './flow.ts';
import { isMap, same } from './json.ts';
import { normalized } from './normal.ts';
import { isCustom } from './result.ts';

/** The manager of kubectl's server-side applies. */
const MANAGER = 'kubectl';

/** ★ Follows the requests about an object of a server-side apply, and judges the first one. */
export function followServerSide(judged: Judged, wanted: Wanted): Course {
  const { apply, findings, name } = judged;
  const object = nameOf(wanted.resource, wanted.key);
  const requests = apply.requests.filter(({ resource, key }) => nameOf(resource, key) === object);
  const applies = requests.filter(isApply);
  const main = applies.find((each) => managerOf(each) === MANAGER);
  findings.meet('serverSide');
  for (const request of requests) {
    if (request.verb === 'create' || request.verb === 'delete') {
      findings.report(
        'serverSide',
        request.sentMs,
        `${name} sent a ${request.verb} of ${object}; the server creates a missing object.`,
      );
    }
  }
  if (main) judgeMain(judged, object, wanted, main);
  const answer = requests.findLast((each) => each.answer !== undefined)?.answer;
  return { wanted, name: object, requests, outcome: outcomeOf(main, answer as KubeObject | undefined) };
}

function outcomeOf(main: RequestRecord | undefined, object: KubeObject | undefined): Outcome {
  if (!main) return { is: 'nothing' };
  if (main.answer === undefined) return { is: 'failed', cause: main.error };
  return { is: 'serverside-applied', object: object ?? (main.answer as KubeObject) };
}

function judgeMain(
  { apply, findings, name }: Judged,
  object: string,
  wanted: Wanted,
  main: RequestRecord,
): void {
  const { force = false } = main.request.options as { readonly force?: boolean };
  if (force !== (apply.options.forceConflicts ?? false)) {
    findings.report(
      'serverSide',
      main.sentMs,
      `${name} applied ${object} with force ${force}; the flag says ${!force}.`,
    );
  }
  const body = bodyOf(main);
  if (!same(body, wanted.manifest)) {
    const extra = isMap(body) && JSON.stringify(body).includes(LAST_APPLIED) ? ': it has the annotation' : '';
    findings.report(
      'serverSide',
      main.sentMs,
      `${name} applied another ${object} than that of the manifest${extra}.`,
    );
  }
}

const isApply = ({ request }: RequestRecord): boolean =>
  request.verb === 'patch' && request.patch.type === 'apply';

const isMigration = (request: RequestRecord['request']): boolean =>
  request.verb === 'patch' && request.patch.type === 'json';

const managerOf = ({ request }: RequestRecord): string | undefined =>
  (request.options as { readonly fieldManager?: string }).fieldManager;

const bodyOf = ({ request }: RequestRecord): Json | undefined =>
  request.verb === 'patch' ? (request.patch.body as Json) : undefined;

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: JsonMap;
}

/** ★ Judges the owners of the fields after a server-side apply, and the fields that the manifest has no more. */
export function judgeOwners(history: ApplyHistory, judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  judgeMigrations(judged, courses);
  // A conflict of the migration is tried again; other faults may end it.
  const isDisturbed = apply.requests.some(({ fault, request }) => fault && !isMigration(request));
  if (apply.options.dryRun || isDisturbed) return;
  const endMs = apply.endMs ?? apply.startMs;
  for (const course of courses) {
    if (course.outcome.is !== 'serverside-applied' || apply.disturbed.has(course.name)) continue;
    const now = apply.after.find(({ resource, object }) => nameOf(resource, object.metadata) === course.name);
    if (!now) continue;
    const managed = (now.object.metadata.managedFields ?? []) as readonly ManagedFields[];
    const old = apply.before.find(
      ({ resource, object }) => nameOf(resource, object.metadata) === course.name,
    );
    const before = (old?.object.metadata.managedFields ?? []) as readonly ManagedFields[];
    if (before.some(ownsAnnotation)) findings.meet('owners');
    const gone = before.find(
      ({ manager, subresource }) =>
        subresource && !managed.some((each) => each.manager === manager && each.subresource === subresource),
    );
    if (gone) {
      findings.report(
        'owners',
        endMs,
        `${name} left ${course.name} without ${gone.manager} as the owner of its ${gone.subresource}; only the owners of the other fields move.`,
      );
    }
    const left = managed.find(ownsAnnotation);
    if (left) {
      findings.report(
        'owners',
        endMs,
        `${name} left ${course.name} with the owner ${left.manager} (Update) from client-side applies; its fields must move to ${MANAGER}.`,
      );
    }
    for (const field of removedFields(history, apply, course)) {
      if (!isStillThere(course.wanted, now.object, field.path)) continue;
      findings.report(
        'owners',
        endMs,
        `${name} left the field "${field.name}" in ${course.name}, although the manifest has it no more.`,
      );
    }
  }
}

/** Judges that owners move only in the object that was read last, and only after the annotation has an owner. */
function judgeMigrations({ findings, name }: Judged, courses: readonly Course[]): void {
  for (const { name: object, requests } of courses) {
    for (const request of requests) {
      const earlier = requests.filter(({ number }) => number < request.number);
      const refused = earlier.find((each) => isApply(each) && each.error !== undefined);
      if (refused && isWrite(request)) {
        findings.report(
          'owners',
          request.sentMs,
          `${name} sent another ${request.verb} of ${object}, although the server had refused an apply.`,
        );
      }
      if (!isMigration(request.request) || request.answer === undefined) continue;
      const seen = earlier.findLast(({ answer }) => answer !== undefined)?.answer as KubeObject | undefined;
      if (!seen || seen.metadata.resourceVersion === request.before?.metadata.resourceVersion) continue;
      findings.report(
        'owners',
        request.sentMs,
        `${name} moved the owners of ${object}, which others had changed meanwhile: their owners are lost.`,
      );
    }
  }
}

/** Returns whether a manager of updates owns the annotation of apply. */
function ownsAnnotation({ operation, fieldsV1 }: ManagedFields): boolean {
  if (operation !== 'Update') return false;
  const metadata = fieldsV1?.['f:metadata'] as JsonMap | undefined;
  const annotations = metadata?.['f:annotations'] as JsonMap | undefined;
  return annotations !== undefined && `f:${LAST_APPLIED}` in annotations;
}

interface RemovedField {
  readonly name: string;
  readonly path: readonly PathStep[];
}

/** Returns the fields of the last applied manifest of an object that this one lacks. */
function removedFields(
  { applies, scenario }: ApplyHistory,
  apply: ApplyRecord,
  { wanted, name }: Course,
): RemovedField[] {
  const { manifest } = wanted;
  const plan = planOf(apply, wanted);
  const last = applies
    .slice(0, apply.number)
    .findLast(({ report }) => report?.applied.some(({ resource, key }) => nameOf(resource, key) === name));
  const old = last && planOf(last, wanted);
  if (!plan || !old || last?.options.dryRun) return [];
  // A field of another manager stays.
  const shared = scenario.steps.flatMap((step) =>
    step.do === 'act' && step.act === 'server-side apply' ? [step.field] : [],
  );
  return Object.entries(old.fields).flatMap(([field, choice]) => {
    if (shared.includes(field)) return [];
    const known = kinds[plan.kind].fields[field];
    if (!known || choice === 0 || (plan.fields[field] ?? 0) > 0) return [];
    // Without a choice, some fields have the value of the template, such as an image.
    return valueAt(manifest, known.path) === undefined ? [{ name: field, path: known.path }] : [];
  });
}

function planOf({ plan }: ApplyRecord, { key }: Wanted): ObjectPlan | undefined {
  const all = (each: DocumentPlan): ObjectPlan[] =>
    'broken' in each ? [] : 'list' in each ? each.list.flatMap(all) : [each];
  return plan.documents.flatMap(all).find(({ name }) => name === key.name);
}

function isStillThere(wanted: Wanted, object: KubeObject, path: readonly PathStep[]): boolean {
  if (valueAt(wanted.manifest, path) !== undefined) return false;
  const whole = normalized(wanted.resource, object, isCustom(wanted));
  if (!whole || valueAt(whole, path) === undefined) return false;
  const draft = structuredClone(object) as unknown as JsonMap;
  setField(draft, path, undefined);
  const bare = normalized(wanted.resource, draft, isCustom(wanted));
  return bare !== undefined && valueAt(bare, path) === undefined;
}

function valueAt(value: Json, path: readonly PathStep[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (typeof step === 'string') here = isMap(here) ? here[step] : undefined;
    else here = Array.isArray(here) ? here.find((item) => isItem(step, item)) : undefined;
  }
  return here;
}
