import type { LabelSelector } from '#api/meta/v1';
import { labelSelectorAsSelector, selectorFromSet } from '../../../api/label-selector.ts';
import type { KubeObject, Pod } from '../../../api/objects.ts';
import { isReady } from '../../../api/predicates.ts';
import { pods, services } from '../../../api/resource.ts';
import type { Call } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { selectAll, type Target } from '../targets.ts';

/**
 * Returns the pods of `web-1`, `pod/web-1`, `deploy/web` or `svc/web`: the pod itself, or the pods that a workload or a
 * Service selects, the best one first.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/helpers.go GetFirstPod, SelectorsForObject
 *
 * @throws StatusError NotFound; KubectlError when the object selects no pods
 */
export async function podsOf(call: Call, name: string): Promise<readonly Pod[]> {
  const args = name.includes('/') ? [name] : ['pods', name];
  const [target] = await selectAll(call, { args });
  if (!target) throw new KubectlError(`no object ${name}`);
  if (target.resource === pods) return [target.object as Pod];
  const labelSelector = selectorOf(target);
  const { items } = await call.client.list(pods, { namespace: call.namespace, labelSelector });
  if (items.length === 0) {
    throw new KubectlError(`timed out waiting for the condition: no pod of ${name} exists`);
  }
  return items.toSorted((a, b) => rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

function selectorOf({ resource, object }: Target): string {
  const { spec } = object as KubeObject & { readonly spec?: { readonly selector?: unknown } };
  const selector = spec?.selector;
  const isSet = resource === services || resource.kind === 'ReplicationController';
  if (selector === undefined) throw new KubectlError(`selector for ${resource.kind} not implemented`);
  return String(
    isSet
      ? selectorFromSet(selector as Readonly<Record<string, string>>)
      : labelSelectorAsSelector(selector as LabelSelector),
  );
}

/** Orders pods: those with a node before those without, running before pending, ready before unready. */
function rank(pod: Pod): number {
  const phases = ['Running', 'Unknown', 'Pending'];
  const phase = phases.indexOf(pod.status.phase ?? '');
  return (pod.spec.nodeName ? 0 : 100) + (phase < 0 ? 0 : phase) * 10 + (isReady(pod) ? 0 : 1);
}
