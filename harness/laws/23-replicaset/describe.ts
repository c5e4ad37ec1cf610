import { sayFault } from '../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';
import { pods } from './names.ts';
import type { ReplicaSetScenario } from './scenario.ts';
import type { Operation, SetName, Step } from './step.ts';

/** What a ReplicaSet controller is put through, in words: a line a step. */
export function describeScenario(scenario: ReplicaSetScenario): readonly string[] {
  const { before, steps, isVersionless, hasOldLists } = scenario;
  const isCounted = [...before, ...steps].some((step) => 'pod' in step && step.pod > 0);
  return [
    ...sayCircumstances(scenario),
    ...(isVersionless ? ['its caches do not tell which version they have reached'] : []),
    ...(hasOldLists
      ? ['its apiservers serve no streaming lists, so that what it lists first may be old']
      : []),
    ...(before.length > 0
      ? [
          'before the controller starts:',
          ...before.flatMap((step) => sayStep(step) ?? []).map((said) => `  ${said}`),
        ]
      : []),
    ...saySteps(steps, sayStep),
    ...sayHealing(steps),
    ...(isCounted ? ['where there are fewer pods, counting goes on from the first'] : []),
  ];
}

function sayStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : sayOperation(step);
}

function sayOperation(operation: Operation): string | undefined {
  switch (operation.do) {
    case 'scale':
      return `scale ${operation.set} to ${pods(operation.replicas)}`;
    case 'delete':
      return `delete ${operation.set}${CASCADES[operation.how]}`;
    case 'create':
      return `create ${operation.set}, which wants ${pods(operation.replicas)}`;
    case 'kill':
      return `delete the ${ordinal(operation.pod)} active pod${operation.force ? ' by force: it is gone at once' : ''}`;
    case 'relabel':
      return `label the ${ordinal(operation.pod)} active pod so that ${operation.to === 'nothing' ? 'no ReplicaSet selects' : selectedBy(operation.to)} it`;
    case 'relabel-the-going':
      return 'label the pods that are being deleted so that no ReplicaSet selects them';
    case 'free':
      return `take the owners of the ${ordinal(operation.pod)} pod away`;
    case 'detach':
      return `take the owners and the labels of the ${ordinal(operation.pod)} active pod away`;
    case 'replace':
      return `delete the ${ordinal(operation.pod)} active pod by force, and create another of its name, which no ReplicaSet selects`;
    case 'orphan':
      return `create a pod that nothing controls, so that ${selectedBy(operation.of)} it`;
    case 'stranger':
      return `create a pod that a StatefulSet controls, so that ${selectedBy(operation.of)} it`;
    case 'price':
      return `set the deletion cost of the ${ordinal(operation.pod)} active pod to ${operation.cost}`;
    case 'run':
      return 'each pod without a node gets one, runs and is ready';
    case 'bind':
      return 'each pod without a node gets one, and is still pending';
    case 'touch':
      return `write a note at ${operation.set}, which changes nothing that matters`;
    case 'return':
      return 'label a pod that nothing controls so that web selects it';
    case 'flip':
      return `the ${ordinal(operation.pod)} running pod stops being ready, or is ready again with a restart of ${operation.of ?? 'web'}`;
    case 'fail':
      return `the ${ordinal(operation.pod)} running pod fails for good`;
    case 'end':
      return 'the containers of pods that are being deleted have ended';
    case 'reap':
      return 'the pods that are being deleted have stopped, and are gone';
    case 'collect':
      return `the garbage collector sees to ${pods(operation.pods)} of ReplicaSets that are gone or being deleted`;
    case 'nothing':
      return undefined;
  }
}

const CASCADES = {
  Background: '',
  Foreground: ' in the foreground: it goes after its pods',
  Orphan: ' and orphan its pods: it goes when they have no owner',
} as const;

/** The pods of `canary` are selected by `web`, too. */
function selectedBy(set: SetName): string {
  return set === 'web' ? 'web selects' : 'web and canary select';
}

/** `1st` for 0. */
function ordinal(index: number): string {
  return `${index + 1}${['st', 'nd', 'rd'][index] ?? 'th'}`;
}
