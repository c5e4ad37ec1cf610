import type { Pod } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import type { Client } from '../client.ts';
import {
  type BindPlugin,
  type CycleState,
  type Profile,
  type ReservePlugin,
  type Status,
  skip,
  success,
} from '../framework/index.ts';
import { FitError } from './errors.ts';

/**
 * Asks the reserve plugins of the profile, in their order, to set something aside for the pod. If one does not say `Success`, those after it
 * are not asked, and it is undone: {@link runReservePluginsUnreserve} of all.
 *
 * @param pod has a `spec.nodeName`
 * @throws FitError of one node, the chosen one, if a plugin refused; what a plugin threw. Both are undone by then
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl.RunReservePluginsReserve; there the caller undoes
 */
export function runReservePluginsReserve(
  { reserve, filtering }: Pick<Profile, 'reserve' | 'filtering'>,
  state: CycleState,
  pod: Pod,
): void {
  const { nodeName = '' } = pod.spec;
  try {
    for (const plugin of reserve) {
      const status = plugin.reserve(state, pod, nodeName);
      if (status.code !== 'Success') throw refusal(pod, plugin.name, status, filtering.fitErrorMessage);
    }
  } catch (error) {
    runReservePluginsUnreserve(reserve, state, pod);
    throw error;
  }
}

function refusal(
  pod: Pod,
  plugin: string,
  status: Status,
  fitErrorMessage: Profile['filtering']['fitErrorMessage'],
): FitError {
  const nodeToStatus = new Map([[pod.spec.nodeName ?? '', status]]);
  const diagnosis = { nodeToStatus, unschedulablePlugins: new Set([plugin]), preFilterMsg: '' };
  return new FitError({ pod, numAllNodes: 1, diagnosis, message: fitErrorMessage(1, diagnosis) });
}

/**
 * Asks all plugins, the last one first, to undo what they set aside.
 *
 * @param pod has a `spec.nodeName`
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl.RunReservePluginsUnreserve
 */
export function runReservePluginsUnreserve(
  plugins: readonly ReservePlugin[],
  state: CycleState,
  pod: Pod,
): void {
  for (const plugin of [...plugins].reverse()) plugin.unreserve(state, pod, pod.spec.nodeName ?? '');
}

/**
 * The plugin that binds a pod as usual: by the API's `bind`, of this incarnation of the pod only. It says `Success` if the server has done
 * it, and throws what the client rejects with.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/defaultbinder/default_binder.go
 * DefaultBinder.Bind
 */
export function defaultBinder(client: Pick<Client, 'bind'>): BindPlugin {
  return {
    name: 'DefaultBinder',
    async bind(_state, pod, nodeName) {
      await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });
      return success;
    },
  };
}

/**
 * Asks the plugins, in their order, to bind the pod to the node that it names; the first that does not say `Skip` has decided.
 *
 * @returns what it said; `skip` if all did, or there are none
 * @throws what a plugin threw; the ones after it are not asked
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/runtime/framework.go frameworkImpl.RunBindPlugins
 */
export async function runBindPlugins(
  plugins: readonly BindPlugin[],
  state: CycleState,
  pod: Pod,
): Promise<Status> {
  for (const plugin of plugins) {
    const status = await plugin.bind(state, pod, pod.spec.nodeName ?? '');
    if (status.code !== 'Skip') return status;
  }
  return skip;
}
