import { getScaledValueFromIntOrPercent } from '../../api/intstr.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { Deployment, KubeObject, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';

type Template = Deployment['spec']['template'];
type Condition = NonNullable<Deployment['status']['conditions']>[number];

/** The annotation that counts roll-outs. */
export const REVISION = 'deployment.kubernetes.io/revision';

/** The annotation of a ReplicaSet that says for how many replicas of the Deployment it was sized last. */
export const DESIRED = 'deployment.kubernetes.io/desired-replicas';

/** The annotation of a ReplicaSet that says how many pods, with the surge, were allowed then. */
export const MAX = 'deployment.kubernetes.io/max-replicas';

/** The reason of `Progressing` if the deadline has passed. */
export const EXCEEDED = 'ProgressDeadlineExceeded';

/** `progressDeadlineSeconds` for: there is no deadline. */
export const NEVER = 2 ** 31 - 1;

/** The label that tells the pods of one template from those of another. */
export const HASH_LABEL = 'pod-template-hash';

/** Does this object control the ReplicaSet? */
export function isOf(replicaSet: ReplicaSet | undefined, { metadata }: KubeObject): boolean {
  return replicaSet !== undefined && controllerOf(replicaSet)?.uid === metadata.uid;
}

/** Does the Deployment select this object? */
export function selects({ spec }: Deployment, { metadata }: KubeObject): boolean {
  return labelSelectorAsSelector(spec.selector).matches(metadata.labels);
}

/** The template as it stands in a Deployment. */
function templateWithoutHash(template: Template): Template {
  const { [HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Are the two templates the same, apart from the hash label? */
export function sameTemplate(a: Template, b: Template): boolean {
  return a === b || semanticEqual(templateWithoutHash(a), templateWithoutHash(b));
}

/** How many pods a Deployment allows, and how many it needs. */
interface Budget {
  readonly max: number;
  readonly minAvailable: number;
}

/**
 * The most pods that there may be, and the fewest that must be available, while the Deployment rolls out.
 *
 * What is true of Deployments and their ReplicaSets, for laws to compare with, is written here by itself, so that no
 * solution is measured by its own measure.
 */
export function budgetOf({ spec }: Deployment): Budget {
  const { replicas, strategy } = spec;
  if (strategy.type === 'Recreate') return { max: replicas, minAvailable: 0 };
  const { maxSurge = 0, maxUnavailable = 0 } = strategy.rollingUpdate ?? {};
  const surge = getScaledValueFromIntOrPercent(maxSurge, replicas, true);
  const resolved = getScaledValueFromIntOrPercent(maxUnavailable, replicas, false);
  const unavailable = surge === 0 && resolved === 0 ? 1 : resolved;
  return { max: replicas + surge, minAvailable: Math.max(0, replicas - unavailable) };
}

/** Of the ReplicaSets that have the Deployment's template, the oldest; then by name. */
export function newest({ spec }: Deployment, owned: readonly ReplicaSet[]): ReplicaSet | undefined {
  const [first] = owned
    .filter((each) => sameTemplate(each.spec.template, spec.template))
    .sort(({ metadata: a }, { metadata: b }) =>
      a.creationTimestamp === b.creationTimestamp
        ? a.name < b.name
          ? -1
          : 1
        : a.creationTimestamp < b.creationTimestamp
          ? -1
          : 1,
    );
  return first;
}

/** Is there an image among the containers that never becomes ready? */
export function isBroken({ spec }: Template): boolean {
  return (spec?.containers ?? []).some(({ image = '' }) => image.endsWith(':broken'));
}

/** The revision in the annotations; 0 if there is none. */
export function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** How many pods the ReplicaSet reports as available. */
export function availableOf({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0;
}

/** The sum of the numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Is the roll-out over, by what is there: has the ReplicaSet of the template all pods, and does each count as available? */
export function isOver(deployment: Deployment, owned: readonly ReplicaSet[]): boolean {
  const current = newest(deployment, owned);
  const { replicas } = deployment.spec;
  return (
    current !== undefined &&
    current.spec.replicas === replicas &&
    current.status.replicas === replicas &&
    availableOf(current) === replicas &&
    owned.every((each) => each === current || (each.status.replicas === 0 && each.spec.replicas === 0))
  );
}

/** Is it being deleted? */
export function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The condition of this type; absent if the status has none. */
export function conditionOf({ conditions = [] }: Deployment['status'], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}
