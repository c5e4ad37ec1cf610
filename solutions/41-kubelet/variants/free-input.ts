import { type core, isNotFound, type NodeComponentContext, type Pod, secrets } from '#harness';

/** The directory with a directory for each pod. */
export const DIRECTORIES = '/var/lib/kubelet/pods';

/** Returns the environment of a container. The address of the pod is the only field that it supports. */
export function environmentOf(
  { env = [] }: core.Container,
  ips: readonly string[] = [],
): readonly { readonly key: string; readonly value: string }[] {
  const addressOf = ({ valueFrom }: core.EnvVar): string =>
    valueFrom?.fieldRef?.fieldPath === 'status.podIP' ? (ips[0] ?? '') : '';
  return env.map((each) => ({ key: each.name, value: each.value ?? addressOf(each) }));
}

/** Returns the pull secrets of a pod that exist. */
export async function pullSecretsOf({ client }: NodeComponentContext, pod: Pod): Promise<core.Secret[]> {
  const found: core.Secret[] = [];
  for (const { name = '' } of pod.spec.imagePullSecrets ?? []) {
    try {
      found.push(await client.get(secrets, { namespace: pod.metadata.namespace ?? '', name }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return found;
}

/** Requires a network for the pod. @throws Error after an event, if the node has no network */
export async function mustHaveNetwork({ host, recorder }: NodeComponentContext, pod: Pod): Promise<void> {
  const conditions = await host.runtime.status();
  const missing = conditions.find(({ type, status }) => type === 'NetworkReady' && !status);
  if (!missing || pod.spec.hostNetwork) return;
  const message = `network is not ready: ${missing.message}`;
  recorder.event(pod, 'Warning', 'NetworkNotReady', message);
  throw new Error(message);
}
