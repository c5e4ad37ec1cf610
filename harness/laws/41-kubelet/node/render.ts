import { sayFault } from '../../../faults/say-fault.ts';
import { sayCircumstances, saySteps } from '../../../testing/telling.ts';
import type { NodeOperation, NodeScenario } from './scenario.ts';

/** Describes a scenario of a node, one line per step. */
export function describeNodeScenario({
  blindMs,
  isThere,
  steps,
  ...circumstances
}: NodeScenario): readonly string[] {
  return [
    ...sayCircumstances(circumstances),
    `a kubelet knows the runtime ${blindMs.runtime} ms after its start, and the pressures after ${blindMs.pressure} ms`,
    ...(isThere ? ['the Node exists before the kubelet starts'] : []),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : describeOperation(step))),
  ];
}

function describeOperation(operation: NodeOperation): string | undefined {
  switch (operation.do) {
    case 'delete-node':
      return 'a user deletes the Node';
    case 'make-node':
      return 'a user creates the Node, unless it exists';
    case 'replace-node':
      return 'a user deletes the Node and creates it again';
    case 'meddle':
      return `another client writes a ${operation.with} into the Node`;
    case 'mark-unknown':
      return 'the node controller sets the conditions to Unknown';
    case 'touch-lease':
      return 'a user changes the lease';
    case 'delete-lease':
      return 'a user deletes the lease';
    case 'press':
      return `the node has ${operation.pressure.join(', ') || 'no pressure'}`;
    case 'break':
      return `the ${operation.what} ${operation.broken ? 'fails' : 'works'}`;
    case 'restart':
      return `the kubelet crashes and restarts after ${operation.downMs} ms`;
    case 'nothing':
      return undefined;
  }
}
