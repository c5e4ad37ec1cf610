import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, saySteps } from '../../../testing/telling.ts';
import type { Operation, Ownership } from '../operations.ts';
import type { GarbageScenario } from '../scenario/index.ts';

/** Describes a scenario of the garbage collector, one line per step. */
export function describeScenario(scenario: GarbageScenario): readonly string[] {
  const { present, steps, calmMs } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...(present.length > 0
      ? ['before the collector starts:', ...present.map((operation) => `  ${describeOperation(operation)}`)]
      : []),
    ...saySteps(steps, describeOperation),
    `${calmMs > 0 ? `after ${calmMs} ms` : 'then'} all foreign finalizers are removed, and faults stop`,
  ];
}

function describeOperation(operation: Operation): string {
  if ('strike' in operation) return sayFault(operation.strike);
  if ('release' in operation) return `release ${operation.release}`;
  if ('touch' in operation) return `annotate ${operation.touch}`;
  if ('whenRead' in operation) {
    const when = operation.always ? 'each time' : 'the next time';
    return `${when} the collector has read ${operation.whenRead}: ${operation.operations.map(describeOperation).join(', ')}`;
  }
  if ('delete' in operation) return `delete ${operation.delete}, ${operation.policy}`;
  const { put, owners, finalizers } = operation;
  const owned = owners.length > 0 ? `, owned by ${owners.map(describeOwnership).join(' and ')}` : '';
  const held = finalizers.length > 0 ? `, with finalizer ${finalizers.join(' and ')}` : '';
  return `put ${put}${owned}${held}`;
}

function describeOwnership({ to, blocks, wrong }: Ownership): string {
  const mistaken = wrong === undefined ? '' : wrong === 'former' ? ' (its former uid)' : ` (wrong ${wrong})`;
  return `${to}${mistaken}${blocks ? ', which it blocks' : ''}`;
}
