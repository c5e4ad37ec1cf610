import { saySteps } from '../../../testing/telling.ts';
import type { AccessScenario, Step, TokenPlan } from '../scenario/index.ts';
import { renderStep } from './history.ts';

/** Describes a scenario, one line per step. */
export function describeScenario({ configuration, steps }: AccessScenario): readonly string[] {
  const { anonymous, authorizers } = configuration;
  const flags = [
    ...(anonymous === true ? [] : [`anonymous ${JSON.stringify(anonymous)}`]),
    ...(authorizers.join() === 'RBAC' ? [] : [`the authorizers ${authorizers.join(', ')}`]),
  ];
  return [
    ...(flags.length > 0 ? [`an apiserver with ${flags.join(' and ')}`] : []),
    ...saySteps(steps, describeStep),
  ];
}

function describeStep(step: Step): string {
  if (step.act === 'issue') return `the cluster issues the token ${step.token} ${describeToken(step.plan)}`;
  if (step.act === 'review') return `a review of "${step.header}" for ${step.audiences.join(', ')}`;
  const row = renderStep(step);
  if (!row) return step.act;
  const refers =
    'object' in step && step.object.kind === 'Pod'
      ? `${step.object.mirror ? ' (mirror pod)' : ''} on ${step.object.node ?? 'no node'} with ${JSON.stringify(step.object.refers ?? [])}`
      : '';
  const stays = 'object' in step && step.object.finalized ? ' with a finalizer' : '';
  return [row.actor, row.verb, row.object, row.note].filter(Boolean).join(' ') + refers + stays;
}

function describeToken({
  namespace,
  account,
  bound,
  audiences,
  seconds,
  laterSeconds,
  withoutUid,
  flaw,
}: TokenPlan): string {
  const parts = [
    `for ${namespace}/${account}`,
    bound && `bound to ${bound.kind} ${bound.name}`,
    `for ${audiences.join(', ')}`,
    `for ${seconds} s`,
    laterSeconds && `from ${JSON.stringify(laterSeconds)} s later`,
    withoutUid && `without the uid of its ${withoutUid === 'account' ? 'account' : 'object'}`,
    flaw && `(${flaw})`,
  ];
  return parts.filter(Boolean).join(', ');
}
