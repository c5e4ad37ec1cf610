import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import type { Operation, Step } from './operations.ts';
import type { EndpointsScenario } from './scenario.ts';

/** Describes a scenario of the controllers, one line per step. */
export function describeScenario(scenario: EndpointsScenario): readonly string[] {
  return [
    ...sayCircumstances(scenario),
    ...(scenario.before.length > 0
      ? ['before the controllers start:', ...scenario.before.map((step) => `  ${describeStep(step)}`)]
      : []),
    ...saySteps(scenario.steps, describeStep),
    ...sayHealing(scenario.steps),
  ];
}

function describeStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : describeOperation(step);
}

function describeOperation(operation: Operation): string {
  switch (operation.do) {
    case 'serve': {
      const more = [
        operation.unready && 'publishes pods that are not ready',
        operation.distribution && `prefers ${operation.distribution}`,
      ].filter(Boolean);
      return `create Service ${operation.service}${more.length > 0 ? `, which ${more.join(' and ')}` : ''}`;
    }
    case 'unserve':
      return `delete Service ${operation.service}`;
    case 'remake':
      return `delete Service ${operation.service} and recreate it`;
    case 'label':
      return `label Service ${operation.service} tier=${operation.as}`;
    case 'distribute':
      return `Service ${operation.service} prefers ${operation.as ?? 'no endpoint'}`;
    case 'run':
      return describePod(operation);
    case 'flip':
      return `the ${ordinal(operation.pod)} living pod changes its readiness${operation.times > 1 ? ` ${operation.times} times` : ''}`;
    case 'end':
      return `the ${ordinal(operation.pod)} living pod terminates: ${operation.phase}${operation.unready ? ', and is not ready' : ''}`;
    case 'delete':
      return `delete the ${ordinal(operation.pod)} pod`;
    case 'reap':
      return 'the pods that are being deleted stop, and are removed';
    case 'vanish':
      return `the ${ordinal(operation.pod)} pod disappears at once`;
    case 'relabel':
      return `label the ${ordinal(operation.pod)} pod as one of ${operation.tier}`;
    case 'annotate':
      return `annotate the ${ordinal(operation.pod)} pod`;
    case 'join':
      return 'node-3 joins the cluster';
    case 'meddle':
      return `${MEDDLING[operation.how]} the ${ordinal(operation.slice)} slice`;
    case 'forget':
      return `delete Endpoints ${operation.service}`;
    case 'collect':
      return 'the garbage collector removes the slices of deleted Services';
  }
}

const MEDDLING = {
  delete: 'a user deletes',
  empty: 'a user takes all endpoints out of',
  unready: 'a user turns the readiness of all endpoints in',
  give: 'a user gives another Service',
};

function describePod({ tier, node, http, ready, reuses, named }: Operation & { do: 'run' }): string {
  const port = http === 0 ? 'with a UDP port http' : `with port http ${http}`;
  const more = [reuses && 'with the address of one that ends', named && 'with a name below peers'].filter(
    Boolean,
  );
  return [`run a pod of ${tier} on ${node}`, port, ready ? 'ready' : 'not ready', ...more].join(', ');
}

function ordinal(index: number): string {
  return ['first', 'second', 'third'][index] ?? `${index + 1}th`;
}
