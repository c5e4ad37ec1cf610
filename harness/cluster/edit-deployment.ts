import type { DeploymentStrategy } from '#api/apps/v1';
import { type Deployment, keyOf, type ObjectKey, type ReplicaSet } from '../api/objects.ts';
import { deployments, replicaSets } from '../api/resource.ts';
import type { Client, DeleteOptions, Patch } from '../contracts/client.ts';

/**
 * An edit of a Deployment by a user, as a value. `image` changes the first container; `undo` restores the previous
 * template, as `kubectl rollout undo` does. An edit may change nothing, for example if it scales to the current number.
 */
export type DeploymentEdit =
  | { readonly edit: 'scale'; readonly replicas: number }
  | { readonly edit: 'image'; readonly image: string }
  | { readonly edit: 'pause' }
  | { readonly edit: 'resume' }
  | { readonly edit: 'undo' }
  | { readonly edit: 'strategy'; readonly strategy: DeploymentStrategy }
  | { readonly edit: 'delete'; readonly propagationPolicy: NonNullable<DeleteOptions['propagationPolicy']> };

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go RevisionAnnotation */
const REVISION = 'deployment.kubernetes.io/revision';
const HASH = 'pod-template-hash';

/**
 * Performs a user's command on a Deployment: `kubectl scale`, `kubectl set image`, `kubectl rollout undo`. An undo
 * without an earlier revision does nothing.
 *
 * @throws StatusError when the server rejects a request
 */
export async function editDeployment(client: Client, key: ObjectKey, edit: DeploymentEdit): Promise<void> {
  switch (edit.edit) {
    case 'scale':
      await client.updateScale(deployments, key, { replicas: edit.replicas });
      return;
    case 'delete':
      await client.delete(deployments, key, { propagationPolicy: edit.propagationPolicy });
      return;
    case 'undo':
      await undo(client, await client.get(deployments, key));
      return;
    default: {
      const deployment = await client.get(deployments, key);
      await client.patch(deployments, key, patchFor(deployment, edit));
    }
  }
}

function patchFor(
  { spec }: Deployment,
  edit: Exclude<DeploymentEdit, { edit: 'scale' | 'delete' | 'undo' }>,
): Patch {
  switch (edit.edit) {
    case 'image': {
      const [first] = spec.template.spec?.containers ?? [];
      const containers = [{ name: first?.name, image: edit.image }];
      return { type: 'strategic', body: { spec: { template: { spec: { containers } } } } };
    }
    case 'pause':
    case 'resume':
      return { type: 'strategic', body: { spec: { paused: edit.edit === 'pause' ? true : null } } };
    case 'strategy':
      return { type: 'json', body: [{ op: 'replace', path: '/spec/strategy', value: edit.strategy }] };
  }
}

/**
 * Replaces the template by that of the previous revision.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go
 * DeploymentRollbacker.Rollback
 */
async function undo(client: Client, deployment: Deployment): Promise<void> {
  const { namespace = '', uid } = deployment.metadata;
  const { items } = await client.list(replicaSets, { namespace });
  const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);
  const [, before] = items
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid),
    )
    .sort((a, b) => revisionOf(b) - revisionOf(a));
  if (!before) return;
  const { template } = before.spec;
  const { [HASH]: _, ...labels } = template.metadata?.labels ?? {};
  const value = { ...template, metadata: { ...template.metadata, labels } };
  await client.patch(deployments, keyOf(deployment), {
    type: 'json',
    body: [{ op: 'replace', path: '/spec/template', value }],
  });
}
