import {
  type LimitRange,
  type Priority,
  type PriorityClass,
  Refusal,
  TOKEN_MOUNT_PATH,
  TOKEN_VOLUME_PREFIX,
  tokenVolume,
} from '#given/14-admission';
import type { core, Pod, ServiceAccount } from '#harness';

const TOLERATED_SECONDS = 300;
const NODE_FAULTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/defaulttolerationseconds/admission.go Plugin.Admit
 */
export function withTolerations(pod: Pod): Pod {
  const given = pod.spec.tolerations ?? [];
  const missing = NODE_FAULTS.filter(
    (fault) =>
      !given.some(({ key, effect }) => (!key || key === fault) && (!effect || effect === 'NoExecute')),
  );
  if (missing.length === 0) return pod;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: TOLERATED_SECONDS,
  }));
  return { ...pod, spec: { ...pod.spec, tolerations: [...given, ...added] } };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/priority/admission.go Plugin.establishPriority */
export function priorityOf(name: string | undefined, classes: readonly PriorityClass[]): Priority {
  // Two classes can be the default after a race. The lower value harms fewer other pods.
  const defaults = classes.filter(({ globalDefault }) => globalDefault).sort((a, b) => a.value - b.value);
  const found = name ? classes.find(({ metadata }) => metadata.name === name) : defaults[0];
  if (found) return { className: found.metadata.name, value: found.value, policy: found.preemptionPolicy };
  if (name) throw new Refusal(`no PriorityClass with name ${name} was found`);
  return { value: 0, policy: 'PreemptLowerPriority' };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go mountServiceAccountToken */
export function withToken(pod: Pod, account: ServiceAccount, newVolume: string): Pod {
  const { automountServiceAccountToken: wanted, volumes = [], containers, initContainers } = pod.spec;
  if (!(wanted ?? account.automountServiceAccountToken ?? true)) return pod;
  const existing = volumes.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX));
  const name = existing?.name ?? newVolume;
  let isMounted = false;
  const mounted = (container: core.Container): core.Container => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;
    isMounted = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: TOKEN_MOUNT_PATH }] };
  };
  const spec = {
    ...pod.spec,
    ...(initContainers && { initContainers: initContainers.map(mounted) }),
    ...(containers && { containers: containers.map(mounted) }),
  };
  if (!isMounted) return pod;
  return { ...pod, spec: existing ? spec : { ...spec, volumes: [...volumes, tokenVolume(name)] } };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go mergeContainerResources */
export function withLimits(container: core.Container, range: LimitRange): core.Container {
  let { limits = {}, requests = {} } = container.resources ?? {};
  for (const item of range.spec.limits ?? []) {
    if (item.type !== 'Container') continue;
    limits = { ...item.default, ...limits };
    requests = { ...item.defaultRequest, ...requests };
  }
  return { ...container, resources: { ...container.resources, limits, requests } };
}
