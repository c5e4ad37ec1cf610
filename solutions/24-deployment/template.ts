/** Level 1 · The template's hash, and the ReplicaSet of a template. */
import {
  byCreationTimestamp,
  equalIgnoreHash,
  generateReplicaSetName,
  POD_TEMPLATE_HASH,
  type PodTemplateSpec,
} from '#given/24-deployment';
import { type Deployment, type New, newControllerRef, type ReplicaSet, semanticText } from '#harness';

export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = semanticText(template) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  // Decimal digits would be just as unique. These characters form no words, like those of generated names.
  return [...String(fnv32a(text))].map((digit) => ALPHABET[Number(digit)]).join('');
}

/** The characters for the digits 0 to 9 in upstream's encoding. */
const ALPHABET = '456789bcdf';

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function newReplicaSetFor(deployment: Deployment): New<ReplicaSet> {
  const { metadata, spec, status } = deployment;
  const { template, selector, minReadySeconds } = spec;
  const hash = computeHash(template, status.collisionCount);
  const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  return {
    metadata: {
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      // The name depends only on the template, so a retry finds the ReplicaSet of the first attempt.
      name: generateReplicaSetName(deployment, hash),
      labels,
      ownerReferences: [newControllerRef(deployment, 'Deployment')],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

export function findNewReplicaSet({ spec }: Deployment, all: readonly ReplicaSet[]): ReplicaSet | undefined {
  return all
    .toSorted(byCreationTimestamp)
    .find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));
}
