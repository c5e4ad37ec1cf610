import type { Pod } from '../../../api/objects.ts';
import {
  CycleState,
  isRejected,
  type NodeInfo,
  type NodeScore,
  type ScorePlugin,
  type Snapshot,
} from '../../../contracts/framework/index.ts';

/** Options of {@link askScorePlugin}. */
export interface AskOptions {
  /** The feasible nodes. @defaultValue all nodes */
  readonly feasible?: readonly NodeInfo[];
  readonly state?: CycleState;
}

/**
 * Calls a plugin as a scheduler does: `preScore`, then `score` for each node, then `normalizeScore`.
 *
 * @returns The score of each node by its name, in the order of the nodes; `Skip` if the plugin skips.
 * @throws Error when the plugin rejects the pod, which it must not do, or omits a node.
 */
export function askScorePlugin(
  plugin: ScorePlugin,
  pod: Pod,
  snapshot: Snapshot,
  { feasible = snapshot.nodeInfos, state = new CycleState() }: AskOptions = {},
): Readonly<Record<string, number>> | 'Skip' {
  const status = plugin.preScore?.(state, pod, Object.freeze([...feasible]), snapshot);
  if (status?.code === 'Skip') return 'Skip';
  if (status && isRejected(status)) {
    throw new Error(
      `preScore of ${plugin.name} rejected the pod, which only a filter may do: ${status.reasons}`,
    );
  }
  return scoresBy(plugin, pod, feasible, state);
}

/** The part of {@link askScorePlugin} after `preScore`, with the state from it. */
export function scoresBy(
  plugin: ScorePlugin,
  pod: Pod,
  feasible: readonly NodeInfo[],
  state: CycleState,
): Readonly<Record<string, number>> {
  const raw = feasible.map((info) =>
    Object.freeze({ name: info.name, score: plugin.score(state, pod, info) }),
  );
  const scores: readonly NodeScore[] = plugin.normalizeScore?.(state, pod, Object.freeze(raw)) ?? raw;
  const [wanted, given] = [feasible.map(nameOf).join(), scores.map(nameOf).join()];
  if (wanted !== given) {
    throw new Error(
      `normalizeScore of ${plugin.name} got the scores of ${wanted}, but returned scores of ${given}.`,
    );
  }
  // Turn -0 into 0, which only a comparison in a test distinguishes.
  const byName = Object.fromEntries(scores.map(({ name, score }) => [name, score + 0]));
  if (plugin.normalizeScore) rawScores.set(byName, raw);
  return byName;
}

/** The raw scores by the result of their normalization. */
const rawScores = new WeakMap<object, readonly NodeScore[]>();

/**
 * Returns the scores before a plugin normalized them; undefined when it did not.
 *
 * @param given - The result of {@link askScorePlugin} or {@link scoresBy}
 */
export function rawScoresOf(given: ReturnType<typeof askScorePlugin>): readonly NodeScore[] | undefined {
  return given === 'Skip' ? undefined : rawScores.get(given);
}

/** Formats the scores before a plugin normalized them; undefined when it did not. */
export function beforeNormalising(given: ReturnType<typeof askScorePlugin>): string | undefined {
  const raw = rawScoresOf(given);
  return raw && `before normalising ${raw.map(({ name, score }) => `${name} ${score}`).join(', ')}`;
}

const nameOf = ({ name }: { readonly name: string }): string => name;
