/** Level 1 · How full a node is. */
import { framework } from '#harness';

const { amountOf, MAX_NODE_SCORE, podInfoOf, requestedResources, stateKey, success } = framework;

export function leastAllocatedScore(requested: number, capacity: number): number {
  if (capacity === 0 || requested > capacity) return 0;
  return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);
}

export function mostAllocatedScore(requested: number, capacity: number): number {
  if (capacity === 0) return 0;
  // `requested` can exceed the capacity, because it includes default requests for containers without any.
  return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);
}

const strategies = { LeastAllocated: leastAllocatedScore, MostAllocated: mostAllocatedScore } as const;

export function nodeResourcesFit(args: framework.NodeResourcesFitArgs = {}): framework.ScorePlugin {
  const { type, resources } = framework.nodeResourcesFitArgs(args);
  const scoreOf = strategies[type];
  const key = stateKey<readonly framework.RequestedResource[]>('PreScoreNodeResourcesFit');
  return {
    name: 'NodeResourcesFit',
    preScore(state, pod) {
      state.write(key, requestedResources(resources, podInfoOf(pod).nonZeroRequests));
      return success;
    },
    score(state, _pod, { allocatable, nonZeroRequested }) {
      let sum = 0;
      let weights = 0;
      for (const { name, weight, amount } of state.read(key)) {
        const capacity = amountOf(allocatable, name);
        if (capacity === 0) continue;
        sum += scoreOf(amountOf(nonZeroRequested, name) + amount, capacity) * weight;
        weights += weight;
      }
      return weights === 0 ? 0 : Math.trunc(sum / weights);
    },
  };
}
