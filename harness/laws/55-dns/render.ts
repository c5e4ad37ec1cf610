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
      ? ['before the name server starts:', ...present.map((operation) => `  ${describeOperation(operation)}`)]
      : []),
    ...onStart.map((fault) => `as it starts: ${sayFault(fault)}`),
    ...saySteps(steps, describeStep),
    'then faults stop',
  ];
}

function describeStep(step: Step): string {
  return 'strike' in step ? sayFault(step.strike) : describeOperation(step);
}

function describeOperation(operation: Operation): string {
  if ('namespace' in operation) return `create namespace ${operation.namespace}`;
  if ('removeService' in operation) return `delete service ${describePlace(operation.removeService)}`;
  if ('removeSlice' in operation)
    return `delete slice ${operation.index} of ${describePlace(operation.removeSlice)}`;
  if ('service' in operation) {
    return `put service ${describePlace(operation.service)}: ${describeKind(operation.kind)}, ports ${operation.ports.join(' and ')}`;
  }
  const { slice, index, endpoints, ports } = operation;
  const behind = endpoints.length > 0 ? endpoints.map(describeEndpoint).join(', ') : 'nothing';
  return `put slice ${index} of ${describePlace(slice)}: ${behind}; ports ${ports.join(' and ') || 'none'}`;
}

function describeKind(kind: Kind): string {
  return typeof kind === 'string' ? kind : `alias of ${kind.alias}`;
}

function describeEndpoint({ address, ready, hostname }: Endpoint): string {
  const state = { yes: '', no: ' (not ready)', unknown: ' (readiness not set)' }[ready];
  return `${hostname ? `${hostname} ` : ''}${address}${state}`;
}

function describePlace({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}
