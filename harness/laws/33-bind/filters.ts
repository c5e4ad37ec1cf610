import type { Pod } from '../../api/objects.ts';
import type * as framework from '../../contracts/framework/index.ts';
import { success, unschedulable } from '../../contracts/framework/index.ts';

/**
 * What a pod may have that plugins of its own turn it away for, for a while:
 *
 * - `deaf`: the plugin has registered for no event, so that nothing says when it has changed its mind.
 * - `broken`: it has registered for labels of nodes, and its hint throws.
 */
export type FilterPlan = 'deaf' | 'broken';

/** The label of a pod that has a whim. */
export const WHIM = 'whim';

/** For so long after it was tried first a pod with a whim is turned away. */
const WHIM_MS = 20_000;

/** The whim of a pod; absent if it has none. */
export function whimOf({ metadata }: Pod): FilterPlan | undefined {
  return metadata.labels?.[WHIM] as FilterPlan | undefined;
}

/** The names of the plugins by the whim that they are about. */
export const pickyPlugins: Readonly<Record<FilterPlan, string>> = { deaf: 'Deaf', broken: 'Broken' };

/** Filters that turn away pods with a whim. */
export function whimsical(nowMs: () => number): readonly framework.FilterPlugin[] {
  const since = new Map<string, number>();
  const about = (
    whim: FilterPlan,
    events: readonly framework.ClusterEventWithHint[],
  ): framework.FilterPlugin => ({
    name: pickyPlugins[whim],
    filter(_state, pod) {
      if (whimOf(pod) !== whim) return success;
      const { uid } = pod.metadata;
      const firstMs = since.get(uid) ?? nowMs();
      since.set(uid, firstMs);
      return nowMs() - firstMs < WHIM_MS ? unschedulable(`it is ${whim}`) : success;
    },
    eventsToRegister: () => events,
  });
  const queueingHintFn = (): never => {
    throw new Error('this hint is broken');
  };
  return [
    about('deaf', []),
    about('broken', [{ event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn }]),
  ];
}
