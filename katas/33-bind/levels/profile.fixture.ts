import { framework, type Node, type Pod } from '#harness';

/** Rejects a pod on a node that already has its maximum number of pods. */
export const room: framework.FilterPlugin = {
  name: 'Room',
  filter: (_, __, { pods, allocatable }) =>
    pods.length < allocatable.allowedPodNumber ? framework.success : framework.unschedulable('Too many pods'),
  eventsToRegister: () => [
    { event: { resource: 'AssignedPod', actionType: 'Delete' } },
    { event: { resource: 'Node', actionType: 'Add' } },
    { event: { resource: 'Node', actionType: 'UpdateNodeAllocatable' } },
  ],
};

/** Returns the label `disk` of a pod or a node. */
export const diskOf = (object: unknown): string | undefined => (object as Pod | Node).metadata.labels?.disk;

/** Rejects a pod with the label `disk` on a node with another disk. */
export const disk: framework.FilterPlugin = {
  name: 'Disk',
  filter: (_, pod, { node }) =>
    diskOf(pod) === undefined || diskOf(pod) === diskOf(node)
      ? framework.success
      : framework.unresolvable('Wrong disk'),
  eventsToRegister: () => [
    {
      event: { resource: 'Node', actionType: 'UpdateNodeLabel' },
      queueingHintFn: (pod, _, node) => (diskOf(node) === diskOf(pod) ? 'Queue' : 'QueueSkip'),
    },
    { event: { resource: 'Pod', actionType: 'UpdatePodLabel' } },
  ],
};

/** Throws for each node. */
export const broken: framework.FilterPlugin = {
  name: 'Broken',
  filter: () => {
    throw new Error('out of order');
  },
  eventsToRegister: () => [],
};

/**
 * A minimal version of kata 31: it filters every node, and reports the first plugin that rejects the pod there.
 *
 * @param looked - Called with each request.
 */
export function filteringOf(
  plugins: readonly framework.FilterPlugin[],
  looked: (request: framework.FindNodes) => void = () => {},
): framework.Filtering {
  return {
    plugins,
    findNodesThatFit: (request) => {
      looked(request);
      const { plugins, state, pod, snapshot, startIndex = 0 } = request;
      const nodeToStatus = new Map<string, framework.Status>();
      const unschedulablePlugins = new Set<string>();
      const feasible = snapshot.nodeInfos.filter((info) => {
        for (const plugin of plugins) {
          const status = plugin.filter(state, pod, info);
          if (!framework.isRejected(status)) continue;
          nodeToStatus.set(info.name, status);
          unschedulablePlugins.add(plugin.name);
          return false;
        }
        return true;
      });
      const diagnosis = { nodeToStatus, unschedulablePlugins, preFilterMsg: '' };
      return { feasible, diagnosis, nextStartIndex: startIndex + 1 };
    },
    fitErrorMessage: (numAllNodes, { nodeToStatus }) => {
      const reasons = [...nodeToStatus.values()].flatMap((status) => status.reasons);
      const counted = [...new Set(reasons)].map(
        (reason) => `${reasons.filter((each) => each === reason).length} ${reason}`,
      );
      return `0/${numAllNodes} nodes are available: ${counted.sort().join(', ')}.`;
    },
  };
}

/** A minimal version of kata 32: the best node is the first one by name. */
export const byName: framework.Scoring = {
  plugins: [],
  prioritizeNodes: ({ feasible }) => feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
  selectHost: (scores) => scores.map(({ name }) => name).sort()[0] ?? '',
};
