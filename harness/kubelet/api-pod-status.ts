import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { hasEnded } from '../api/predicates.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type { ProbeManager } from '../contracts/node/index.ts';
import type { Clock } from '../sim/index.ts';
import { generatePodInitializedCondition } from './conditions.ts';
import { convertToAPIContainerStatuses } from './container-statuses.ts';
import type { ConditionInput, PhaseOptions, PodPhase, SandboxChange } from './decisions.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { ReasonCache } from './reason-cache.ts';
import { isStaticPod } from './static-pod.ts';

/** The parts of a pod's status that a kata computes. */
export interface StatusDecisions {
  getPhase(pod: Pod, statuses: readonly core.ContainerStatus[], options: PhaseOptions): PodPhase;
  generatePodReadyCondition(input: ConditionInput): core.PodCondition;
  generateContainersReadyCondition(input: ConditionInput): core.PodCondition;
  podSandboxChanged(pod: Pod, podStatus: RuntimePodStatus): Pick<SandboxChange, 'changed'>;
}

/** The inputs of a status other than the pod. */
export interface APIPodStatusOptions {
  readonly decisions: StatusDecisions;
  readonly reasons: ReasonCache;
  readonly probes: Pick<ProbeManager, 'updatePodStatus'>;
  /** The address of the node. */
  readonly hostIP: string;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_status.go PodConditionByKubelet */
const KUBELET_CONDITIONS: readonly string[] = [
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
];

/** Returns whether the kubelet writes conditions of this type. It leaves all other conditions unchanged. */
export function isKubeletCondition({ type }: Pick<core.PodCondition, 'type'>): boolean {
  return KUBELET_CONDITIONS.includes(type);
}

/**
 * Returns the status to report for a pod, computed from the state in the runtime. The status manager sets the times of
 * the conditions. An event reports that the pod has exceeded its `activeDeadlineSeconds`.
 *
 * @param old the last reported status
 * @param podIsTerminal whether no container of the pod runs or will run again
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go generateAPIPodStatus
 *
 * Differs: a deadline that passes after the end of the pod has no effect. Upstream replaces the reason of the status.
 */
export function generateAPIPodStatus(
  { pod, podStatus, old, podIsTerminal }: APIPodStatusInput,
  { decisions, reasons, probes, hostIP, clock, recorder }: APIPodStatusOptions,
): core.PodStatus {
  const { spec, metadata, status: api } = pod;
  const statusesOf = (
    containers: readonly core.Container[],
    previous: core.ContainerStatus[] = [],
    init = false,
  ) =>
    convertToAPIContainerStatuses({
      pod,
      podStatus,
      containers,
      previous,
      areInitContainers: init,
      reasonOf: (name) => reasons.get(metadata.uid, name),
    });
  const containerStatuses = statusesOf(spec.containers, old.containerStatuses);
  const initContainerStatuses = statusesOf(spec.initContainers ?? [], old.initContainerStatuses, true);
  const ephemeral = statusesOf(spec.ephemeralContainers ?? [], old.ephemeralContainerStatuses);
  const computed = decisions.getPhase(pod, [...containerStatuses, ...initContainerStatuses], {
    // A static pod is never terminal, because its manifest still exists.
    podIsTerminal: podIsTerminal && !isStaticPod(pod),
    podHasInitialized: podStatus.activeContainerStatuses.some(({ name }) =>
      spec.containers.some((container) => container.name === name),
    ),
  });
  const late = hasEnded(pod) ? undefined : deadlineExceeded(pod, old, clock);
  if (late) recorder.event(pod, 'Normal', late.reason, late.message);
  const phase = late?.phase ?? settledPhase(computed, old, pod);
  const addresses = addressesOf(podStatus.ips, hostIP, spec);
  const probed = probes.updatePodStatus(pod, {
    observedGeneration: metadata.generation ?? 0,
    phase,
    ...(late ?? reasonOf(phase, old, api)),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...addresses,
    ...(api.qosClass ? { qosClass: api.qosClass } : {}),
    containerStatuses,
    ...(initContainerStatuses.length > 0 ? { initContainerStatuses } : {}),
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: ephemeral } : {}),
  });
  return { ...probed, conditions: conditionsOf(pod, probed, { podStatus, old, phase, decisions }) };
}

/**
 * Returns the status with the readiness that the probes currently report.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go SetContainerReadiness, SetContainerStartup
 */
