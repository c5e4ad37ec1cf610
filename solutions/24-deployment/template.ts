/** Level 1 · The template's hash, the new ReplicaSet and the old. */
import { type Deployment, type New, type ReplicaSet, semanticEqual } from '#harness';
import { POD_TEMPLATE_HASH } from './constants.ts';
import { controllerRefTo } from './metadata.ts';

export type PodTemplateSpec = Deployment['spec']['template'];

export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = canonical(template) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  // Decimal digits would be as unique. These spell no words, as those of generated names.
  return [...String(fnv32a(text))].map((digit) => ALPHABET[Number(digit)]).join('');
}

/** What upstream's encoding makes of the digits 0 to 9. */
const ALPHABET = '456789bcdf';

/** JSON that does not depend on the order in which fields were written, nor on those that hold nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
    .join(',')}}`;
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return semanticEqual(withoutHash(a), withoutHash(b));
}

/** The template without the label that a ReplicaSet adds to it. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [POD_TEMPLATE_HASH]: hash, ...others } = template.metadata?.labels ?? {};
  if (hash === undefined) return template;
  return { ...template, metadata: { ...template.metadata, labels: others } };
}

export function newReplicaSetFor(deployment: Deployment): New<ReplicaSet> {
  const { metadata, spec, status } = deployment;
  const hash = computeHash(spec.template, status.collisionCount);
  const hashed = { ...spec.template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  return {
    metadata: {
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      // A name that follows from the template: who tries twice finds what the first try made.
      name: `${metadata.name}-${hash}`,
      labels: hashed,
      ownerReferences: [controllerRefTo(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels: hashed } },
    },
  };
}

export function findNewReplicaSet({ spec }: Deployment, all: readonly ReplicaSet[]): ReplicaSet | undefined {
  return all.toSorted(byAge).find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));
}

export function findOldReplicaSets(deployment: Deployment, all: readonly ReplicaSet[]): ReplicaSet[] {
  const newest = findNewReplicaSet(deployment, all);
  return all.filter(({ metadata }) => metadata.uid !== newest?.metadata.uid);
}

export function filterActiveReplicaSets(all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(({ spec }) => spec.replicas > 0);
}

/** Oldest first; of those made in the same second, by name. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}
