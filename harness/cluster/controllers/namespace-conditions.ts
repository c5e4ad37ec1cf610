import type { NamespaceCondition } from '#api/core/v1';
import type { Namespace } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { formatTime } from '../../sim/index.ts';

/** The remaining content of a namespace that is being deleted. */
export interface Content {
  /** Number of remaining objects, by resource. */
  readonly remaining: ReadonlyMap<Resource, number>;
  /** Number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The errors of failed deletions. */
  readonly failures: readonly unknown[];
  /** The errors of the search for the resources to delete. */
  readonly discoveryFailures: readonly unknown[];
  /** Estimated time until the remaining content is deleted, in seconds. */
  readonly leftForSeconds: number;
}

/** Reason and message of each condition when its status is False. */
const FINE = {
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: [
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
} as const satisfies Readonly<Record<string, readonly [reason: string, message: string]>>;

type ConditionType = keyof typeof FINE;

/**
 * Returns the namespace with conditions that report its remaining content; the same object if they are already correct.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/status_condition_utils.go
 * namespaceConditionUpdater
 */
export function withDeletionConditions(namespace: Namespace, content: Content, nowMs: number): Namespace {
  const bad = complaints(content);
  const known = namespace.status.conditions ?? [];
  const types = Object.keys(FINE) as ConditionType[];
  const conditions = types.map((type): NamespaceCondition => {
    const [reason, message] = bad[type] ?? FINE[type];
    const status = bad[type] ? 'True' : 'False';
    const old = known.find((each) => each.type === type);
    if (old?.status === status && old.reason === reason && old.message === message) return old;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(nowMs);
    return { type, status, lastTransitionTime, reason, message } as NamespaceCondition;
  });
  if (conditions.every((each) => known.includes(each))) return namespace;
  const others = known.filter(({ type }) => !types.includes(type as ConditionType));
  return { ...namespace, status: { ...namespace.status, conditions: [...others, ...conditions] } };
}

function complaints({
  remaining,
  finalizers,
  failures,
  discoveryFailures,
}: Content): Partial<Record<ConditionType, readonly [reason: string, message: string]>> {
  const counted = [...remaining].map(
    ([{ plural, group }, count]) => `${plural}.${group} has ${count} resource instances`,
  );
  const held = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
  const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const failed = failures.map(textOf);
  const list = (texts: readonly string[]): string => texts.toSorted().join(', ');
  return {
    ...(discoveryFailures.length > 0 && {
      NamespaceDeletionDiscoveryFailure: ['DiscoveryFailed', list(discoveryFailures.map(textOf))] as const,
    }),
    ...(counted.length > 0 && {
      NamespaceContentRemaining: [
        'SomeResourcesRemain',
        `Some resources are remaining: ${list(counted)}`,
      ] as const,
    }),
    ...(held.length > 0 && {
      NamespaceFinalizersRemaining: [
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${list(held)}`,
      ] as const,
    }),
    ...(failed.length > 0 && {
      NamespaceDeletionContentFailure: [
        'ContentDeletionFailed',
        `Failed to delete all resource types, ${failed.length} remaining: ${list(failed)}`,
      ] as const,
    }),
  };
}
