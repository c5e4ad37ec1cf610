/** Level 12 ★ · History and rollback. */
import {
  byRevision,
  equalIgnoreHash,
  MAX_INT32,
  revision,
  rolledBackAnnotations,
  templateWithoutHash,
} from '#given/24-deployment';
import {
  type Client,
  controllerOf,
  type Deployment,
  deployments,
  labels,
  type ObjectKey,
  type ReplicaSet,
  replicaSets,
} from '#harness';

export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit;
  if (limit === undefined || limit === MAX_INT32) return [];
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  // A ReplicaSet that still has pods is not deleted, nor is another one in its place.
  return alive
    .toSorted(byRevision)
    .slice(0, Math.max(0, alive.length - limit))
    .filter(
      ({ metadata, spec, status }) =>
        spec.replicas === 0 &&
        status.replicas === 0 &&
        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    );
}

export function deploymentRevision(
  { metadata }: Deployment,
  all: readonly ReplicaSet[],
  toRevision = 0,
): ReplicaSet {
  const known = all.filter((replicaSet) => revision(replicaSet) !== undefined);
  if (toRevision !== 0) {
    const found = toRevision > 0 && known.find((replicaSet) => revision(replicaSet) === toRevision);
    if (found) return found;
    throw new Error(`unable to find specified revision ${toRevision} in history`);
  }
  const previous = known.toSorted(byRevision).at(-2);
  if (previous) return previous;
  throw new Error(`no rollout history found for deployment "${metadata.name}"`);
}

export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  const deployment = await client.get(deployments, key);
  const { items } = await client.list(replicaSets, {
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    labelSelector: labels.labelSelectorAsSelector(deployment.spec.selector).toString(),
  });
  const owned = items.filter((item) => controllerOf(item)?.uid === deployment.metadata.uid);
  const target = deploymentRevision(deployment, owned, toRevision);
  if (deployment.spec.paused) {
    throw new Error(`you cannot rollback a paused deployment; kubectl rollout resume deployment/${key.name}`);
  }
  if (equalIgnoreHash(target.spec.template, deployment.spec.template)) {
    return `skipped rollback (current template already matches revision ${toRevision})`;
  }
  const template = templateWithoutHash(target.spec.template as Deployment['spec']['template']);
  const annotations = rolledBackAnnotations(deployment, target);
  await client.patch(deployments, key, {
    type: 'json',
    body: [
      { op: 'replace', path: '/spec/template', value: template },
      { op: 'replace', path: '/metadata/annotations', value: annotations },
    ],
  });
  return 'rolled back';
}
