import type * as core from '#api/core/v1';
import { isSidecar } from './containers.ts';
import type { ConditionInput } from './decisions.ts';

/** Returns a condition with status True. Without a reason the field is omitted. */
export function conditionTrue(type: string, reason?: string): core.PodCondition {
  return { type, status: 'True', ...(reason !== undefined && { reason }) };
}

/** Returns a condition with status False. Without a message the field is omitted. */
export function conditionFalse(type: string, reason: string, message?: string): core.PodCondition {
  return { type, status: 'False', reason, ...(message !== undefined && { message }) };
}

/** The names of the containers that do not meet a requirement. */
interface LackingContainers {
  /** Containers without a status. */
  readonly unknown: readonly string[];
  /** Containers whose status does not meet the requirement. */
  readonly wrong: readonly string[];
}

/**
 * Returns the containers that do not meet a requirement, in the given order.
 *
 * @param statuses in any order; may include other containers
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
 * Formats container names for the message of a condition: `containers with unknown status: [a], containers with unready
 * status: [b c]`. A part without names is omitted; without any names the text is empty.
 *
 * @param named names by status: `{ unknown: ['a'], unready: ['b', 'c'] }`
 */
export function containersWith(named: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(named)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `containers with ${what} status: [${names.join(' ')}]`)
    .join(', ');
}

/**
 * Returns the message of condition `Ready` for a readiness gate that is not open.
 *
 * @param status status of the condition that the gate names; undefined if the pod has no such condition
 */
export function closedGate(conditionType: string, status: string | undefined): string {
  return status === undefined
    ? `corresponding condition of pod readiness gate "${conditionType}" does not exist.`
    : `the status of pod readiness gate "${conditionType}" is not "True", but ${status}`;
}

/**
 * Returns condition `Initialized`, which is True once the init containers are complete. A regular init container is
 * complete when it is `ready`, a sidecar when it has `started`.
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
  // Once True, the condition stays True, whatever happens to the init containers later.
  const wasTrue = conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
  const message = containersWith({ unknown, incomplete });
  return hasStarted || wasTrue || message === ''
    ? conditionTrue('Initialized')
    : conditionFalse('Initialized', 'ContainersNotInitialized', message);
}
