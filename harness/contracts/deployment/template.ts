import type { Deployment } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { PodTemplateSpec } from './facts.ts';

/** The label that distinguishes the pods of different templates. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/**
 * Returns whether two templates are equal, apart from the label {@link POD_TEMPLATE_HASH}. They are compared as by the
 * apiserver: `1` cpu equals `1000m`, and an empty value equals an absent one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go EqualIgnoreHash
 */
export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return a === b || semanticEqual(templateWithoutHash(a), templateWithoutHash(b));
}

/** Returns the template without the label {@link POD_TEMPLATE_HASH}, as in a Deployment. */
export function templateWithoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [POD_TEMPLATE_HASH]: hash, ...labels } = template.metadata?.labels ?? {};
  if (hash === undefined) return template;
  return { ...template, metadata: { ...template.metadata, labels } };
}

const NAME_LENGTH_MAX = 253;

/**
 * Returns the name of the ReplicaSet for a hash: `web-5d4`. If the Deployment's name is too long for that, it is
 * truncated.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go generateReplicaSetName
 */
export function generateReplicaSetName({ metadata }: Deployment, hash: string): string {
  return `${metadata.name.slice(0, NAME_LENGTH_MAX - 1 - hash.length)}-${hash}`;
}
