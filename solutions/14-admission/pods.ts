import {
  type LimitRange,
  type PriorityClass,
  Refusal,
  type ServiceAccount,
  TOKEN_MOUNT_PATH,
  TOKEN_VOLUME_PREFIX,
  tokenVolume,
} from '#given/14-admission';
import type { core, Pod } from '#harness';

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

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/priority/admission.go Plugin.admitPod, establishPriority
 */
export function withPriority(pod: Pod, classes: readonly PriorityClass[]): Pod {
  const { priorityClassName: name, priority, preemptionPolicy } = pod.spec;
  // Two classes can be the default after a race. The lower value harms fewer other pods.
  const defaults = classes.filter(({ globalDefault }) => globalDefault).sort((a, b) => a.value - b.value);
  const found = name ? classes.find(({ metadata }) => metadata.name === name) : defaults[0];
  if (name && !found) throw new Refusal(`no PriorityClass with name ${name} was found`);
  const value = found?.value ?? 0;
  const policy = found ? found.preemptionPolicy : 'PreemptLowerPriority';
  const computed = 'must not be provided in pod spec; priority admission controller computed';
  if (priority !== undefined && priority !== value) {
    throw new Refusal(
      `the integer value of priority (${priority}) ${computed} ${value} from the given PriorityClass name`,
    );
  }
  if (policy && preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    throw new Refusal(
      `the string value of PreemptionPolicy (${preemptionPolicy}) ${computed} ${policy} from the given PriorityClass name`,
    );
  }
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(found && { priorityClassName: found.metadata.name }),
      priority: value,
      ...(policy && { preemptionPolicy: policy }),
    },
  };
}

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/serviceaccount/admission.go Plugin.Admit,
 * mountServiceAccountToken
 */
export function withServiceAccount(pod: Pod, account: ServiceAccount, newVolume: string): Pod {
  const { automountServiceAccountToken: wants, imagePullSecrets } = pod.spec;
  const spec: Pod['spec'] = { ...pod.spec, serviceAccountName: account.metadata.name };
  if (!imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = [...account.imagePullSecrets];
  }
  if (!(wants ?? account.automountServiceAccountToken ?? true)) return { ...pod, spec };

  const existing = spec.volumes?.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX));
  const name = existing?.name ?? newVolume;
  let isMounted = false;
  const mounted = (container: core.Container): core.Container => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;
    isMounted = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: TOKEN_MOUNT_PATH }] };
  };
  if (spec.initContainers) spec.initContainers = spec.initContainers.map(mounted);
  if (spec.containers) spec.containers = spec.containers.map(mounted);
  if (isMounted && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
  return { ...pod, spec };
}

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go PodMutateLimitFunc,
 * mergeContainerResources
 */
export function withLimits(pod: Pod, range: LimitRange): Pod {
  const limits: Record<string, string> = {};
  const requests: Record<string, string> = {};
  for (const item of range.spec.limits ?? []) {
    if (item.type !== 'Container') continue;
    Object.assign(limits, item.default);
    Object.assign(requests, item.defaultRequest);
  }
  const completed = (container: core.Container): core.Container => ({
    ...container,
    resources: {
      ...container.resources,
      ...merged('limits', limits, container.resources?.limits),
      ...merged('requests', requests, container.resources?.requests),
    },
  });
  const { containers, initContainers } = pod.spec;
  const spec = { ...pod.spec };
  if (containers) spec.containers = containers.map(completed);
  if (initContainers) spec.initContainers = initContainers.map(completed);
  return { ...pod, spec };
}

/** Returns the list with its defaults, as a field; no field if the list stays empty. */
function merged<K extends string>(
  field: K,
  defaults: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> | undefined,
): { [_ in K]?: Record<string, string> } {
  const list = { ...defaults, ...given };
  return (Object.keys(list).length > 0 ? { [field]: list } : {}) as { [_ in K]?: Record<string, string> };
}
