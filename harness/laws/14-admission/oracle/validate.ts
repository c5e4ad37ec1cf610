import type { KubeObject, Pod, PriorityClass } from '../../../api/objects.ts';
import { groupResource, pods, type Resource } from '../../../api/resource.ts';
import type { Status } from '../../../api/status.ts';
import { type AdmissionHistory, FAULT, type Outcome, type Phase, statusOf } from '../history.ts';
import { type HookPlan, isAskable, nameOfHook, storedNameOf } from '../scenario/hooks.ts';
import { type Verdict, verdictOf } from './answers.ts';
import { difference } from './compare.ts';
import { type FactsAt, factsAt, isSettled } from './facts.ts';
import { type Findings, type LawName, nameOf } from './findings.ts';
import { isWithinLimits } from './limits.ts';
import { hooksAt, isCalled, isLost } from './matching.ts';
import { hasNewTypingError, securityTexts, warningAboutPods } from './pod-security.ts';
import { quotasAt } from './quota.ts';

/** A reason to refuse a request. */
interface Reason {
  readonly law: LawName;
  readonly text: string;
  isTheOne(code: number, message: string): boolean;
}

/** Judges one call of `validate`, if everything that its plugins read is known. Quotas have laws of their own. */
export function judgeValidate(history: AdmissionHistory, phase: Phase, findings: Findings): void {
  const { attributes, outcome, calls, cachedRevision, startMs, endMs = startMs } = phase;
  if (outcome === undefined || !isSettled(history, phase)) return;
  const facts = factsAt(history, attributes.namespace, cachedRevision);
  const report = (law: LawName, what: string): void =>
    findings.report(law, endMs, `${nameOf(phase)}: ${what}`);
  const { operation } = attributes;
  const isChange = operation === 'UPDATE' || operation === 'DELETE';
  const isMissing = attributes.namespace !== '' && !facts.namespace && isChange;
  if (isMissing || lacksAccount(attributes, facts)) return;

  const own = pluginReasons(phase, history, findings);
  const { hooks } = history.scenario.facts;
  const labels = facts.namespace && (facts.namespace.metadata.labels ?? {});
  const all = hooksAt(history, 'validating', cachedRevision);
  if (all.some((index) => isLost(hooks[index] as HookPlan, attributes, attributes.object, labels))) {
    findings.meet('called');
    const why = 'expected a 404, because a webhook selects by the labels of a missing namespace';
    if (statusOf(outcome)?.code !== 404 || calls.length > 0)
      report('called', `${why}; it ${resultOf(outcome)}`);
    return;
  }
  const wanted = all.filter((index) =>
    isCalled(hooks[index] as HookPlan, attributes, attributes.object, labels),
  );
  if (wanted.length === 0 && statusOf(outcome)?.code === 504) {
    report('onTime', 'got a 504 although no webhook matches');
    return;
  }
  const canAsk = (index: number): boolean => isAskable(hooks[index] as HookPlan);
  const isUnsafe = (index: number): boolean =>
    attributes.dryRun && ['Some', 'Unknown'].includes(hooks[index]?.sideEffects ?? 'None');
  if (wanted.length > 0 && calls.length === 0 && own.length === 0 && endMs >= attributes.deadlineMs) {
    findings.meet('onTime');
    const why = 'expected a 504, because the time of the request was over before its first webhook';
    if (statusOf(outcome)?.code !== 504) report('onTime', `${why}; it ${resultOf(outcome)}`);
    return;
  }
  const expected = wanted.filter((index) => !isUnsafe(index) && canAsk(index));
  const called = calls.map(({ hook }) => hook).toSorted((a, b) => a - b);
  if (expected.length > 0) findings.meet('called', 'final');
  if (expected.length > 1) findings.meet('allAsked');
  // A plugin before the webhooks may refuse first.
  if (own.length === 0 || calls.length > 0) {
    const missing = expected.find((index) => !called.includes(index));
    const extra = called.find(
      (index, i) => !wanted.includes(index) || !canAsk(index) || called.indexOf(index) !== i,
    );
    if (extra !== undefined)
      report('called', `${nameOfHook(extra)} was called to validate although it does not match, or twice`);
    if (missing !== undefined) {
      const law = calls.length > 0 ? 'allAsked' : 'called';
      report(law, `${nameOfHook(missing)} was not called to validate although it matches`);
    }
    const unsafe = called.find(isUnsafe);
    if (unsafe !== undefined)
      report('dryRun', `${nameOfHook(unsafe)} has side effects and was called in a dry run`);
    if (extra !== undefined || missing !== undefined || unsafe !== undefined) return;
  }
  if (new Set(calls.map((call) => call.startMs)).size > 1) {
    report('allAsked', 'the validating webhooks were not called at the same time');
  }
  for (const call of calls) {
    const seen = (call.review.request?.object ?? undefined) as KubeObject | undefined;
    const found = difference(seen, attributes.object, undefined);
    if (found !== undefined)
      report('final', `${nameOfHook(call.hook)} validated another object than will be stored: ${found}`);
  }
  const reasons = [...own];
  if (calls.length > 0 || own.length === 0) {
    for (const index of wanted.filter(isUnsafe)) {
      findings.meet('dryRun');
      reasons.push({
        law: 'dryRun',
        text: `${nameOfHook(index)} has side effects`,
        isTheOne: (code) => code === 400,
      });
    }
    for (const [position, index] of wanted.entries()) {
      const call = calls.find(({ hook }) => hook === index);
      if (!call && (canAsk(index) || isUnsafe(index))) continue;
      const hook = hooks[index] as HookPlan;
      const verdict: Verdict = call
        ? verdictOf(history, hook, call, phase, attributes.object)
        : { is: 'fail' };
      reasons.push(...hookReasons(hook, index, verdict, findings));
      const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${position}`;
      const isOpen = verdict.is === 'fail' && hook.failurePolicy === 'Ignore';
      if (isOpen && phase.annotations.get(key) !== storedNameOf(hook, index)) {
        report(
          'policy',
          `${nameOfHook(index)} failed without consequences, and the audit log does not say so`,
        );
      }
    }
  }
  judgeOutcome(phase, reasons, history, report);
}

function resultOf(outcome: Outcome<unknown>): string {
  const status = statusOf(outcome);
  return status ? `got a ${status.code}: ${status.message}` : 'went on';
}

/** Returns whether the account of a new pod is gone since its admission. The apiserver may look again. */
function lacksAccount(
  { resource, operation, subresource, object }: Phase['attributes'],
  facts: FactsAt,
): boolean {
  const isNewPod = groupResource(resource) === 'pods' && operation === 'CREATE' && subresource === '';
  const { serviceAccountName = '' } = (object as Pod | undefined)?.spec ?? {};
  return isNewPod && serviceAccountName !== '' && facts.account(serviceAccountName) === undefined;
}

function judgeOutcome(
  phase: Phase,
  reasons: readonly Reason[],
  history: AdmissionHistory,
  report: (law: LawName, what: string) => void,
): void {
  const { outcome, attributes, cachedRevision } = phase;
  const status = statusOf(outcome);
  const [first] = reasons;
  if (first) {
    if (outcome && 'value' in outcome) report(first.law, `was accepted although ${first.text}`);
    else if (status && !reasons.some(({ isTheOne }) => isTheOne(status.code, status.message))) {
      report(first.law, `got a ${status.code}: ${status.message}, although ${first.text}`);
    }
    return;
  }
  const isOver = (phase.endMs ?? 0) >= attributes.deadlineMs;
  const hasQuotas = quotasAt(history, attributes.namespace, cachedRevision).length > 0;
  if (!status || isOver) return;
  const isFailure = status.message.includes('failed calling webhook');
  if (hasQuotas && isByQuota(status)) return;
  const law = isFailure ? 'policy' : hasQuotas ? 'charged' : 'admits';
  report(law, `was refused without a reason: ${status.code} ${status.message}`);
}

/** Returns whether a quota can be the reason of a refusal: it is full, or nobody can write it. */
const isByQuota = ({ code, message }: Status): boolean =>
  (code === 403 && message.includes('quota')) ||
  (code === 409 && message.includes('has been modified')) ||
  (code === 500 && message.includes(FAULT));

/** Returns the reasons of the apiserver's own plugins, except quotas. */
function pluginReasons(phase: Phase, history: AdmissionHistory, findings: Findings): Reason[] {
  const { attributes, cachedRevision } = phase;
  const { object, resource, operation, subresource, namespace, name } = attributes;
  const facts = factsAt(history, namespace, cachedRevision);
  const reasons: Reason[] = [];
  const forbids = (law: LawName, text: string, contains = ''): void => {
    findings.meet(law);
    reasons.push({ law, text, isTheOne: (code, message) => code === 403 && message.includes(contains) });
  };
  if (!isWithinLimits(object, attributes, facts.ranges))
    forbids('withinLimits', 'it is outside its LimitRange');
  const isWrite = operation === 'CREATE' || operation === 'UPDATE';
  if (groupResource(resource) === 'priorityclasses.scheduling.k8s.io' && subresource === '' && isWrite) {
    const others = facts.classes.filter(
      ({ globalDefault, metadata }) => globalDefault && (operation === 'CREATE' || metadata.name !== name),
    );
    if ((object as PriorityClass | undefined)?.globalDefault && others.length > 0) {
      forbids('oneDefault', 'another PriorityClass is the default', 'is already marked as default');
    }
  }
  reasons.push(...securityReasons(phase, history, findings));
  return reasons;
}

/** Returns the reasons of PodSecurity, and compares its warnings and its entry in the audit log. */
function securityReasons(phase: Phase, history: AdmissionHistory, findings: Findings): Reason[] {
  const { attributes, outcome, startRevision, cachedRevision, annotations, endMs = 0 } = phase;
  const { resource, subresource, namespace } = attributes;
  const report = (what: string): void => findings.report('podSecurity', endMs, `${nameOf(phase)} ${what}`);
  const isAccepted = outcome !== undefined && 'value' in outcome;
  const hasWarned = (text: string): boolean => phase.warnings.some((each) => each.startsWith(text));
  if (groupResource(resource) === 'namespaces' && subresource === '' && attributes.object) {
    if (hasNewTypingError(attributes)) {
      findings.meet('podSecurity');
      const text = 'a label of its standard has a typing error';
      return [{ law: 'podSecurity', text, isTheOne: (code) => code === 422 }];
    }
    const all = history.list(pods as Resource, namespace, startRevision) as readonly Pod[];
    const expected = warningAboutPods(attributes, all);
    if (isAccepted && expected && !hasWarned(expected)) report('got no warning about its pods');
    if (!expected && hasWarned('existing pods')) report('got a warning about its pods');
    return [];
  }
  const texts = securityTexts(attributes, factsAt(history, namespace, cachedRevision).namespace);
  const { refusal, warning, audit, why } = texts;
  if (isAccepted && !refusal) {
    if (warning && !hasWarned(warning)) report(`got no warning that begins with: ${warning}`);
    if (!warning && hasWarned('would violate PodSecurity')) report('got a warning about its security');
  }
  const isRefused = statusOf(outcome)?.message.includes('violates PodSecurity') ?? false;
  const audited = annotations.get('pod-security.kubernetes.io/audit-violations');
  if ((isAccepted || isRefused) && !(audited ?? '').startsWith(audit ?? '')) {
    report(`has no entry in the audit log that begins with: ${audit}`);
  }
  if (audited && !audit) report('has an entry in the audit log about its security');
  if (refusal === undefined) return [];
  findings.meet('podSecurity');
  const isTheOne: Reason['isTheOne'] = (code, message) => code === 403 && message.includes(refusal);
  return [{ law: 'podSecurity', text: `it ${refusal}${why}`, isTheOne }];
}

/** Returns the reason of a webhook to refuse the request, if it has one. */
function hookReasons(hook: HookPlan, index: number, verdict: Verdict, findings: Findings): readonly Reason[] {
  const [name, own] = [nameOfHook(index), storedNameOf(hook, index)];
  if (verdict.is === 'refuse') {
    findings.meet('refusals');
    return [
      {
        law: 'refusals',
        text: `${name} denied it`,
        isTheOne: (code, message) =>
          code === verdict.code && message.includes(`admission webhook "${own}" denied the request`),
      },
    ];
  }
  if (verdict.is === 'pass' || verdict.is === 'unknown') return [];
  findings.meet('policy');
  if (hook.failurePolicy === 'Ignore') return [];
  return [
    {
      law: 'policy',
      text: `${name} failed and its policy is Fail`,
      isTheOne: (code, message) => code === 500 && message.includes(`failed calling webhook "${own}"`),
    },
  ];
}
