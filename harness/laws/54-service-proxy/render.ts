import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import type { Backend, ProxyScenario, Shape, Step } from './scenario.ts';

/** Describes a scenario of the service proxy, one line per step. */
export function describeScenario(scenario: ProxyScenario): readonly string[] {
  return [...sayCircumstances(scenario), ...saySteps(scenario.steps, describeStep), 'then faults stop'];
}

function describeStep(step: Step): string {
  if ('strike' in step) return sayFault(step.strike);
  switch (step.do) {
    case 'service':
      return `the service ${step.service} is ${describeShape(step.shape)}`;
    case 'delete':
      return `the service ${step.service} is deleted`;
    case 'endpoints': {
      const hints = step.hints === 'none' ? '' : `, hints: ${step.hints}`;
      return `the endpoints of ${step.service} are ${step.backends.map(describeBackend).join(', ') || 'no pods'}${hints}`;
    }
    case 'repeat':
      return `a slice of ${step.service} is written again`;
    case 'kill':
      return `the proxy crashes, and restarts after ${step.awayMs} ms`;
    case 'flush':
      return 'all rules are deleted';
    case 'rest':
      return 'faults stop, and there is time to converge';
  }
}

function describeShape({ external, isExternalLocal, isInternalLocal, isSticky, isGuarded }: Shape): string {
  return [
    external === 'none' ? 'within' : external,
    ...(isExternalLocal && external !== 'none' ? ['external Local'] : []),
    ...(isInternalLocal ? ['internal Local'] : []),
    ...(isSticky ? ['sticky'] : []),
    ...(isGuarded && external === 'load-balancer' ? ['guarded'] : []),
  ].join(', ');
}

function describeBackend({ pod, state, slice, ghost }: Backend): string {
  return `${pod} ${state}${slice === 1 ? ' (second slice)' : ''}${ghost ? ` with a ${ghost} ghost` : ''}`;
}
