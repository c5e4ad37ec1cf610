import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import type { DnsScenario } from './scenario.ts';
import type { Deed, Endpoint, Kind, Place, Step } from './step.ts';

/** What a name server is put through, in words: a line a step. */
export function sayScenario(scenario: DnsScenario): readonly string[] {
  const { present, onStart, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(present.length > 0
      ? ['before the name server starts:', ...present.map((deed) => `  ${sayDeed(deed)}`)]
      : []),
    ...onStart.map((fault) => `as it starts: ${sayFault(fault)}`),
    ...saySteps(steps, sayStep),
    'then no faults any more',
  ];
}

function sayStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : sayDeed(step);
}

function sayDeed(deed: Deed): string {
  if ('namespace' in deed) return `create namespace ${deed.namespace}`;
  if ('removeService' in deed) return `delete service ${sayPlace(deed.removeService)}`;
  if ('removeSlice' in deed) return `delete slice ${deed.index} of ${sayPlace(deed.removeSlice)}`;
  if ('service' in deed) {
    return `put service ${sayPlace(deed.service)}: ${sayKind(deed.kind)}, ports ${deed.ports.join(' and ')}`;
  }
  const { slice, index, endpoints, ports } = deed;
  const behind = endpoints.length > 0 ? endpoints.map(sayEndpoint).join(', ') : 'nothing';
  return `put slice ${index} of ${sayPlace(slice)}: ${behind}; ports ${ports.join(' and ') || 'none'}`;
}

function sayKind(kind: Kind): string {
  return typeof kind === 'string' ? kind : `alias of ${kind.alias}`;
}

function sayEndpoint({ address, ready, hostname }: Endpoint): string {
  const state = { yes: '', no: ' (not ready)', unknown: ' (not told whether ready)' }[ready];
  return `${hostname ? `${hostname} ` : ''}${address}${state}`;
}

function sayPlace({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}
