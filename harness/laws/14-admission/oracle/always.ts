import type { Pod } from '../../../api/objects.ts';
import { groupResource, type Resource, serviceAccounts } from '../../../api/resource.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { type AdmissionHistory, type Call, type Phase, type RequestRecord, statusOf } from '../history.ts';
import {
  falseWarningOf,
  type HookPlan,
  NOTE,
  nameOfHook,
  storedNameOf,
  warningOf,
} from '../scenario/hooks.ts';
import { isTooLate, limitOf } from './answers.ts';
import { difference } from './compare.ts';
import { isSettled, phaseOf } from './facts.ts';
import { type Findings, nameOf } from './findings.ts';

/** Judges what holds in every run, whatever the cache has and whatever changes meanwhile. */
export function judgeAlways(history: AdmissionHistory, findings: Findings): void {
  for (const request of history.requests) judgeRequest(history, request, findings);
  const uids = new Set<string>();
  for (const phase of history.phases) {
    for (const call of phase.calls) {
      judgeReview(phase, call, uids, findings);
      judgeTime(history, phase, call, findings);
    }
    judgeEnd(phase, findings);
    judgeAnswers(history, phase, findings);
    judgeObjects(history, phase, findings);
    if (phase.method === 'admit') judgeNamespace(history, phase, findings);
    if (phase.method === 'admit') judgeAccount(history, phase, findings);
  }
  for (const { hook, startMs } of history.strays) {
    const message = `a review for ${nameOfHook(hook)} does not say which request it is about: user, operation, name`;
    findings.report('reviews', startMs, message);
  }
}

/** A refused request and a dry run leave nothing; each request ends with an object or a Status. */
function judgeRequest({ writes, endMs }: AdmissionHistory, request: RequestRecord, findings: Findings): void {
  const { number, outcome, plan } = request;
  const actor = `request-${number}`;
  if (!outcome) {
    findings.report('answers', endMs, `request ${number} never ended`);
    return;
  }
  findings.meet('answers');
  const isRefused = 'error' in outcome;
  if (isRefused && !statusOf(outcome) && !(outcome.error instanceof NotImplemented)) {
    findings.report(
      'answers',
      request.endMs ?? endMs,
      `request ${number} ended with ${String(outcome.error)} instead of a Status`,
    );
  }
  if (isRefused) findings.meet('noTrace');
  if (plan.dryRun) findings.meet('dryRun');
  const write = writes.find(({ author }) => author?.actor === actor);
  if (!write || (!isRefused && !plan.dryRun)) return;
  const law = isRefused ? 'noTrace' : 'dryRun';
  const why = isRefused ? 'was refused' : 'was a dry run';
  findings.report(law, write.atMs, `request ${number} ${why}, but ${write.type} ${write.key} is its write`);
}

/** A review asks about its request, and has a uid of its own. */
function judgeReview(
  phase: Phase,
  { review, hook, startMs }: Call,
  uids: Set<string>,
  findings: Findings,
): void {
  findings.meet('reviews');
  const report = (what: string): void =>
    findings.report('reviews', startMs, `${nameOf(phase)}: the review for ${nameOfHook(hook)} ${what}`);
  if (review.apiVersion !== 'admission.k8s.io/v1' || review.kind !== 'AdmissionReview') {
    report(`is a ${review.apiVersion} ${review.kind}`);
  }
  const { request } = review;
  if (!request) {
    report('has no request');
    return;
  }
  const { attributes } = phase;
  const { resource, operation, user, name, namespace, subresource, dryRun, oldObject, object } = attributes;
  if (!request.uid) report('has no uid');
  else if (uids.has(request.uid)) report('has the uid of another one');
  uids.add(request.uid);
  const expected: readonly (readonly [string, unknown, unknown])[] = [
    ['operation', request.operation, operation],
    ['name', request.name ?? '', name],
    ['namespace', request.namespace ?? '', namespace],
    ['subResource', request.subResource ?? '', subresource],
    ['dryRun', request.dryRun ?? false, dryRun],
    ['userInfo.username', request.userInfo?.username, user.name],
    ['userInfo.uid', request.userInfo?.uid, user.uid],
    ['userInfo.groups', request.userInfo?.groups?.join(), user.groups.join()],
    ['resource.group', request.resource?.group, resource.group],
    ['resource.version', request.resource?.version, resource.version],
    ['resource.resource', request.resource?.resource, resource.plural],
    ['object', request.object === null || request.object === undefined, object === undefined],
    ['oldObject', request.oldObject === null || request.oldObject === undefined, oldObject === undefined],
  ];
  const wrong = expected.find(([, found, wanted]) => found !== wanted);
  if (wrong) {
    const [field, found, wanted] = wrong;
    report(`has the ${field} ${String(found)}, expected ${String(wanted)}`);
    return;
  }
  const old = (request.oldObject ?? undefined) as Pod | undefined;
  const found = difference(old, oldObject, undefined);
  if (found !== undefined) report(`has a wrong oldObject: ${found}`);
  if (!semanticEqual(request.options, attributes.options)) report('has other options than its request');
  if (!semanticEqual(request.userInfo?.extra, user.extra)) report('has a wrong userInfo.extra');
}

