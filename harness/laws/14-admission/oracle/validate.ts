import type { KubeObject, Pod, PriorityClass } from '../../../api/objects.ts';
import { groupResource } from '../../../api/resource.ts';
import type { Status } from '../../../api/status.ts';
import { type AdmissionHistory, type Outcome, type Phase, statusOf } from '../history.ts';
import { type HookPlan, nameOfHook } from '../scenario/hooks.ts';
import { verdictOf } from './answers.ts';
import { difference } from './compare.ts';
import { type FactsAt, factsAt, isSettled } from './facts.ts';
import { type Findings, type LawName, nameOf } from './findings.ts';
import { isWithinLimits } from './limits.ts';
import { hooksAt, isCalled } from './matching.ts';
import { mustWarn, violatesPodSecurity } from './pod-security.ts';
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
  const isMissing = attributes.namespace !== '' && !facts.namespace && attributes.operation !== 'CREATE';
  if (isMissing || lacksAccount(attributes, facts)) return;

  const own = pluginReasons(phase, history, findings);
  const { hooks } = history.scenario.facts;
  const labels = facts.namespace?.metadata.labels;
  const wanted = hooksAt(history, 'validating', cachedRevision).filter((index) =>
    isCalled(hooks[index] as HookPlan, attributes, attributes.object, labels),
  );
  const isUnsafe = (index: number): boolean =>
    attributes.dryRun && ['Some', 'Unknown'].includes(hooks[index]?.sideEffects ?? 'None');
  if (wanted.length > 0 && calls.length === 0 && own.length === 0 && endMs >= attributes.deadlineMs) {
    findings.meet('onTime');
    const why = 'expected a 504, because the time of the request was over before its first webhook';
    if (statusOf(outcome)?.code !== 504) report('onTime', `${why}; it ${resultOf(outcome)}`);
    return;
  }
  const expected = wanted.filter((index) => !isUnsafe(index));
  const called = calls.map(({ hook }) => hook).toSorted((a, b) => a - b);
  if (expected.length > 0) findings.meet('called', 'final');
  if (expected.length > 1) findings.meet('allAsked');
  // A plugin before the webhooks may refuse first.
  if (own.length === 0 || calls.length > 0) {
    const missing = expected.find((index) => !called.includes(index));
    const extra = called.find((index, i) => !wanted.includes(index) || called.indexOf(index) !== i);
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
    for (const call of calls) reasons.push(...hookReasons(history, phase, findings, call));
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

/** Returns whether a quota can be the reason of a refusal: it is full, or too many conflicts about it. */
const isByQuota = ({ code, message }: Status): boolean =>
  (code === 403 && message.includes('quota')) || (code === 409 && message.includes('has been modified'));

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
  const violated = violatesPodSecurity(attributes, facts.namespace);
  if (violated) forbids('podSecurity', violated, 'violates PodSecurity');
  const isWarned = phase.warnings.some((text) => text.includes('would violate PodSecurity'));
  if (
    !violated &&
    phase.outcome &&
    'value' in phase.outcome &&
    isWarned !== mustWarn(attributes, facts.namespace)
  ) {
    const what = isWarned ? 'a warning about its security' : 'no warning, although it violates the standard';
    findings.report('podSecurity', phase.endMs ?? phase.startMs, `${nameOf(phase)} got ${what}`);
  }
  return reasons;
}

/** Returns the reason of a webhook to refuse the request, if it has one. */
function hookReasons(
  history: AdmissionHistory,
  phase: Phase,
  findings: Findings,
  call: Phase['calls'][number],
): readonly Reason[] {
  const hook = history.scenario.facts.hooks[call.hook] as HookPlan;
  const verdict = verdictOf(history, hook, call, phase, phase.attributes.object);
  const name = nameOfHook(call.hook);
  if (verdict.is === 'refuse') {
    findings.meet('refusals');
    return [
      {
        law: 'refusals',
        text: `${name} denied it`,
        isTheOne: (code, message) =>
          code === verdict.code && message.includes(`admission webhook "${name}" denied the request`),
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
      isTheOne: (code, message) => code === 500 && message.includes(`failed calling webhook "${name}"`),
    },
  ];
}
