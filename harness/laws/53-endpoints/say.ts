import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import type { EndpointsScenario } from './scenario.ts';
import type { Deed, Step } from './step.ts';

/** What the controllers are put through, in words: a line a step. */
export function sayScenario(scenario: EndpointsScenario): readonly string[] {
  return [
    ...sayCircumstances(scenario),
    ...(scenario.before.length > 0
      ? ['before the controllers start:', ...scenario.before.map((step) => `  ${sayStep(step)}`)]
      : []),
    ...saySteps(scenario.steps, sayStep),
    ...sayHealing(scenario.steps),
  ];
}

function sayStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : sayDeed(step);
}

function sayDeed(deed: Deed): string {
  switch (deed.do) {
    case 'serve': {
      const more = [
        deed.unready && 'publishes pods that are not ready',
        deed.distribution && `prefers ${deed.distribution}`,
      ].filter(Boolean);
      return `create Service ${deed.service}${more.length > 0 ? `, which ${more.join(' and ')}` : ''}`;
    }
    case 'unserve':
      return `delete Service ${deed.service}`;
    case 'remake':
      return `delete Service ${deed.service} and create it again`;
    case 'label':
      return `label Service ${deed.service} tier=${deed.as}`;
    case 'distribute':
      return `Service ${deed.service} prefers ${deed.as ?? 'no endpoint'}`;
    case 'run':
      return sayPod(deed);
    case 'flip':
      return `the ${ordinal(deed.pod)} living pod changes its readiness${deed.times > 1 ? ` ${deed.times} times` : ''}`;
    case 'end':
      return `the ${ordinal(deed.pod)} living pod ends: ${deed.phase}${deed.unready ? ', and is not ready' : ''}`;
    case 'delete':
      return `delete the ${ordinal(deed.pod)} pod`;
    case 'reap':
      return 'the pods that are being deleted have stopped, and are gone';
    case 'vanish':
      return `the ${ordinal(deed.pod)} pod is gone at once`;
    case 'relabel':
      return `label the ${ordinal(deed.pod)} pod as one of ${deed.tier}`;
    case 'annotate':
      return `annotate the ${ordinal(deed.pod)} pod`;
    case 'join':
      return 'node-3 joins the cluster';
    case 'meddle':
      return `${MEDDLING[deed.how]} the ${ordinal(deed.slice)} slice`;
    case 'forget':
      return `delete Endpoints ${deed.service}`;
    case 'collect':
      return 'the garbage collector removes slices whose Service has gone';
  }
}

const MEDDLING = {
  delete: 'a user deletes',
  empty: 'a user takes all endpoints out of',
  unready: 'a user turns the readiness of all endpoints in',
  give: 'a user gives another Service',
};

function sayPod({ tier, node, http, ready, reuses, named }: Deed & { do: 'run' }): string {
  const port = http === 0 ? 'without a port of the name http' : `with port http ${http}`;
  const more = [reuses && 'with the address of one that ends', named && 'with a name below peers'].filter(
    Boolean,
  );
  return [`run a pod of ${tier} on ${node}`, port, ready ? 'ready' : 'not ready', ...more].join(', ');
}

function ordinal(index: number): string {
  return ['first', 'second', 'third'][index] ?? `${index + 1}th`;
}
