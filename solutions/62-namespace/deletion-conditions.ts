import { GroupDiscoveryFailed } from '#given/62-namespace';
import { type core, formatTime, messageOf, type Resource } from '#harness';

/** The remaining content of a namespace, after one attempt to delete it. */
export interface Content {
  /** Number of remaining objects, by resource. */
  readonly remaining: ReadonlyMap<Resource, number>;
  /** Number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The errors of failed deletions. */
  readonly failures: readonly unknown[];
  /** The error of the search for the resources to delete; undefined without one. */
  readonly discoveryFailure: unknown;
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
} as const satisfies Readonly<Record<string, Explanation>>;

type ConditionType = keyof typeof FINE;
type Explanation = readonly [reason: string, message: string];

const TYPES = Object.keys(FINE) as readonly ConditionType[];

/**
 * Returns the conditions that report the remaining content; the same list if it is already correct. The conditions of
 * other controllers stay.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/status_condition_utils.go
 * namespaceConditionUpdater
 */
export function deletionConditions(
  known: readonly core.NamespaceCondition[],
  content: Content,
  nowMs: number,
): readonly core.NamespaceCondition[] {
  const problems = problemsOf(content);
  const conditions = TYPES.map((type): core.NamespaceCondition => {
    const [reason, message] = problems[type] ?? FINE[type];
    const status = problems[type] ? 'True' : 'False';
    const old = known.find((each) => each.type === type);
    if (old?.status === status && old.reason === reason && old.message === message) return old;
    const lastTransitionTime =
      old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : formatTime(nowMs);
    return { type, status, lastTransitionTime, reason, message };
  });
  if (conditions.every((each) => known.includes(each))) return known;
  return [...known.filter(({ type }) => !TYPES.includes(type as ConditionType)), ...conditions];
}

/** Returns the reason and the message of each condition whose status is True. */
function problemsOf(content: Content): Partial<Record<ConditionType, Explanation>> {
  const { discoveryFailure } = content;
  const counted = [...content.remaining].map(
    ([{ plural, group }, count]) => `${plural}.${group} has ${count} resource instances`,
  );
  const held = [...content.finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
  const failed = content.failures.map(messageOf);
  const sorted = (texts: readonly string[]): string => texts.toSorted().join(', ');
  return {
    ...(discoveryFailure !== undefined && {
      NamespaceDeletionDiscoveryFailure: ['DiscoveryFailed', discoveryText(discoveryFailure)],
    }),
    ...(failed.length > 0 && {
      NamespaceDeletionContentFailure: [
        'ContentDeletionFailed',
        `Failed to delete all resource types, ${failed.length} remaining: ${sorted(failed)}`,
      ],
    }),
    ...(counted.length > 0 && {
      NamespaceContentRemaining: ['SomeResourcesRemain', `Some resources are remaining: ${sorted(counted)}`],
    }),
    ...(held.length > 0 && {
      NamespaceFinalizersRemaining: [
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${sorted(held)}`,
      ],
    }),
  };
}

function discoveryText(error: unknown): string {
  return error instanceof GroupDiscoveryFailed
    ? `Discovery failed for some groups, ${error.groups.size} failing: ${error.message}`
    : messageOf(error);
}
