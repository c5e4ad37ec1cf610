import {
  type ContainerToKill,
  type core,
  cri,
  interruptible,
  type KubeletParts,
  notesIn,
  type Pod,
} from '#harness';
import type { TerminationOrder } from './termination-order.ts';

/** No container is given less time than this, unless it is killed for good. */
const MINIMUM_GRACE_SECONDS = 2;

/** A container to kill. */
export interface ContainerKill extends Omit<ContainerToKill, 'message'> {
  /** As the runtime knows it. */
  readonly id: string;
  /** What its event says. @defaultValue `Stopping container web` */
  readonly message?: string;
  /** In place of what the pod says. */
  readonly graceSeconds?: number | undefined;
  /** Whose turn it is, where it matters. */
  readonly order?: TerminationOrder | undefined;
  /** Ends the wait, for another that is shorter. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * All that is waited for is taken out of one time: the hook, the turn, the container itself.
 *
 * @param pod undefined: nothing is known of it but what the container carries
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
 */
export async function killContainer(
  parts: KubeletParts,
  pod: Pod | undefined,
  kill: ContainerKill,
): Promise<void> {
  const { id, name, message = `Stopping container ${name}`, order, signal = NEVER } = kill;
  const { runtime } = parts.context.host;
  const of = pod ? { pod, container: containerOf(pod, name) } : await restoreSpec(parts, id);
  parts.containerEvent(of.pod, name, 'Normal', 'Killing', message);
  let seconds = kill.graceSeconds ?? graceSeconds(of.pod, of.container, kill.reason);
  const handler = of.container.lifecycle?.preStop;
  if (handler && seconds > 0) {
    const hook = preStop(parts, of, {
      containerID: await parts.runtimePods.containerID(id),
      handler,
      seconds,
    });
    seconds -= await interruptible(signal, hook);
  }
  if (order && seconds > 0) seconds -= await interruptible(signal, order.turn(name, seconds));
  const stopped = runtime.stopContainer(id, Math.max(MINIMUM_GRACE_SECONDS, seconds));
  await interruptible(signal, stopped).catch((error: unknown) => {
    if (!cri.isCriNotFound(error)) throw error;
  });
  order?.terminated(name);
}

const NEVER = new AbortController().signal;

/**
 * Who deletes a pod says how long it has. Else a probe may say it for what it kills, and else the pod does.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go setTerminationGracePeriod
 */
function graceSeconds(
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

/** @returns how many whole seconds it took: what it took besides is a gift */
async function preStop(
  parts: KubeletParts,
  { pod, container }: { readonly pod: Pod; readonly container: core.Container },
  hook: { readonly containerID: string; readonly handler: core.LifecycleHandler; readonly seconds: number },
): Promise<number> {
  const { clock } = parts.context;
  const startedMs = clock.now();
  const over = new AbortController();
  const run = parts.lifecycle.run({ pod, container, ...hook }).catch(() => {
    parts.containerEvent(pod, container.name, 'Warning', 'FailedPreStopHook', 'PreStopHook failed');
  });
  await Promise.race([run, clock.sleep(hook.seconds * 1_000, over.signal).catch(() => {})]);
  over.abort();
  return Math.floor((clock.now() - startedMs) / 1_000);
}

function containerOf({ metadata, spec }: Pod, name: string): core.Container {
  const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  const container = all.find((each) => each.name === name);
  if (container) return container;
  throw new Error(`Failed to kill the container ${name}: the pod ${metadata.name} has none of that name.`);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go restoreSpecsFromContainerLabels */
async function restoreSpec(parts: KubeletParts, id: string) {
  const { labels, annotations } = await parts.context.host.runtime.containerStatus(id);
  const notes = notesIn(annotations);
  const name = labels['io.kubernetes.container.name'] ?? '';
  const container: core.Container = {
    name,
    ...(notes.preStop ? { lifecycle: { preStop: notes.preStop } } : {}),
  };
  const { deletionGracePeriodSeconds, terminationGracePeriodSeconds } = notes;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: labels['io.kubernetes.pod.name'] ?? '',
      namespace: labels['io.kubernetes.pod.namespace'] ?? '',
      uid: labels['io.kubernetes.pod.uid'] ?? '',
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    },
    spec: {
      containers: [container],
      ...(terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds }),
    },
    status: {},
  } as unknown as Pod;
  return { pod, container };
}
