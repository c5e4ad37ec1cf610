import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import {
  type ClaimPlan,
  nameOf,
  type Operation,
  type VolumePlan,
  type VolumesScenario,
} from './operations.ts';

/** Renders a scenario, one line per step. */
export function describeScenario(scenario: VolumesScenario): readonly string[] {
  const { steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : sayOperation(step))),
    ...sayHealing(steps),
  ];
}

function sayOperation(operation: Operation): string | undefined {
  const { n } = operation;
  switch (operation.do) {
    case 'volume':
      return `the administrator creates ${nameOf.volume(n)}: ${sayVolume(operation)}`;
    case 'claim':
      return `the user creates ${nameOf.claim(n)}: ${sayClaim(operation)}`;
    case 'pod':
      return `the user creates ${nameOf.pod(n)} with ${operation.claims.map(nameOf.claim).join(' and ')}`;
    case 'delete':
      return `the user deletes ${nameOf[operation.kind](n)}`;
    case 'replace':
      return `${nameOf.claim(n)} is removed by force, and created again`;
    case 'destroy':
      return `${nameOf.volume(n)} is removed by force`;
    case 'ask':
      return `the user asks for ${nameOf.volume(operation.volume)} for ${nameOf.claim(n)}`;
    case 'retain':
      return `the administrator sets the policy of ${nameOf.volume(n)} to Retain`;
    case 'free':
      return `the administrator frees ${nameOf.volume(n)}`;
    case 'leave':
      return `${nameOf.node(n)} leaves`;
    case 'join':
      return `${nameOf.node(n)} joins`;
    case 'wait':
      return undefined;
  }
}

const sayModes = (many: boolean): string => (many ? 'ReadWriteOnce and ReadOnlyMany' : 'ReadWriteOnce');
const sayClass = (name: string): string => (name === '' ? 'no class' : `class ${name}`);

function sayVolume({
  gib,
  many,
  className,
  policy,
  isTemporary,
  tier,
  reservedFor,
  node,
}: VolumePlan): string {
  return [
    `${gib}Gi, ${sayModes(many)}, ${sayClass(className)}, ${policy}, ${tier}`,
    ...(isTemporary ? ['in /tmp'] : []),
    ...(reservedFor === undefined ? [] : [`reserved for ${nameOf.claim(reservedFor)}`]),
    ...(node === undefined ? [] : [`on ${nameOf.node(node)}`]),
  ].join(', ');
}

function sayClaim({ gib, many, className, tier, volume }: ClaimPlan): string {
  return [
    `${gib}Gi, ${sayModes(many)}, ${className === undefined ? 'the default class' : sayClass(className)}`,
    ...(tier === undefined ? [] : [`selects ${tier} volumes`]),
    ...(volume === undefined ? [] : [`asks for ${nameOf.volume(volume)}`]),
  ].join(', ');
}
