/** Level 6 · The sum: runs all plugins on all nodes, or on enough of them. */
import { framework } from '#harness';

/** The minimum number of feasible nodes to find. */
const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND = 5;

export function numFeasibleNodesToFind(percentage: number, numAllNodes: number): number {
  if (numAllNodes < MIN_FEASIBLE_NODES_TO_FIND) return numAllNodes;
  const adaptive = Math.max(50 - Math.floor(numAllNodes / 125), MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND);
  const enough = Math.floor((numAllNodes * (percentage || adaptive)) / 100);
  return Math.max(enough, MIN_FEASIBLE_NODES_TO_FIND);
}

/** Differs: nodes are checked one by one, in the order of the snapshot; upstream checks sixteen at once. */
export function findNodesThatFit(request: framework.FindNodes): framework.NodesThatFit {
  const { plugins, state, pod, snapshot, startIndex = 0, percentageOfNodesToScore = 0 } = request;
  const rejection = runPreFilterPlugins(request);
  if (rejection) return { feasible: [], diagnosis: diagnosisOf(rejection), nextStartIndex: startIndex };

  const asked = plugins.filter(({ name }) => !state.skipFilterPlugins.has(name));
  const { nodeInfos } = snapshot;
  const enough = numFeasibleNodesToFind(percentageOfNodesToScore, nodeInfos.length);
  const feasible: framework.NodeInfo[] = [];
  const nodeToStatus = new Map<string, framework.Status>();
  const unschedulablePlugins = new Set<string>();
  let next = nodeInfos.length === 0 ? 0 : startIndex % nodeInfos.length;
  for (let looked = 0; looked < nodeInfos.length && feasible.length < enough; looked++) {
    const nodeInfo = nodeInfos[next] as framework.NodeInfo;
    next = (next + 1) % nodeInfos.length;
    let fits = true;
    for (const plugin of asked) {
      const status = plugin.filter(state, pod, nodeInfo);
      if (!framework.isRejected(status)) continue;
      nodeToStatus.set(nodeInfo.name, status);
      unschedulablePlugins.add(plugin.name);
      fits = false;
      break;
    }
    if (fits) feasible.push(nodeInfo);
  }
  return {
    feasible,
    diagnosis: { nodeToStatus, unschedulablePlugins, preFilterMsg: '' },
    nextStartIndex: next,
  };
}

/** A plugin that rejects the pod on every node. */
interface Rejection {
  readonly plugin: string;
  readonly status: framework.Status;
}

function runPreFilterPlugins({ plugins, state, pod, snapshot }: framework.FindNodes): Rejection | undefined {
  let rejection: Rejection | undefined;
  for (const plugin of plugins) {
    const status = plugin.preFilter?.(state, pod, snapshot) ?? framework.success;
    if (status.code === 'Skip') state.skipFilterPlugins.add(plugin.name);
    if (framework.isRejected(status)) rejection = { plugin: plugin.name, status };
    // A plugin that cannot be helped by preemption takes precedence over one that can.
    if (status.code === 'UnschedulableAndUnresolvable') break;
  }
  return rejection;
}

function diagnosisOf({ plugin, status }: Rejection): framework.Diagnosis {
  return {
    nodeToStatus: new Map(),
    unschedulablePlugins: new Set([plugin]),
    preFilterMsg: status.reasons.join(', '),
  };
}
