import type { Pod } from '../../../api/objects.ts';
import type * as framework from '../../../contracts/framework/index.ts';
import { success, unschedulable } from '../../../contracts/framework/index.ts';

/**
 * A filter of the test that holds a pod back:
 *
 * - `deaf`: rejects it for some time, and has registered for no event, so no event wakes the pod.
 * - `broken`: rejects it for some time, and has registered for label changes of nodes, but its hint throws.
 * - `erring`: throws in the first attempt, and accepts the pod from then on.
 */
export type FilterPlan = 'deaf' | 'broken' | 'erring';

/** The label that names the filter for a pod. */
export const WHIM = 'whim';

/** The time from the first attempt during which such a pod is rejected. */
const WHIM_MS = 20_000;

/** Returns the filter that rejects a pod; undefined for most pods. */
export function whimOf({ metadata }: Pod): FilterPlan | undefined {
  return metadata.labels?.[WHIM] as FilterPlan | undefined;
}

/** The plugin names of the filters. */
export const pickyPlugins: Readonly<Record<FilterPlan, string>> = {
  deaf: 'Deaf',
  broken: 'Broken',
  erring: 'Erring',
};

/** Returns the filters that hold back pods with the label. */
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
      const isFirst = !since.has(uid);
      since.set(uid, firstMs);
      if (whim === 'erring') return isFirst ? failing() : success;
      return nowMs() - firstMs < WHIM_MS ? unschedulable(`it is ${whim}`) : success;
    },
    eventsToRegister: () => events,
  });
  const failing = (): never => {
    throw new Error('this filter fails');
  };
  const queueingHintFn = (): never => {
    throw new Error('this hint is broken');
  };
  return [
    about('erring', []),
    about('deaf', []),
    about('broken', [{ event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn }]),
  ];
}
