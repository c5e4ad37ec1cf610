import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { Operation, SetName, Step } from '../operations.ts';
import type { ReplicaSetScenario } from '../scenario.ts';
import { pods } from './names.ts';

/** Describes a scenario, with one line per step. */
export function describeScenario(scenario: ReplicaSetScenario): readonly string[] {
  const { before, steps, isVersionless, hasOldLists } = scenario;
  const isCounted = [...before, ...steps].some((step) => 'pod' in step && step.pod > 0);
  return [
    ...sayCircumstances(scenario),
    ...(isVersionless ? ['the caches do not report which version they have reached'] : []),
    ...(hasOldLists ? ['the apiservers serve no streaming lists, so the first list can be stale'] : []),
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

function describeStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : describeOperation(step);
}

function describeOperation(operation: Operation): string | undefined {
  switch (operation.do) {
    case 'scale':
      return `scale ${operation.set} to ${pods(operation.replicas)}`;
    case 'delete':
      return `delete ${operation.set}${CASCADES[operation.how]}`;
    case 'create':
      return `create ${operation.set} with replicas ${operation.replicas}`;
    case 'kill':
      return `delete the ${ordinal(operation.pod)} active pod${operation.force ? ' by force, without a grace period' : ''}`;
    case 'relabel':
      return `label the ${ordinal(operation.pod)} active pod so that ${operation.to === 'nothing' ? 'no ReplicaSet selects' : selectedBy(operation.to)} it`;
    case 'relabel-the-going':
      return 'label all terminating pods so that no ReplicaSet selects them';
    case 'free':
      return `remove the owners of the ${ordinal(operation.pod)} pod`;
    case 'detach':
      return `remove the owners and the labels of the ${ordinal(operation.pod)} active pod`;
    case 'replace':
      return `delete the ${ordinal(operation.pod)} active pod by force, and create another pod of that name, which no ReplicaSet selects`;
    case 'orphan':
      return `create a pod without a controller, which ${selectedBy(operation.of)}`;
    case 'stranger':
      return `create a pod that a StatefulSet controls, and that ${selectedBy(operation.of)}`;
    case 'price':
      return `set the deletion cost of the ${ordinal(operation.pod)} active pod to ${operation.cost}`;
    case 'run':
      return 'schedule all pods without a node; they run and become ready';
    case 'bind':
      return 'schedule all pods without a node; they stay pending';
    case 'touch':
      return `annotate ${operation.set}, which changes nothing else`;
    case 'return':
      return 'label a pod without a controller so that web selects it';
    case 'flip':
      return `the ${ordinal(operation.pod)} running pod becomes unready, or ready again; its container ${operation.of ?? 'web'} restarts`;
    case 'fail':
      return operation.as === undefined
        ? `the ${ordinal(operation.pod)} running pod fails (phase Failed)`
        : `the ${ordinal(operation.pod)} running pod ends (phase ${operation.as})`;
    case 'lose':
      return `the ${ordinal(operation.pod)} running pod gets the phase Unknown`;
    case 'end':
      return 'the containers of all terminating pods end';
    case 'reap':
      return 'all terminating pods stop and are removed';
    case 'collect':
      return `the garbage collector handles ${pods(operation.pods)} of deleted or terminating ReplicaSets`;
    case 'nothing':
      return undefined;
  }
}

const CASCADES = {
  Background: '',
  Foreground: ' in the foreground: it is removed after its pods',
  Orphan: ' and orphan its pods: it is removed when they have no owner',
} as const;

/** `web` also selects the pods of `canary`. */
function selectedBy(set: SetName): string {
  return set === 'web' ? 'web selects' : 'web and canary select';
}

/** `1st` for 0. */
function ordinal(index: number): string {
  return `${index + 1}${['st', 'nd', 'rd'][index] ?? 'th'}`;
}