export function readinessOf(
  pod: Pod,
  old: core.PodStatus,
  { decisions, probes }: Pick<APIPodStatusOptions, 'decisions' | 'probes'>,
): core.PodStatus {
  const status = probes.updatePodStatus(pod, old) ?? old;
  const { containerStatuses = [], initContainerStatuses = [], conditions = [], phase = 'Pending' } = status;
  const input: ConditionInput = {
    pod,
    statuses: [...initContainerStatuses, ...containerStatuses],
    phase: phase as PodPhase,
    conditions,
  };
  return withConditions(pod, status, [
    ...(initContainerStatuses.length > 0 ? [generatePodInitializedCondition(input)] : []),
    decisions.generatePodReadyCondition(input),
    decisions.generateContainersReadyCondition(input),
  ]);
}

/** Returns the status with `PodReadyToStartContainers` set to True: the sandbox of the pod is ready. */
export function withReadyToStart(pod: Pod, old: core.PodStatus): core.PodStatus {
  return withConditions(pod, old, [{ type: 'PodReadyToStartContainers', status: 'True' }]);
}

function withConditions(
  { metadata }: Pod,
  status: core.PodStatus,
  replaced: readonly core.PodCondition[],
): core.PodStatus {
  const observedGeneration = metadata.generation ?? 0;
  const conditions = (status.conditions ?? []).map((condition) => {
    const found = replaced.find(({ type }) => type === condition.type);
    return found ? { ...found, observedGeneration } : condition;
  });
  return { ...status, conditions };
}

/**
 * Returns the status fields of a pod that has exceeded its `activeDeadlineSeconds`; undefined before that.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/active_deadline.go activeDeadlineHandler
 */
function deadlineExceeded({ spec }: Pod, { startTime }: core.PodStatus, clock: Clock) {
  const { activeDeadlineSeconds } = spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined) return undefined;
  if (clock.now() - Date.parse(startTime) < activeDeadlineSeconds * 1_000) return undefined;
  return {
    phase: 'Failed' as const,
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

/** A pod and its known state. */
interface APIPodStatusInput {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  readonly old: core.PodStatus;
  readonly podIsTerminal: boolean;
}

/** Keeps a terminal phase, whatever state the containers report now. */
function settledPhase(computed: PodPhase, old: core.PodStatus, pod: Pod): PodPhase {
  if (hasEnded(pod)) return pod.status.phase as PodPhase;
  const isOver = computed === 'Succeeded' || computed === 'Failed';
  return !isOver && (old.phase === 'Succeeded' || old.phase === 'Failed') ? old.phase : computed;
}

/** Keeps the reason and the message while the phase stays the same. */
function reasonOf(phase: PodPhase, old: core.PodStatus, api: core.PodStatus): Partial<core.PodStatus> {
  if (phase !== old.phase) return {};
  const [reason, message] = [old.reason || api.reason, old.message || api.message];
  return { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
}

function addressesOf(ips: readonly string[], hostIP: string, spec: core.PodSpec): Partial<core.PodStatus> {
  const own = ips.length === 0 && spec.hostNetwork ? [hostIP] : ips;
  const [podIP] = own;
  return podIP === undefined ? {} : { podIP, podIPs: own.map((ip) => ({ ip })) };
}

interface ConditionsOptions {
  readonly podStatus: RuntimePodStatus;
  readonly old: core.PodStatus;
  readonly phase: PodPhase;
  readonly decisions: StatusDecisions;
}

function conditionsOf(
  pod: Pod,
  { containerStatuses = [], initContainerStatuses = [] }: core.PodStatus,
  { podStatus, old, phase, decisions }: ConditionsOptions,
): core.PodCondition[] {
  const foreign = (pod.status.conditions ?? []).filter((condition) => !isKubeletCondition(condition));
  const disruption = old.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const others = disruption
    ? [...foreign.filter(({ type }) => type !== 'DisruptionTarget'), disruption]
    : foreign;
  const input: ConditionInput = {
    pod,
    statuses: [...initContainerStatuses, ...containerStatuses],
    phase,
    conditions: [...others, ...(old.conditions ?? []).filter(isKubeletCondition)],
  };
  const ready = decisions.podSandboxChanged(pod, podStatus).changed ? 'False' : 'True';
  const { generation: observedGeneration = 0 } = pod.metadata;
  const own = [
    { type: 'PodReadyToStartContainers', status: ready },
    generatePodInitializedCondition(input),
    decisions.generatePodReadyCondition(input),
    decisions.generateContainersReadyCondition(input),
    { type: 'PodScheduled', status: 'True' },
  ];
  return [...others, ...own.map((condition) => ({ ...condition, observedGeneration }))];
}
