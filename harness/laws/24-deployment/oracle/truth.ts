import { getScaledValueFromIntOrPercent } from '../../../api/intstr.ts';
import { labelSelectorAsSelector } from '../../../api/label-selector.ts';
import type { Deployment, KubeObject, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';

type Template = Deployment['spec']['template'];
type Condition = NonNullable<Deployment['status']['conditions']>[number];

/** The annotation that counts roll-outs. */
export const REVISION = 'deployment.kubernetes.io/revision';

/** The annotation of a ReplicaSet with the `replicas` of the Deployment when it was last scaled. */
export const DESIRED = 'deployment.kubernetes.io/desired-replicas';

/** The annotation of a ReplicaSet with the limit of pods, surge included, at that time. */
export const MAX = 'deployment.kubernetes.io/max-replicas';

/** The reason of `Progressing` if the roll-out is complete. */
export const COMPLETE = 'NewReplicaSetAvailable';

/** The reason of `Progressing` if the deadline has passed. */
export const EXCEEDED = 'ProgressDeadlineExceeded';

/** The value of `progressDeadlineSeconds` that means no deadline. */
export const NEVER = 2 ** 31 - 1;

/** The label that separates the pods of different templates. */
export const HASH_LABEL = 'pod-template-hash';

/** Tests whether this object controls the ReplicaSet. */
export function isOf(replicaSet: ReplicaSet | undefined, { metadata }: KubeObject): boolean {
  return replicaSet !== undefined && controllerOf(replicaSet)?.uid === metadata.uid;
}

/** Tests whether the Deployment selects this object. */
export function selects({ spec }: Deployment, { metadata }: KubeObject): boolean {
  return labelSelectorAsSelector(spec.selector).matches(metadata.labels);
}

/** The template of a Deployment. */
function templateWithoutHash(template: Template): Template {
  const { [HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Tests whether two templates are equal, apart from the hash label. */
export function sameTemplate(a: Template, b: Template): boolean {
  return a === b || semanticEqual(templateWithoutHash(a), templateWithoutHash(b));
}

/** The limit of pods, and the required number of available pods. */
interface Budget {
  readonly max: number;
  readonly minAvailable: number;
}

/**
 * Returns the limit of pods, and the required number of available pods, during a roll-out.
 *
 * This file is the oracle of the laws. It shares no code with the solutions.
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

/** Returns the oldest ReplicaSet with the Deployment's template; of equal age, the first by name. */
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

/** Tests whether a container has an image that never becomes ready. */
export function isBroken({ spec }: Template): boolean {
  return (spec?.containers ?? []).some(({ image = '' }) => image.endsWith(':broken'));
}

/** Returns the revision in the annotations, or 0. */
export function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** Returns the number of available pods that the ReplicaSet reports. */
export function availableOf({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0;
}

/** Returns the sum of the numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Tests whether the roll-out is complete: the ReplicaSet of the template has all pods, and all are available. */
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

/** Tests whether an object is being deleted. */
export function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Returns the condition of this type, or undefined. */
export function conditionOf({ conditions = [] }: Deployment['status'], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}
