import type * as core from '#api/core/v1';
import type { Pod, RuntimeClass } from '../../api/objects.ts';
import { runtimeClasses } from '../../api/plain-resources.ts';
import { pods } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { isNotFound } from '../../api/status.ts';
import type { AdmissionAttributes, AdmissionContext } from '../../contracts/admission/index.ts';
import { forbidden, isAbout, type Plugin } from './plugin.ts';
import { sameAmounts } from './resource-lists.ts';

/**
 * The plugin RuntimeClass: gives a new pod the overhead, the node selector and the tolerations of its runtime class.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/runtimeclass/admission.go RuntimeClass
 */
export function runtimeClassPlugin(context: AdmissionContext): Plugin {
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    async admit(attributes) {
      if (!isAbout(attributes, pods)) return attributes.object;
      const pod = attributes.object as Pod;
      const runtimeClass = await classOf(context, attributes, pod);
      if (!runtimeClass) return pod;
      return withScheduling(attributes, withOverhead(attributes, pod, runtimeClass), runtimeClass);
    },
    async validate(attributes) {
      if (!isAbout(attributes, pods)) return;
      const pod = attributes.object as Pod;
      const overhead = (await classOf(context, attributes, pod))?.overhead;
      if (overhead && !sameAmounts(overhead.podFixed ?? {}, pod.spec.overhead ?? {})) {
        throw forbidden(attributes, OTHER_OVERHEAD);
      }
      if (!overhead && pod.spec.overhead) {
        const why = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
        throw forbidden(attributes, why);
      }
    },
  };
}

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

async function classOf(
  { cache, client }: AdmissionContext,
  attributes: AdmissionAttributes,
  { spec }: Pod,
): Promise<RuntimeClass | undefined> {
  const name = spec.runtimeClassName;
  if (name === undefined || name === null) return undefined;
  const cached = cache.get(runtimeClasses, { name });
  if (cached) return cached;
  try {
    return await client.get(runtimeClasses, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw forbidden(attributes, `pod rejected: RuntimeClass "${name}" not found`);
  }
}

function withOverhead(attributes: AdmissionAttributes, pod: Pod, { overhead }: RuntimeClass): Pod {
  if (!overhead) return pod;
  const { podFixed = {} } = overhead;
  const own = pod.spec.overhead ?? {};
  if (Object.keys(own).length > 0 && !sameAmounts(podFixed, own)) {
    throw forbidden(attributes, OTHER_OVERHEAD);
  }
  return { ...pod, spec: { ...pod.spec, overhead: { ...podFixed } } };
}

function withScheduling(attributes: AdmissionAttributes, pod: Pod, { scheduling }: RuntimeClass): Pod {
  if (!scheduling) return pod;
  const own = pod.spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    if (!Object.hasOwn(own, key) || own[key] === value) continue;
    throw forbidden(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`,
    );
  }
  const nodeSelector = { ...own, ...scheduling.nodeSelector };
  const tolerations = mergedTolerations(pod.spec.tolerations ?? [], scheduling.tolerations ?? []);
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
      ...(tolerations.length > 0 && { tolerations }),
    },
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/tolerations/tolerations.go MergeTolerations */
function mergedTolerations(
  first: readonly core.Toleration[],
  second: readonly core.Toleration[],
): core.Toleration[] {
  const all = [...first, ...second];
  const isCovered = (toleration: core.Toleration, i: number): boolean =>
    all.some((other, k) => {
      if (k === i) return false;
      if (semanticEqual(other, toleration)) return k < i;
      return covers(other, toleration);
    });
  return all.filter((toleration, i) => !isCovered(toleration, i));
}

/** Returns whether the first toleration tolerates every taint of the second. Upstream: isSuperset */
function covers(a: core.Toleration, b: core.Toleration): boolean {
  if (a.key !== b.key && !(!a.key && a.operator === 'Exists')) return false;
  if (a.effect !== b.effect && a.effect) return false;
  if (a.effect === 'NoExecute') {
    if (b.tolerationSeconds === undefined && a.tolerationSeconds !== undefined) return false;
    if ((a.tolerationSeconds ?? Infinity) < (b.tolerationSeconds ?? Infinity)) return false;
  }
  if (a.operator === 'Exists') return true;
  return (b.operator ?? 'Equal') !== 'Exists' && a.value === b.value;
}
