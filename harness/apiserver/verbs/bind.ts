import type { ObjectKey, Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { BindOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';

/** Errors of this subresource name it. */
const podsBinding = { group: '', plural: 'pods/binding' };

/**
 * Assigns a pod to a node. There is no way back: a pod is bound once.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/registry/core/pod/storage/storage.go BindingREST
 */
export async function bind(
  { storage, clock, ...registry }: Registry,
  key: ObjectKey,
  nodeName: string,
  options: BindOptions,
): Promise<void> {
  if (!nodeName) {
    throw errors.invalid({ group: '', kind: 'Binding' }, key.name, [
      { reason: 'FieldValueRequired', message: 'Required value', field: 'target.name' },
    ]);
  }
  const pod = readNewest({ storage, clock, ...registry }, pods, checkedKey(pods, key));
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
  const bound: Pod = {
    ...pod,
    spec: { ...pod.spec, nodeName },
    status: { ...pod.status, conditions: scheduled(pod, formatTime(clock.now())) },
  };
  storage.update(pods, bound, pod.metadata.resourceVersion, registry.author);
}

type Conditions = NonNullable<Pod['status']['conditions']>;

function scheduled({ status }: Pod, now: string): Conditions {
  const others = (status.conditions ?? []).filter((condition) => condition.type !== 'PodScheduled');
  return [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime: now }];
}
