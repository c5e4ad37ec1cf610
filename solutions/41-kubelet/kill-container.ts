import {
  type ContainerKill,
  type ContainerToKill,
  type core,
  cri,
  interruptible,
  type KubeletParts,
  type Pod,
} from '#harness';

/** No container is given less time than this. */
const MINIMUM_GRACE_SECONDS = 2;

/**
 * All that is waited for is taken out of one time: the hook, the turn, the container itself.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
 */
export async function killContainer(
  parts: KubeletParts,
  pod: Pod | undefined,
  kill: ContainerKill,
): Promise<void> {
  const { id, name, reason, order, signal = NEVER } = kill;
  const of = await parts.steps.specOf(pod, id, name);
  parts.containerEvent(of.pod, name, 'Normal', 'Killing', kill.message ?? `Stopping container ${name}`);
  let seconds = kill.graceSeconds ?? terminationGracePeriod(of.pod, of.container, reason);
  if (seconds > 0) seconds -= await interruptible(signal, parts.steps.preStop(of, id, seconds));
  if (order && seconds > 0) seconds -= await interruptible(signal, order.turn(name, seconds));

  const stop = parts.context.host.runtime.stopContainer(id, Math.max(MINIMUM_GRACE_SECONDS, seconds));
  await interruptible(signal, stop).catch((error: unknown) => {
    if (!cri.isCriNotFound(error)) throw error;
  });
  order?.terminated(name);
}

const NEVER = new AbortController().signal;

/**
 * Whoever deletes a pod says how long it has. Else a probe may say it for what it kills, and else the pod does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go setTerminationGracePeriod
 */
export function terminationGracePeriod(
  { metadata, spec }: Pod,
  { livenessProbe, startupProbe }: core.Container,
  reason: ContainerToKill['reason'],
): number {
  const probe =
    reason === 'LivenessProbe' ? livenessProbe : reason === 'StartupProbe' ? startupProbe : undefined;
  return (
    metadata.deletionGracePeriodSeconds ??
    probe?.terminationGracePeriodSeconds ??
    spec.terminationGracePeriodSeconds ??
    MINIMUM_GRACE_SECONDS
  );
}
