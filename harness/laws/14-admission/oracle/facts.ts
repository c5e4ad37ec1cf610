import type * as core from '#api/core/v1';
import type { LimitRange, Namespace, PriorityClass, ServiceAccount } from '../../../api/objects.ts';
import { limitRanges } from '../../../api/plain-resources.ts';
import {
  groupResource,
  namespaces,
  priorityClasses,
  type Resource,
  serviceAccounts,
} from '../../../api/resource.ts';
import type { AdmissionHistory, Phase } from '../history.ts';
import { FACT_RESOURCES } from '../scenario/objects.ts';

/** The objects that admission plugins read, at one revision. */
export interface FactsAt {
  readonly namespace: Namespace | undefined;
  readonly ranges: readonly core.LimitRangeItem[];
  readonly classes: readonly PriorityClass[];
  /** The names of disabled plugins. */
  readonly disabled: readonly string[];
  account(name: string): ServiceAccount | undefined;
}

/** Returns the objects that concern a namespace at a revision. */
export function factsAt(
  { read, list, scenario }: AdmissionHistory,
  namespace: string,
  revision: number,
): FactsAt {
  const ranges = namespace === '' ? [] : (list(limitRanges as Resource, namespace, revision) as LimitRange[]);
  return {
    namespace: read(namespaces as Resource, { name: namespace || '-' }, revision) as Namespace | undefined,
    ranges: ranges.flatMap(({ spec }) => spec.limits ?? []),
    classes: list(priorityClasses as Resource, undefined, revision) as PriorityClass[],
    disabled: scenario.facts.disabled ?? [],
    account: (name) =>
      read(serviceAccounts as Resource, { namespace, name }, revision) as ServiceAccount | undefined,
  };
}

/**
 * How long LimitRanges count that were read because the cache had none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/limitranger/admission.go NewLimitRanger
 */
const LIVE_RANGES_MS = 30_000;

const FACTS = new Set(FACT_RESOURCES.map(groupResource));

/**
 * Returns whether no plugin can have read two states of an object: nothing changed that the cache does not have.
 *
 * @param endRevision - the revision at the end of the phase
 */
export function isSettled(
  { writes }: AdmissionHistory,
  { cachedRevision, ...phase }: Phase,
  endRevision = phase.endRevision ?? Number.POSITIVE_INFINITY,
): boolean {
  return !writes.some(
    ({ revision, resource, atMs }) =>
      (revision > cachedRevision && revision <= endRevision && FACTS.has(groupResource(resource))) ||
      (groupResource(resource) === 'limitranges' && atMs > Math.max(0, phase.startMs - LIVE_RANGES_MS)),
  );
}

/** Returns the state of a namespace at a revision. */
export function phaseOf(
  { read }: AdmissionHistory,
  name: string,
  revision: number,
): 'Active' | 'Terminating' | 'missing' {
  const found = read(namespaces as Resource, { name }, revision) as Namespace | undefined;
  if (!found) return 'missing';
  return found.status.phase === 'Terminating' ? 'Terminating' : 'Active';
}
