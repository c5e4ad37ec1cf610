import { sayCircumstances, saySteps } from '../../../testing/telling.ts';
import { type Outcome, statusOf } from '../history.ts';
import { type AnswerPlan, type HookPlan, nameOfHook, type PatchPlan } from '../scenario/hooks.ts';
import {
  type AdmissionScenario,
  type Change,
  nameOfNamespace,
  type ObjectPlan,
  type Operation,
} from '../scenario/index.ts';

/** Renders a scenario, one line for each object of the beginning and each step. */
export function describeScenario(scenario: AdmissionScenario): readonly string[] {
  const { facts, steps } = scenario;
  const { namespaces, ranges, classes, accounts, quotas, hooks } = facts;
  return [
    ...sayCircumstances(scenario),
    ...namespaces.flatMap((labels, i) =>
      Object.keys(labels).length > 0 ? [`${nameOfNamespace(i)} has the labels ${compact(labels)}`] : [],
    ),
    ...(facts.disabled ?? []).map((name) => `the plugin ${name} is disabled`),
    ...Object.entries(facts.nodes ?? {}).map(([name, own]) => `node ${name} ${compact(own)}`),
    ...ranges.map(
      ({ namespace, limits }) => `${nameOfNamespace(namespace)} has the LimitRange ${compact(limits)}`,
    ),
    ...classes.map((plan) => `PriorityClass ${compact(plan)}`),
    ...accounts.map((plan) => `ServiceAccount ${compact(plan)}`),
    ...quotas.map(
      ({ namespace, ...rest }, i) => `quota-${i} in ${nameOfNamespace(namespace)}: ${compact(rest)}`,
    ),
    ...hooks.map((hook, i) => `${nameOfHook(i)}: ${describeHook(hook)}`),
    ...saySteps(steps, describeStep),
  ];
}

const compact = (value: unknown): string => JSON.stringify(value).replaceAll('"', '');

function describeHook(hook: HookPlan): string {
  const { phase, config, rules, answer, failurePolicy = 'Fail', ...rest } = hook;
  const ruled = rules.map(({ operations, resources, ...more }) =>
    [
      operations.join('|'),
      resources.join('|'),
      ...Object.entries(more).map(([key, value]) => `${key}=${value}`),
    ].join(' '),
  );
  const options = Object.entries(rest).map(([key, value]) => `${key}=${compact(value)}`);
  return [`${phase} in ${config}`, ruled.join('; '), failurePolicy, ...options, describeAnswer(answer)].join(
    ', ',
  );
}

function describeAnswer(answer: AnswerPlan): string {
  const late = 'afterMs' in answer && answer.afterMs ? ` after ${answer.afterMs} ms` : '';
  const warned = 'warning' in answer && answer.warning ? ' with a warning' : '';
  switch (answer.is) {
    case 'allow':
      return `allows${late}${warned}`;
    case 'deny':
      return `denies${late}${answer.code ? ` with ${answer.code}` : ''}${warned}`;
    case 'patch':
      return `patches${late}${warned}: ${describePatch(answer.patch)}`;
    case 'broken':
      return `answers wrongly: ${answer.how}`;
    case 'hang':
      return 'never answers';
  }
}

function describePatch(patch: PatchPlan): string {
  if (patch.to === 'label') return `label ${patch.key}=${patch.value}`;
  return 'key' in patch ? `${patch.to} ${patch.key}` : patch.to;
}

/** Renders a step. */
export function describeStep(step: Operation): string {
  if (step.do === 'change') return describeChange(step.change);
  if (step.do === 'hold') return `the cache of apiserver ${step.server} stops`;
  if (step.do === 'release') return `the cache of apiserver ${step.server} goes on`;
  const { verb, object, server, dryRun, node, by, token } = step;
  const notes = [
    ...(server > 0 ? [`apiserver ${server}`] : []),
    ...(dryRun ? ['dry run'] : []),
    ...(token ? [`token ${compact(token)}`] : []),
    ...(node ? [`by the kubelet of ${node}`] : []),
    ...(by ? [`by ${by === 'administrator' ? 'an administrator' : 'a controller'}`] : []),
  ];
  return `${verb} ${describeObject(object)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function describeObject(plan: ObjectPlan): string {
  if (plan.kind === 'class') return `class ${compact(plan.plan)}`;
  if (plan.kind === 'hooks') return `${plan.phase} webhook configuration ${plan.name}`;
  const { kind, name, labels, ...rest } = plan;
  const { namespace, ...more } = { namespace: undefined, ...rest };
  const where = namespace === undefined ? '' : `${nameOfNamespace(namespace)}/`;
  const labelled = labels && Object.keys(labels).length > 0 ? ` labels ${compact(labels)}` : '';
  const spec = Object.keys(more).length > 0 ? ` ${compact(more)}` : '';
  return `${kind} ${where}${name}${labelled}${spec}`;
}

function describeChange(change: Change): string {
  if (change.of === 'no quota' || change.of === 'busy quota') {
    const name = `quota-${change.index} in ${nameOfNamespace(change.namespace)}`;
    return change.of === 'no quota'
      ? `the admin deletes ${name}`
      : `for ${change.forMs} ms the admin annotates ${name} each millisecond`;
  }
  if (change.of === 'quota fault') return `for ${change.forMs} ms writes of quotas fail`;
  const { of, ...rest } = change;
  return `the admin changes ${of}: ${compact(rest)}`;
}

/** Renders the end of a request. */
export function describeOutcome(outcome: Outcome<unknown>): string {
  if ('value' in outcome) return 'accepted';
  const status = statusOf(outcome);
  return status ? `${status.code} ${status.message}` : String(outcome.error);
}
