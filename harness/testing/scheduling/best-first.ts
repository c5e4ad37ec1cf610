import type { Filtering, Scoring } from '../../contracts/framework/index.ts';

/**
 * Filters, after which the best of the nodes that are left comes first: so whoever takes the first takes the best.
 *
 * @param random decides between equals
 */
export function bestFirst(
  filtering: Filtering,
  { plugins, prioritizeNodes, selectHost }: Scoring,
  random: { int(max: number): number },
): Filtering {
  return {
    ...filtering,
    findNodesThatFit(request) {
      const found = filtering.findNodesThatFit(request);
      const { feasible } = found;
      // Of one there is nothing to choose, and nothing to ask.
      if (feasible.length < 2) return found;
      const { state, pod, snapshot } = request;
      const best = selectHost(prioritizeNodes({ plugins, state, pod, feasible, snapshot }), random);
      const others = feasible.filter(({ name }) => name !== best);
      return { ...found, feasible: [...feasible.filter(({ name }) => name === best), ...others] };
    },
  };
}
