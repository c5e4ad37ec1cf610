import type { Deployment } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { PodTemplateSpec } from './facts.ts';

/** The label that tells the pods of one template from those of another. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/**
 * Are two templates the same, whatever they say of the label {@link POD_TEMPLATE_HASH}? The same means what it means to the
 * apiserver: `1` cpu is `1000m`, and what is empty is not there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go EqualIgnoreHash
 */
export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return a === b || semanticEqual(templateWithoutHash(a), templateWithoutHash(b));
}

/** The template without the label {@link POD_TEMPLATE_HASH}: as it stands in a Deployment. */
export function templateWithoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [POD_TEMPLATE_HASH]: hash, ...labels } = template.metadata?.labels ?? {};
  if (hash === undefined) return template;
  return { ...template, metadata: { ...template.metadata, labels } };
}

const NAME_LENGTH_MAX = 253;

/**
 * The name of the ReplicaSet for a hash: `web-5d4`. The name of a Deployment that is too long for that is cut.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go generateReplicaSetName
 */
export function generateReplicaSetName({ metadata }: Deployment, hash: string): string {
  return `${metadata.name.slice(0, NAME_LENGTH_MAX - 1 - hash.length)}-${hash}`;
}
