import {
  type ConditionInput,
  closedGate,
  conditionFalse,
  conditionTrue,
  containersWith,
  lackingContainers,
} from '#given/41-kubelet';
import { type core, isSidecar } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GenerateContainersReadyCondition */
export function generateContainersReadyCondition(
  input: Omit<ConditionInput, 'conditions'>,
): core.PodCondition {
  const { pod, statuses, phase } = input;
  if (!statuses) return conditionFalse('ContainersReady', 'UnknownContainerStatuses');
  const lasting = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers];
  const { unknown, wrong: unready } = lackingContainers(lasting, statuses, ({ ready }) => ready);
  if (phase === 'Failed') return conditionFalse('ContainersReady', 'PodFailed');
  if (phase === 'Succeeded' && unknown.length === 0) return conditionFalse('ContainersReady', 'PodCompleted');
  const message = containersWith({ unknown, unready });
  if (message !== '') return conditionFalse('ContainersReady', 'ContainersNotReady', message);
  return conditionTrue('ContainersReady');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodReadyCondition */
export function generatePodReadyCondition(input: ConditionInput): core.PodCondition {
  const containersReady = generateContainersReadyCondition(input);
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const closed = (input.pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const status = input.conditions.find(({ type }) => type === conditionType)?.status;
    return status === 'True' ? [] : [closedGate(conditionType, status)];
  });
  if (closed.length > 0) return conditionFalse('Ready', 'ReadinessGatesNotReady', closed.join(', '));
  return conditionTrue('Ready');
}
