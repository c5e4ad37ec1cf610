import type { KubeObject, ObjectKey, ObjectMeta, Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { BindOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { without } from '../copy-on-write.ts';
import { withTopologyLabels } from '../kinds/pod/topology-labels.ts';
import { withCondition } from '../kinds/with-condition.ts';
import { admittedRequest } from './admitted.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';

/** Errors of this subresource carry its name. */
const podsBinding = { group: '', plural: 'pods/binding' };

/**
 * Assigns a pod to a node, once and for all. The pod gets the topology labels of its node and loses
 * `nominatedNodeName`. Its generation stays, because its desired state has not changed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/storage/storage.go BindingREST.setPodNodeAndMetadata
 *
 * Differs: does not copy labels and annotations of the Binding to the pod. A target without a kind counts as a Node and
 * its labels are copied; upstream copies them only if the kind is set.
 */
export async function bind(
  { storage, clock, writes, ...registry }: Registry,
  key: ObjectKey,
  nodeName: string,
  options: BindOptions,
): Promise<void> {
  if (!nodeName) {
    throw errors.invalid({ group: '', kind: 'Binding' }, key.name, [
      { reason: 'FieldValueRequired', message: 'Required value', field: 'target.name' },
    ]);
  }
  if (registry.admission)
    await admittedBinding({ storage, clock, writes, ...registry }, key, nodeName, options);
  const pod = readNewest({ storage, clock, writes, ...registry }, pods, checkedKey(pods, key));
  const refuse = (why: string): Error => errors.conflict(podsBinding, pod.metadata.name, why);
  if (options.uid && options.uid !== pod.metadata.uid) {
    throw refuse(
      `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if (pod.metadata.deletionTimestamp) {
    throw refuse(`pod ${pod.metadata.name} is being deleted, cannot be assigned to a host`);
  }
  if (pod.spec.nodeName) {
    throw refuse(`pod ${pod.metadata.name} is already assigned to node "${pod.spec.nodeName}"`);
  }
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    throw refuse(`pod ${pod.metadata.name} has non-empty .spec.schedulingGates`);
  }
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null };
  const status = {
    ...without(pod.status, 'nominatedNodeName'),
    conditions: withCondition(pod.status.conditions, scheduled, formatTime(clock.now())),
  };
  const bound: Pod = withTopologyLabels(
    { ...pod, spec: { ...pod.spec, nodeName }, status },
    storage.get(nodes, { name: nodeName }),
  );
  if (options.dryRun) return;
  const binding = writes.update(pods, bound, pod.metadata.resourceVersion, registry.author);
  if (binding instanceof Promise) await binding;
}

/** Leads the Binding through admission. Upstream: kubernetes/api@v0.36.3 core/v1/types.go Binding */
async function admittedBinding(
  registry: Registry,
  { namespace = '', name }: ObjectKey,
  nodeName: string,
  options: BindOptions,
): Promise<void> {
  const subresource = 'binding';
  const write = { operation: 'CREATE', resource: pods, subresource, namespace, name, options } as const;
  const metadata = { namespace, name, ...(options.uid && { uid: options.uid }) } as ObjectMeta;
  const target = { kind: 'Node', name: nodeName };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target };
  await admittedRequest(registry, write, binding as KubeObject);
}