/** A webhook has its time limit, to the millisecond. No webhook is called for a request whose time is over. */
function judgeTime({ scenario }: AdmissionHistory, phase: Phase, call: Call, findings: Findings): void {
  const hook = scenario.facts.hooks[call.hook] as HookPlan;
  const limitMs = limitOf(hook, call, phase);
  const report = (what: string): void =>
    findings.report(
      'onTime',
      call.endMs ?? call.startMs,
      `${nameOf(phase)}: ${nameOfHook(call.hook)} ${what}`,
    );
  if (limitMs === 0) {
    report('was called although the time of the request was over');
    return;
  }
  const promised = Math.ceil(limitMs / 1_000);
  if (call.timeoutSeconds !== promised) {
    report(`was promised ${call.timeoutSeconds} s, but has ${promised} s`);
  }
  if (!isTooLate(hook, call, phase)) {
    if (call.isAborted) report(`was aborted before its limit of ${limitMs} ms`);
    return;
  }
  findings.meet('onTime');
  const tookMs = call.endMs === undefined ? undefined : call.endMs - call.startMs;
  if (tookMs === limitMs && call.isAborted) return;
  report(`was not aborted after ${limitMs} ms${tookMs === undefined ? '' : ` but after ${tookMs} ms`}`);
}

/** The apiserver waits for every validating webhook, also after a refusal: otherwise calls outlive their request. */
function judgeEnd(phase: Phase, findings: Findings): void {
  const { method, calls, endMs } = phase;
  if (method !== 'validate' || endMs === undefined) return;
  const late = calls.find((call) => call.endMs === undefined || call.endMs > endMs);
  if (!late) return;
  const message = `ended before ${nameOfHook(late.hook)} had answered`;
  findings.report('allAsked', endMs, `${nameOf(phase)} ${message}`);
}

/** A refusal in time counts, whatever the policy; warnings reach the client. */
function judgeAnswers({ scenario }: AdmissionHistory, phase: Phase, findings: Findings): void {
  for (const call of phase.calls) {
    const hook = scenario.facts.hooks[call.hook] as HookPlan;
    if (isTooLate(hook, call, phase) || call.endMs === undefined) continue;
    const { answer } = hook;
    if (answer.is === 'deny') {
      findings.meet('refusals');
      if (phase.outcome && 'value' in phase.outcome) {
        findings.report(
          'refusals',
          call.endMs,
          `${nameOf(phase)} was accepted although ${nameOfHook(call.hook)} denied it`,
        );
      }
    }
    const report = (what: string): void =>
      findings.report('warns', call.endMs ?? 0, `${nameOf(phase)}: ${what}`);
    if (phase.warnings.includes(falseWarningOf(call.hook)))
      report(`the client got a warning from an invalid answer of ${nameOfHook(call.hook)}`);
    const isValid = answer.is === 'allow' || answer.is === 'deny' || answer.is === 'patch';
    if (isValid && phase.outcome && !phase.annotations.has(`${storedNameOf(hook, call.hook)}/${NOTE}`))
      report(`the audit annotation of ${nameOfHook(call.hook)} is lost`);
    const warning = warningOf(answer, call.hook);
    if (warning === undefined) continue;
    findings.meet('warns');
    if (phase.outcome && !phase.warnings.includes(warning))
      report(`the warning of ${nameOfHook(call.hook)} is lost`);
  }
}

/** Plugins keep the given values, and change neither the stored object nor their own result. */
function judgeObjects(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const { attributes, outcome, again, calls, endMs = 0 } = phase;
  if (phase.hasChangedOld)
    findings.report('keeps', endMs, `${nameOf(phase)}: the stored object was changed in place`);
  if (phase.method !== 'admit' || !outcome || !('value' in outcome)) return;
  if (again && isSettled(history, phase, phase.againRevision)) {
    findings.meet('idempotent');
    const second = 'value' in again ? again.value : undefined;
    const found =
      'error' in again
        ? `is refused: ${String(again.error)}`
        : difference(second, outcome.value, attributes.object);
    if (found !== undefined) {
      findings.report('idempotent', endMs, `${nameOf(phase)}: the result is admitted again, and ${found}`);
    }
  }
  if (calls.some(({ patch }) => patch !== undefined) || attributes.operation !== 'CREATE') return;
  const lost = firstLost(attributes.object, outcome.value, '');
  if (lost !== undefined) findings.report('keeps', endMs, `${nameOf(phase)}: ${lost}`);
}

