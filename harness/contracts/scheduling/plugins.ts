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
 * Calls the reserve plugins of the profile in their order. After the first status other than `Success` it stops and
 * undoes the reservations with {@link runReservePluginsUnreserve} of all plugins.
 *
 * @param pod has a `spec.nodeName`
 * @throws FitError for the chosen node, if a plugin refused; the error of a plugin that threw. Both after the undo
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
 * Calls all plugins in reverse order to undo their reservations.
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
 * Returns the default bind plugin. It calls the API's `bind` for the pod with this uid. It returns `Success` if the
 * server has bound the pod, and throws the client's error otherwise.
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
 * Calls the plugins in their order to bind the pod to its node, until a plugin returns a status other than `Skip`.
 *
 * @returns that status; `skip` if all plugins skip, or if there are no plugins
 * @throws the error of a plugin; later plugins are not called
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
