import { framework, type Node, type Pod } from '#harness';

/** Turns a pod away where there are as many as the node has room for. */
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

/** The disk that a pod asks for by a label, or that a node has. */
export const diskOf = (object: unknown): string | undefined => (object as Pod | Node).metadata.labels?.disk;

/** Turns a pod away that asks for a disk by a label, where the node has another. */
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

/** Never says anything. */
export const broken: framework.FilterPlugin = {
  name: 'Broken',
  filter: () => {
    throw new Error('out of order');
  },
  eventsToRegister: () => [],
};

/**
 * What kata 31 builds, as little of it as will do here: every node is asked, and the first plugin that turns the pod away
 * is named for it.
 *
 * @param looked is told of each time that it is asked
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

/** What kata 32 builds, as little of it as will do here: the best node is the one whose name is first. */
export const byName: framework.Scoring = {
  plugins: [],
  prioritizeNodes: ({ feasible }) => feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
  selectHost: (scores) => scores.map(({ name }) => name).sort()[0] ?? '',
};
