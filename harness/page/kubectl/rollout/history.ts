import type { PodTemplateSpec } from '#api/core/v1';
import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { replicaSets } from '../../../api/resource.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Client } from '../../../contracts/client.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/util/deployment/deployment.go RevisionAnnotation */
export const REVISION = 'deployment.kubernetes.io/revision';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';
const HASH = 'pod-template-hash';

/** Returns the ReplicaSets of a Deployment, oldest first. */
export async function replicaSetsOf(client: Client, deployment: Deployment): Promise<readonly ReplicaSet[]> {
  const { namespace = '', uid } = deployment.metadata;
  const { items } = await client.list(replicaSets, { namespace });
  return items
    .filter((each) => controllerOf(each)?.uid === uid)
    .sort((a, b) => (ageOrder(a) < ageOrder(b) ? -1 : 1));
}

const ageOrder = ({ metadata }: ReplicaSet): string => `${metadata.creationTimestamp} ${metadata.name}`;

/** Returns the number of a ReplicaSet's revision; 0 without one. */
export function revisionOf({ metadata }: ReplicaSet | Deployment): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

/** Returns the ReplicaSet with the template of the Deployment; undefined if none exists yet. */
export function newReplicaSet(deployment: Deployment, all: readonly ReplicaSet[]): ReplicaSet | undefined {
  return all.find(({ spec }) => isSameTemplate(spec.template, deployment.spec.template));
}

/** Returns whether two templates are equal, apart from the label with their hash. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return semanticEqual(withoutHash(a), withoutHash(b));
}

/** Returns a template without the label with its hash. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the reason for a revision that its author noted. */
export function changeCauseOf({ metadata }: ReplicaSet): string {
  return metadata.annotations?.[CHANGE_CAUSE] || '<none>';
}
