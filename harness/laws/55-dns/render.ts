import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import type { Endpoint, Kind, Operation, Place, Step } from './operations.ts';
import type { DnsScenario } from './scenario/index.ts';

/** Describes a scenario of the name server, one line per step. */
export function describeScenario(scenario: DnsScenario): readonly string[] {
  const { present, onStart, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(present.length > 0
      ? ['before the name server starts:', ...present.map((operation) => `  ${sayOperation(operation)}`)]
      : []),
    ...onStart.map((fault) => `as it starts: ${sayFault(fault)}`),
    ...saySteps(steps, sayStep),
    'then faults stop',
  ];
}

function sayStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : sayOperation(step);
}

function sayOperation(operation: Operation): string {
  if ('namespace' in operation) return `create namespace ${operation.namespace}`;
  if ('removeService' in operation) return `delete service ${sayPlace(operation.removeService)}`;
  if ('removeSlice' in operation)
    return `delete slice ${operation.index} of ${sayPlace(operation.removeSlice)}`;
  if ('service' in operation) {
    return `put service ${sayPlace(operation.service)}: ${sayKind(operation.kind)}, ports ${operation.ports.join(' and ')}`;
  }
  const { slice, index, endpoints, ports } = operation;
  const behind = endpoints.length > 0 ? endpoints.map(sayEndpoint).join(', ') : 'nothing';
  return `put slice ${index} of ${sayPlace(slice)}: ${behind}; ports ${ports.join(' and ') || 'none'}`;
}

function sayKind(kind: Kind): string {
  return typeof kind === 'string' ? kind : `alias of ${kind.alias}`;
}

function sayEndpoint({ address, ready, hostname }: Endpoint): string {
  const state = { yes: '', no: ' (not ready)', unknown: ' (readiness not set)' }[ready];
  return `${hostname ? `${hostname} ` : ''}${address}${state}`;
}

function sayPlace({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}
