import type { Pod } from '../../api/objects.ts';
import { parseQuantity, Quantity } from '../../api/quantity.ts';
import { isMirrorPod, isStaticPod } from '../static-pod.ts';
import type { PodUsage } from './pod-usage.ts';
import type { resourceOf } from './thresholds.ts';

const NANOS = 1_000_000_000n;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/scheduling/types.go SystemCriticalPriority */
const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/**
 * Returns whether the node depends on the pod. A critical pod is never evicted, nor rejected because of a shortage.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go IsCriticalPod
 */
export function isCriticalPod(pod: Pod): boolean {
  const { priority = 0 } = pod.spec;
  return isStaticPod(pod) || isMirrorPod(pod) || priority >= SYSTEM_CRITICAL_PRIORITY;
}

/** Formats an amount for messages: `100Mi` of memory or disk, `327680` of other resources. */
export function formatAmount(resource: ReturnType<typeof resourceOf>, amount: number): string {
  const format = resource === 'memory' || resource === 'ephemeral-storage' ? 'BinarySI' : 'DecimalSI';
  return new Quantity(BigInt(amount) * NANOS, format).toString();
}

/**
 * Returns the eviction message of a pod that exceeds its own limits of local storage; undefined for any other pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go localStorageEviction
 */
export function localStorageMessage(pod: Pod, usage: PodUsage): string | undefined {
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const { sizeLimit } = emptyDir ?? {};
    const limit = bytes(sizeLimit);
    if (limit > 0 && (usage.emptyDirBytes.get(name) ?? 0) > limit) {
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${sizeLimit}". `;
    }
  }
  const limits = pod.spec.containers.map(({ name, resources }) => ({
    name,
    text: resources?.limits?.['ephemeral-storage'],
  }));
  const all = limits.reduce((sum, { text }) => sum + bytes(text), 0);
  if (all > 0 && usage.diskBytes > all) {
    return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatAmount('ephemeral-storage', all)}. `;
  }
  for (const { name, text } of limits) {
    const used = usage.containers.find((each) => each.name === name)?.diskBytes ?? 0;
    if (bytes(text) > 0 && used > bytes(text)) {
      return `Container ${name} exceeded its local ephemeral storage limit "${text}". `;
    }
  }
  return undefined;
}

function bytes(text: string | number | undefined): number {
  return text === undefined ? 0 : parseQuantity(String(text)).value();
}
