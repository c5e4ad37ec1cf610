import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { JobShape, NodeBehaviour, Operation, Step } from '../operations.ts';
import type { JobScenario } from '../scenario.ts';

/** Describes a scenario, with one line per step. */
export function describeScenario(scenario: JobScenario): readonly string[] {
  const { before, steps, nodes, isVersionless } = scenario;
  const isCounted = [...before, ...steps].some((step) => 'pod' in step && step.pod > 0);
  return [
    ...sayCircumstances(scenario),
    ...(isVersionless ? ['the caches do not report which version they have reached'] : []),
    ...(nodes ? [describeNodes(nodes)] : []),
    ...(before.length > 0
      ? [
          'before the controller starts:',
          ...before.flatMap((step) => describeStep(step) ?? []).map((line) => `  ${line}`),
        ]
      : []),
    ...saySteps(steps, describeStep),
    ...sayHealing(steps),
    ...(isCounted ? ['if there are fewer pods, the numbers wrap around'] : []),
  ];
}

function describeNodes({ startMs, runMs, stopMs, codes }: NodeBehaviour): string {
  return `each pod runs after ${startMs} ms and ends ${runMs} ms later, with exit codes ${codes.join(', ')} in turn; a deleted pod stops after ${stopMs} ms`;
}

function describeStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : describeOperation(step);
}

function describeOperation(operation: Operation): string | undefined {
  switch (operation.do) {
    case 'create':
      return `create the Job ${operation.job} with ${fieldsOf(operation.shape)}`;
    case 'edit':
      return `change ${operation.job}: ${fieldsOf(operation.shape)}`;
    case 'touch':
      return `annotate ${operation.job}, which changes nothing else`;
    case 'delete':
      return `delete ${operation.job}${CASCADES[operation.how]}`;
    case 'collect':
      return `the garbage collector handles ${operation.pods} pods of deleted or terminating Jobs`;
    case 'kill':
      return `delete the ${ordinal(operation.pod)} active pod`;
    case 'clean-up':
      return `delete the ${ordinal(operation.pod)} pod that has ended`;
    case 'free':
      return `remove the owners of the ${ordinal(operation.pod)} active pod`;
    case 'hand-made':
      return `create a pod that ${operation.job} selects, ${operation.isStrangers ? 'and that a ReplicaSet controls' : 'without a controller'}`;
    case 'run':
      return 'schedule all pending pods; they run and are ready';
    case 'end':
      return `the ${ordinal(operation.pod)} running pod ends with exit code ${operation.code}${operation.isDisrupted ? ', because its node evicts it' : ''}`;
    case 'end-all':
      return `all running pods end with exit code ${operation.code}`;
    case 'restart':
      return `the container of the ${ordinal(operation.pod)} running pod restarts ${operation.times} times`;
    case 'flip':
      return `the ${ordinal(operation.pod)} running pod becomes unready, or ready again`;
    case 'reap':
      return `all terminating pods stop with exit code ${operation.code}; those without finalizers are removed`;
    case 'nothing':
      return undefined;
  }
}

/** Lists the fields of a shape: `completions 3, parallelism 2`. */
function fieldsOf(shape: JobShape): string {
  return Object.entries(shape)
    .map(([field, value]) => `${field} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}

const CASCADES = {
  Background: ', and its pods after it',
  Foreground: ' in the foreground: it is removed after its pods',
  Orphan: ' and orphan its pods',
} as const;

/** `1st` for 0. */
function ordinal(index: number): string {
  return `${index + 1}${['st', 'nd', 'rd'][index] ?? 'th'}`;
}
