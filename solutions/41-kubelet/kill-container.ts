import {
  type ContainerKill,
  interruptible,
  type KubeletParts,
  MINIMUM_GRACE_SECONDS,
  terminationGracePeriod,
} from '#given/41-kubelet';
import { cri, type Pod } from '#harness';

/**
 * The hook, the wait for the termination order and the stop of the container share one grace period.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
 */
export async function killContainer(
  parts: KubeletParts,
  pod: Pod | undefined,
  kill: ContainerKill,
): Promise<void> {
  const { id, name, reason, order, signal = new AbortController().signal } = kill;
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
