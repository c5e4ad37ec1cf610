import type * as core from '#api/core/v1';
import { isValidIP } from '../../../api/ip.ts';
import { isDNS1123Subdomain, isQualifiedName } from '../../../api/names.ts';
import type { Pod } from '../../../api/objects.ts';
import type { Cause } from '../../../api/status.ts';
import { duplicate, forbidden, invalid, invalidEach } from '../../validation/field-error.ts';

/**
 * Every rule that a new status breaks. Containers that have ended for good stay ended.
 *
 * What may be written into a pod's status.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/validation/validation.go ValidatePodStatusUpdate
 *
 * Differs: resourceClaimStatuses are not looked into.
 */
export function validatePodStatusUpdate(pod: Pod, old: Pod): Cause[] {
  const { status, spec } = pod;
  const causes = validateConditions(status.conditions ?? []);
  if (spec.nodeName !== old.spec.nodeName) {
    causes.push(forbidden('status.nodeName', 'may not be changed directly'));
  }
  const nominated = status.nominatedNodeName;
  if (nominated && nominated !== old.status.nominatedNodeName) {
    causes.push(...invalidEach('status.nominatedNodeName', nominated, isDNS1123Subdomain(nominated)));
  }
  const sidecars = new Set(
    (old.spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always').map(({ name }) => name),
  );
  const { restartPolicy = '' } = old.spec;
  causes.push(
    ...validateTransition(pod, old, { list: 'containerStatuses', restartPolicy }),
    ...validateTransition(pod, old, { list: 'initContainerStatuses', restartPolicy, sidecars }),
    ...validateTransition(pod, old, { list: 'ephemeralContainerStatuses', restartPolicy: 'Never' }),
    ...validateIPs(status.podIPs ?? [], 'status.podIPs'),
    ...validateHostIPs(status),
  );
  return causes;
}

/** Conditions of one's own are named like labels. Upstream looks for them in the metadata. */
function validateConditions(conditions: readonly core.PodCondition[]): Cause[] {
  return conditions.flatMap(({ type = '' }, i) =>
    SYSTEM_CONDITIONS.includes(type)
      ? []
      : invalidEach(`metadata.conditions[${i}].Type`, type, isQualifiedName(type)),
  );
}

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

interface Transition {
  readonly list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';
  readonly restartPolicy: string;
  /** Names of init containers that restart whatever the pod's policy is. */
  readonly sidecars?: ReadonlySet<string>;
}

/**
 * No container leaves `terminated` that the policy does not let restart.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/validation/validation.go
 * ValidateContainerStateTransition, ValidateInitContainerStateTransition
 */
function validateTransition(pod: Pod, old: Pod, { list, restartPolicy, sidecars }: Transition): Cause[] {
  if (restartPolicy === 'Always') return [];
  return (old.status[list] ?? []).flatMap((before, i) => {
    const ended = before.state?.terminated;
    if (!ended || (ended.exitCode !== 0 && restartPolicy === 'OnFailure') || sidecars?.has(before.name))
      return [];
    return (pod.status[list] ?? [])
      .filter((now) => now.name === before.name && !now.state?.terminated)
      .map(() => forbidden(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state'));
  });
}

function validateHostIPs({ hostIP = '', hostIPs = [] }: core.PodStatus): Cause[] {
  const [first] = hostIPs;
  if (!first) return [];
  const causes: Cause[] = [];
  if (hostIP !== (first.ip ?? '')) {
    causes.push(invalid('status.hostIPs[0].ip', first.ip ?? '', 'must be equal to `hostIP`'));
  }
  return [...causes, ...validateIPs(hostIPs, 'status.hostIPs')];
}

/** One address of each family at most. */
function validateIPs(ips: readonly { readonly ip?: string }[], path: string): Cause[] {
  const causes = ips.flatMap(({ ip = '' }, i) => invalidEach(`${path}[${i}]`, ip, isValidIP(ip)));
  if (ips.length <= 1) return causes;
  const families = new Set(ips.map(({ ip = '' }) => ip.includes(':')));
  if (families.size !== ips.length) {
    causes.push(invalid(path, ips, 'may specify no more than one IP for each IP family'));
  }
  const seen = new Set<string | undefined>();
  ips.forEach((entry, i) => {
    if (seen.has(entry.ip)) causes.push(duplicate(`${path}[${i}]`, entry));
    seen.add(entry.ip);
  });
  return causes;
}
