import { type ConditionInput, type core, isSidecar } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodInitializedCondition */
export function generatePodInitializedCondition(input: ConditionInput): core.PodCondition {
  const { pod, statuses, phase, conditions } = input;
  const { initContainers = [], containers } = pod.spec;
  if (!statuses && initContainers.length > 0) return isFalse('Initialized', 'UnknownContainerStatuses');
  const { unknown, others: incomplete } = without(
    initContainers,
    statuses,
    (status, container) => (isSidecar(container) ? status.started : status.ready) === true,
  );
  if (phase === 'Succeeded' && unknown.length === 0) return isTrue('Initialized', 'PodCompleted');
  const hasStarted = containers.some(({ name }) => {
    const { running, terminated } = statuses?.find((status) => status.name === name)?.state ?? {};
    return running !== undefined || terminated !== undefined;
  });
  // What was initialized stays so, whatever becomes of its init containers.
  const wasTrue = conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
  const message = containersWith({ unknown, incomplete });
  return hasStarted || wasTrue || message === ''
    ? isTrue('Initialized')
    : isFalse('Initialized', 'ContainersNotInitialized', message);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GenerateContainersReadyCondition */
export function generateContainersReadyCondition({
  pod,
  statuses,
  phase,
}: Omit<ConditionInput, 'conditions'>): core.PodCondition {
  if (!statuses) return isFalse('ContainersReady', 'UnknownContainerStatuses');
  const lasting = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers];
  const { unknown, others: unready } = without(lasting, statuses, (status) => status.ready);
  if (phase === 'Failed') return isFalse('ContainersReady', 'PodFailed');
  if (phase === 'Succeeded' && unknown.length === 0) return isFalse('ContainersReady', 'PodCompleted');
  const message = containersWith({ unknown, unready });
  return message === ''
    ? isTrue('ContainersReady')
    : isFalse('ContainersReady', 'ContainersNotReady', message);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodReadyCondition */
export function generatePodReadyCondition(input: ConditionInput): core.PodCondition {
  const containersReady = generateContainersReadyCondition(input);
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const messages = (input.pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = input.conditions.find(({ type }) => type === conditionType);
    if (!condition) {
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    }
    const { status } = condition;
    return status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${status}`];
  });
  return messages.length === 0
    ? isTrue('Ready')
    : isFalse('Ready', 'ReadinessGatesNotReady', messages.join(', '));
}

/** The names of the containers without a status, and of those whose status is not as it has to be. */
function without(
  containers: readonly core.Container[],
  statuses: readonly core.ContainerStatus[] = [],
  isRight: (status: core.ContainerStatus, container: core.Container) => boolean,
) {
  const unknown: string[] = [];
  const others: string[] = [];
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    if (!status) unknown.push(container.name);
    else if (!isRight(status, container)) others.push(container.name);
  }
  return { unknown, others };
}

/** As Go prints it: `containers with unready status: [web log]`. */
function containersWith(named: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(named)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `containers with ${what} status: [${names.join(' ')}]`)
    .join(', ');
}

function isTrue(type: string, reason?: string): core.PodCondition {
  return { type, status: 'True', ...(reason !== undefined && { reason }) };
}

function isFalse(type: string, reason: string, message?: string): core.PodCondition {
  return { type, status: 'False', reason, ...(message !== undefined && { message }) };
}
