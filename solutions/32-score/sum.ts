/** Level 5 · The sum, and the choice of a node. */
import { framework } from '#harness';
import { nodeResourcesBalancedAllocation } from './balance.ts';
import { nodeResourcesFit } from './fit.ts';
import { imageLocality } from './images.ts';
import { nodeAffinity } from './node-affinity.ts';
import { interPodAffinity } from './pod-affinity.ts';
import { podTopologySpread } from './spread.ts';
import { taintToleration } from './taints.ts';

const { MAX_NODE_SCORE } = framework;

export function prioritizeNodes(request: framework.PrioritizeNodes): framework.NodePluginScores[] {
  const { plugins, state, pod, feasible, snapshot } = request;
  if (plugins.length === 0) return feasible.map(({ name }) => ({ name, scores: [], totalScore: 1 }));
  for (const { plugin } of plugins) {
    const status = plugin.preScore?.(state, pod, feasible, snapshot);
    if (status && framework.isRejected(status)) {
      throw new Error(
        `Failed to score: ${plugin.name} turned the pod away in preScore, which only filters may.`,
      );
    }
    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);
  }
  const asked = plugins.filter(({ plugin }) => !state.skipScorePlugins.has(plugin.name));
  const columns = asked.map((each) => weighedScores(each, request));
  return feasible.map(({ name }, row) => {
    const scores = columns.map((column) => column[row] as framework.NodeScore);
    return { name, scores, totalScore: scores.reduce((sum, { score }) => sum + score, 0) };
  });
}

/**
 * Returns the normalized and weighted scores of a plugin. Nodes with the same score share one object, because there are
 * only 101 of them.
 */
function weighedScores(
  { plugin, weight }: framework.WeightedPlugin,
  { state, pod, feasible }: framework.PrioritizeNodes,
): readonly framework.NodeScore[] {
  const known: framework.NodeScore[] = [];
  const weighed = (score: number | undefined): framework.NodeScore => {
    const valid = checked(plugin, score);
    known[valid] ??= { name: plugin.name, score: valid * weight };
    return known[valid];
  };
  if (!plugin.normalizeScore) return feasible.map((info) => weighed(plugin.score(state, pod, info)));
  const scores = feasible.map((info) => ({ name: info.name, score: plugin.score(state, pod, info) }));
  const normalized = plugin.normalizeScore(state, pod, scores);
  return feasible.map((_, row) => weighed(normalized[row]?.score));
}

/** @throws Error when the score is invalid: a plugin with another scale would outweigh all others */
function checked({ name }: framework.ScorePlugin, score: number | undefined): number {
  if (Number.isInteger(score) && score !== undefined && score >= 0 && score <= MAX_NODE_SCORE) return score;
  throw new Error(
    `Failed to score: ${name} gave ${score}, which is no whole number from 0 to ${MAX_NODE_SCORE}.`,
  );
}

export function selectHost(
  scores: readonly framework.NodePluginScores[],
  random: { int(max: number): number },
): string {
  let selected: framework.NodePluginScores | undefined;
  let equals = 0;
  for (const each of scores) {
    if (selected === undefined || each.totalScore > selected.totalScore) {
      selected = each;
      equals = 1;
    } else if (each.totalScore === selected.totalScore) {
      equals++;
      // The n-th of equal nodes replaces the choice with probability 1/n, so that all have the same probability in the
      // end.
      if (random.int(equals) === 0) selected = each;
    }
  }
  if (selected) return selected.name;
  throw new Error('Failed to select a host: there is no node to select from.');
}

export const scorePlugins: readonly framework.WeightedPlugin[] = [
  { plugin: taintToleration, weight: 3 },
  { plugin: nodeAffinity, weight: 2 },
  { plugin: nodeResourcesFit(), weight: 1 },
  { plugin: podTopologySpread, weight: 2 },
  { plugin: interPodAffinity, weight: 2 },
  { plugin: nodeResourcesBalancedAllocation(), weight: 1 },
  { plugin: imageLocality, weight: 1 },
];

/** The scoring half of a scheduler. */
export const scoring: framework.Scoring = { plugins: scorePlugins, prioritizeNodes, selectHost };
