import type * as core from '#api/core/v1';
import { isSidecar } from './containers.ts';
import type { ConditionInput } from './decisions.ts';

/** A condition that is True. The reason is left out where there is none. */
export function conditionTrue(type: string, reason?: string): core.PodCondition {
  return { type, status: 'True', ...(reason !== undefined && { reason }) };
}

/** A condition that is False, and why. The message is left out where there is none. */
export function conditionFalse(type: string, reason: string, message?: string): core.PodCondition {
  return { type, status: 'False', reason, ...(message !== undefined && { message }) };
}

/** Containers, by name, that are not as they have to be. */
export interface LackingContainers {
  /** Those without a status. */
  readonly unknown: readonly string[];
  /** Those with a status that is not right. */
  readonly wrong: readonly string[];
}

/**
 * Those of some containers that are not as they have to be, in their order.
 *
 * @param statuses in any order, also of other containers
 */
export function lackingContainers(
  containers: readonly core.Container[],
  statuses: readonly core.ContainerStatus[],
  isRight: (status: core.ContainerStatus, container: core.Container) => boolean,
): LackingContainers {
  const unknown: string[] = [];
  const wrong: string[] = [];
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    if (!status) unknown.push(container.name);
    else if (!isRight(status, container)) wrong.push(container.name);
  }
  return { unknown, wrong };
}

/**
 * Names containers in the message of a condition: `containers with unknown status: [a], containers with unready status: [b c]`.
 * A part without a name is left out; without any name it is empty.
 *
 * @param named the names, by what their status is: `{ unknown: ['a'], unready: ['b', 'c'] }`
 */
export function containersWith(named: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(named)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `containers with ${what} status: [${names.join(' ')}]`)
    .join(', ');
}

/**
 * What condition `Ready` says of a readiness gate that is not open.
 *
 * @param status of the condition that the gate names; undefined when the pod has no such condition
 */
export function closedGate(conditionType: string, status: string | undefined): string {
  return status === undefined
    ? `corresponding condition of pod readiness gate "${conditionType}" does not exist.`
    : `the status of pod readiness gate "${conditionType}" is not "True", but ${status}`;
}

/**
 * Condition `Initialized`: the init containers have done their part. An init container has when it is `ready`, a sidecar when it
 * has `started`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodInitializedCondition
 */
export function generatePodInitializedCondition(input: ConditionInput): core.PodCondition {
  const { pod, statuses, phase, conditions } = input;
  const { initContainers = [], containers } = pod.spec;
  if (!statuses && initContainers.length > 0)
    return conditionFalse('Initialized', 'UnknownContainerStatuses');
  const { unknown, wrong: incomplete } = lackingContainers(
    initContainers,
    statuses ?? [],
    (status, container) => (isSidecar(container) ? status.started : status.ready) === true,
  );
  if (phase === 'Succeeded' && unknown.length === 0) return conditionTrue('Initialized', 'PodCompleted');
  const hasStarted = containers.some(({ name }) => {
    const { running, terminated } = statuses?.find((status) => status.name === name)?.state ?? {};
    return running !== undefined || terminated !== undefined;
  });
  // What was initialized stays so, whatever becomes of its init containers.
  const wasTrue = conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
  const message = containersWith({ unknown, incomplete });
  return hasStarted || wasTrue || message === ''
    ? conditionTrue('Initialized')
    : conditionFalse('Initialized', 'ContainersNotInitialized', message);
}