/** Returns the first given value that is missing or another one, in words. */
function firstLost(given: unknown, result: unknown, path: string): string | undefined {
  if (typeof given !== 'object' || given === null) {
    return given === result
      ? undefined
      : `${path} was ${String(given)} and became ${JSON.stringify(result) ?? 'absent'}`;
  }
  for (const [key, value] of Object.entries(given)) {
    const next = (result as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (value === '' && key === 'priorityClassName') continue;
    const lost = firstLost(value, next, path ? `${path}.${key}` : key);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/**
 * An apiserver forgets after this time that it deleted a namespace.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go forceLiveLookupTTL
 */
const REMEMBERED_MS = 30_000;

/** New objects come only into namespaces that exist and do not end, as far as the apiserver can know. */
function judgeNamespace(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const { attributes, outcome, cachedRevision, startRevision, endRevision = startRevision } = phase;
  const { namespace, operation, resource } = attributes;
  if (!outcome || operation !== 'CREATE' || namespace === '' || groupResource(resource) === 'namespaces')
    return;
  const states = (from: number) => {
    const revisions = history.writes.map(({ revision }) => revision);
    const seen = [from, ...revisions.filter((each) => each > from && each <= endRevision)];
    return new Set(seen.map((revision) => phaseOf(history, namespace, revision)));
  };
  const live = states(startRevision);
  const known = new Set([...states(cachedRevision), ...live]);
  const ended = history.requests.some(
    (each) =>
      each.plan.verb === 'delete' &&
      !each.plan.dryRun &&
      each.plan.object.kind === 'namespace' &&
      each.outcome !== undefined &&
      'value' in each.outcome &&
      each.phases.some((one) => one.server === phase.server && one.attributes.name === namespace) &&
      (each.endMs ?? 0) <= phase.startMs &&
      phase.startMs - (each.endMs ?? 0) < REMEMBERED_MS,
  );
  const status = statusOf(outcome);
  const report = (what: string): void =>
    findings.report('namespaces', phase.endMs ?? phase.startMs, `${nameOf(phase)} ${what}`);
  if (known.has('Terminating') || known.has('missing')) findings.meet('namespaces');
  if (!status && 'value' in outcome) {
    if (!known.has('Active')) report(`was accepted although the namespace ${namespace} ${stateIn(known)}`);
    else if (ended && !live.has('Active')) {
      report(`was accepted although this apiserver itself had just deleted the namespace ${namespace}`);
    }
    return;
  }
  if (status?.message.includes(`namespaces "${namespace}" not found`) && !live.has('missing')) {
    report('got a 404 although the namespace exists: the cache was behind');
  }
  const endMs = phase.endMs ?? phase.startMs;
  if (
    status?.message.includes(`namespaces "${namespace}" not found`) &&
    endMs - phase.startMs > NOT_FOUND_MS
  ) {
    report(`got its 404 only after ${endMs - phase.startMs} ms`);
  }
  if (!status?.message.includes('because it is being terminated')) return;
  if (!known.has('Terminating')) report(`was refused although the namespace ${namespace} does not end`);
  // A controller stops its creates by this cause.
  const causes = status.details?.causes ?? [];
  if (!causes.some(({ reason }) => reason === 'NamespaceTerminating')) {
    report('was refused without the cause NamespaceTerminating');
  }
}

/** A 404 for a missing namespace takes at most this time, with everything that the apiserver waits for. */
const NOT_FOUND_MS = 2_000;

const stateIn = (states: ReadonlySet<string>): string =>
  states.has('Terminating') ? 'was being terminated' : 'did not exist';

/** How long the apiserver at least waits for the account `default`, which a controller creates. */
const PATIENCE_MS = 900;

/** A pod is not refused because the cache does not have its account yet. */
function judgeAccount(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const status = statusOf(phase.outcome);
  const [, namespace = '', name = ''] =
    /error looking up service account ([^/]*)\/([^:]*):/.exec(status?.message ?? '') ?? [];
  if (name === '') return;
  const { startRevision, endRevision = startRevision, startMs, endMs = startMs } = phase;
  const revisions = [startRevision];
  for (const { revision } of history.writes) {
    if (revision > startRevision && revision <= endRevision) revisions.push(revision);
  }
  const isThere = (revision: number): boolean =>
    history.read(serviceAccounts as Resource, { namespace, name }, revision) !== undefined;
  const report = (what: string): void =>
    findings.report('completes', endMs, `${nameOf(phase)} was refused ${what}`);
  if (revisions.every(isThere)) report(`although the account ${name} exists: the cache was behind`);
  else if (name === 'default' && endMs - startMs < PATIENCE_MS) {
    report(`after ${endMs - startMs} ms: the account default comes soon after its namespace`);
  }
}
