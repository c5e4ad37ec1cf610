/** Level 2 · Balance. */
import { framework } from '#harness';

const { amountOf, MAX_NODE_SCORE, podInfoOf, requestedResources, skip, stateKey, success } = framework;

export function balancedAllocationScore(fractions: readonly number[]): number {
  return Math.trunc((1 - deviationOf(fractions)) * MAX_NODE_SCORE);
}

function deviationOf(fractions: readonly number[]): number {
  const count = fractions.length;
  if (count < 2) return 0;
  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;
  const used = fractions.map((fraction) => Math.min(fraction, 1));
  const mean = used.reduce((sum, fraction) => sum + fraction, 0) / count;
  return Math.sqrt(used.reduce((sum, fraction) => sum + (fraction - mean) * (fraction - mean), 0) / count);
}

export function nodeResourcesBalancedAllocation(
  args: framework.NodeResourcesBalancedAllocationArgs = {},
): framework.ScorePlugin {
  const { resources } = framework.nodeResourcesBalancedAllocationArgs(args);
  const key = stateKey<readonly framework.RequestedResource[]>('PreScoreNodeResourcesBalancedAllocation');
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore(state, pod) {
      const requested = requestedResources(resources, podInfoOf(pod).requests);
      // A pod without requests does not change the balance.
      if (requested.every(({ amount }) => amount === 0)) return skip;
      state.write(key, requested);
      return success;
    },
    score(state, _pod, nodeInfo) {
      const [before, after]: [number[], number[]] = [[], []];
      for (const { name, amount } of state.read(key)) {
        const capacity = amountOf(nodeInfo.allocatable, name);
        if (capacity > 0) {
          before.push(amountOf(nodeInfo.requested, name) / capacity);
          after.push((amountOf(nodeInfo.requested, name) + amount) / capacity);
        }
      }
      const improvement = balancedAllocationScore(after) - balancedAllocationScore(before);
      return MAX_NODE_SCORE / 2 + Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2);
    },
  };
}
