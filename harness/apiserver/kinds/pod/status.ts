import type * as core from '#api/core/v1';
import { isValidIP } from '../../../api/ip.ts';
import { isDNS1123Subdomain, isQualifiedName } from '../../../api/names.ts';
import type { Pod } from '../../../api/objects.ts';
import { shouldRestart } from '../../../api/restart-policy.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { forbidden, invalid, invalidEach } from '../../validation/field-error.ts';
import { validateImmutableField } from '../../validation/object-meta.ts';
import { IP, inGoNames } from './go-names.ts';
import { restartsAllContainers } from './restart-policy.ts';

/**
 * Completes a status from a client with old values: the quality of service class, which never changes, and the
 * observed generations. A condition gets the generation of the old condition of the same type; duplicates of a type
 * match by their order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go podStatusStrategy.PrepareForUpdate,
 * preserveOldObservedGeneration
 */
export function withKeptStatusFields(status: Pod['status'], old: Pod['status']): Pod['status'] {
  const kept = withDefaults(status, {
    ...(old.qosClass ? { qosClass: old.qosClass } : {}),
    ...(old.observedGeneration ? { observedGeneration: old.observedGeneration } : {}),
  });
  const left = [...(old.conditions ?? [])];
  return withChanged(kept, 'conditions', (conditions) =>
    mapItems(conditions, (condition) => {
      const index = left.findIndex(({ type }) => type === condition.type);
      const [before] = index < 0 ? [] : left.splice(index, 1);
      const { observedGeneration } = before ?? {};
      return observedGeneration ? withDefaults(condition, { observedGeneration }) : condition;
    }),
  );
}

/**
 * Returns all violations of a new status. A container that has terminated for good stays terminated.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodStatusUpdate
 *
 * Differs: these parts of container statuses are not validated: users, allocated resources and volumes. Statuses of
 * resource claims are not validated either.
 */
export function validatePodStatusUpdate(pod: Pod, old: Pod): Cause[] {
  const { status, spec } = pod;
  const causes = validateConditions(status.conditions ?? []);
  if (spec.nodeName !== old.spec.nodeName) {
    causes.push(forbidden('status.nodeName', 'may not be changed directly'));
  }
  causes.push(...validateNominatedNodeName(pod, old));
  causes.push(
    ...validateObservedGeneration(status.observedGeneration, 'status.observedGeneration'),
    ...validateImmutableField(status.qosClass ?? '', old.status.qosClass ?? '', 'status.qosClass'),
    ...validateTransitions(pod, old),
    ...validatePodIPs(status, old.status),
    ...validateHostIPs(status, old.status),
  );
  return causes;
}

/** Rejects a nominated node for a pod that has a node. */
function validateNominatedNodeName(pod: Pod, old: Pod): Cause[] {
  const path = 'status.nominatedNodeName';
  const name = pod.status.nominatedNodeName;
  if (!name || name === old.status.nominatedNodeName) return [];
  const causes = invalidEach(path, name, isDNS1123Subdomain(name));
  if (old.spec.nodeName) {
    causes.push(forbidden(path, 'may not be set on pods that are already bound to a node'));
  }
  return causes;
}

function validateObservedGeneration(generation = 0, path: string): Cause[] {
  return generation < 0 ? [invalid(path, generation, 'must be a non-negative integer')] : [];
}

/** Validates that custom conditions have names like label keys. */
function validateConditions(conditions: readonly core.PodCondition[]): Cause[] {
  return conditions.flatMap(({ type = '', observedGeneration }, i) => {
    const at = `status.conditions[${i}]`;
    const causes = validateObservedGeneration(observedGeneration, `${at}.observedGeneration`);
    if (SYSTEM_CONDITIONS.includes(type)) return causes;
    return [...causes, ...invalidEach(`${at}.Type`, type, isQualifiedName(type))];
  });
}

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

/**
 * Rejects a container that leaves `terminated` although it must not restart. If a rule of one container restarts all,
 * each may leave.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidateContainerStateTransition, ValidateInitContainerStateTransition, ValidateEphemeralContainerStateTransition
 */
function validateTransitions(pod: Pod, old: Pod): Cause[] {
  const { spec } = old;
  const refused = (list: StatusList, mayRestart: (name: string, exitCode: number) => boolean): Cause[] =>
    (old.status[list] ?? []).flatMap(({ name, state }, i) => {
      const now = pod.status[list]?.find((status) => status.name === name && !status.state?.terminated);
      if (!state?.terminated || !now || mayRestart(name, state.terminated.exitCode)) return [];
      return [forbidden(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state')];
    });
  const among =
    (containers: readonly core.Container[] = []) =>
    (name: string, exitCode: number): boolean => {
      const container = containers.find((candidate) => candidate.name === name);
      return container !== undefined && shouldRestart(container, spec, exitCode);
    };
  const ephemeral = refused('ephemeralContainerStatuses', () => false);
  if (restartsAllContainers(spec)) return ephemeral;
  return [
    ...refused('containerStatuses', among(spec.containers)),
    ...refused('initContainerStatuses', among(spec.initContainers)),
    ...ephemeral,
  ];
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodIPs */
function validatePodIPs({ podIPs = [] }: core.PodStatus, old: core.PodStatus): Cause[] {
  return validateIPs(podIPs, old.podIPs ?? [], 'status.podIPs');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateHostIPs */
function validateHostIPs({ hostIP = '', hostIPs = [] }: core.PodStatus, old: core.PodStatus): Cause[] {
  const [first] = hostIPs;
  if (!first) return [];
  const causes: Cause[] = [];
  if (hostIP !== (first.ip ?? '')) {
    causes.push(invalid('status.hostIPs[0].ip', first.ip ?? '', 'must be equal to `hostIP`'));
  }
  return [...causes, ...validateIPs(hostIPs, old.hostIPs ?? [], 'status.hostIPs')];
}

/** Allows at most one address per family. An address of `old` can stay in a non-canonical form. */
function validateIPs(ips: readonly Address[], old: readonly Address[], path: string): Cause[] {
  const known = old.map(({ ip = '' }) => ip);
  const causes = ips.flatMap(({ ip = '' }, i) => invalidEach(`${path}[${i}]`, ip, isValidIP(ip, known)));
  const families = new Set(ips.map(({ ip = '' }) => ip.includes(':')));
  if (ips.length > families.size) {
    causes.push(invalid(path, inGoNames(ips, IP), 'may specify no more than one IP for each IP family'));
  }
  return causes;
}

interface Address {
  readonly ip?: string;
}
