import fc from 'fast-check';
import {
  CycleState,
  isRejected,
  MAX_NODE_SCORE,
  type NodePluginScores,
  type ScorePlugin,
  type Scoring,
  type Status,
  skip,
  stateKey,
  success,
  unresolvable,
  unschedulable,
} from '../../../contracts/framework/index.ts';
import { seededRandom } from '../../../sim/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../../scheduling/levels/objects.ts';
import { nodeNamed } from '../../scheduling/scenario/parts.ts';

/** The results of a generated plugin: for the pod, and for each node. */
interface Says {
  /** The status of preScore; `undefined` for a plugin without one. */
  readonly before: Status | undefined;
  readonly ofNodes: readonly number[];
  /** Whether its normalizeScore replaces each score by 100 minus the score. */
  readonly turnsOver: boolean;
  readonly weight: number;
}

interface AnyPlugins {
  readonly says: readonly Says[];
  readonly nodes: number;
}

const NODES_MAX = 3;
const before: Readonly<Record<string, Status | undefined>> = {
  none: undefined,
  success,
  skip,
  unschedulable: unschedulable('no'),
  unresolvable: unresolvable('never'),
};

const anyPlugins: fc.Arbitrary<AnyPlugins> = fc
  .record({
    says: fc.array(
      fc
        .record({
          how: fc.oneof(
            { weight: 12, arbitrary: fc.constantFrom('none', 'success', 'success', 'skip') },
            { weight: 1, arbitrary: fc.constantFrom('unschedulable', 'unresolvable') },
          ),
          ofNodes: fc.array(
            fc.oneof(
              { weight: 20, arbitrary: fc.integer({ min: 0, max: MAX_NODE_SCORE }) },
              { weight: 1, arbitrary: fc.constantFrom(-1, MAX_NODE_SCORE + 1, 0.5, 3_000, Number.NaN) },
            ),
            { minLength: NODES_MAX, maxLength: NODES_MAX },
          ),
          turnsOver: fc.boolean(),
          weight: fc.integer({ min: 1, max: 5 }),
        })
        .map(({ how, ...rest }): Says => ({ before: before[how], ...rest })),
      { maxLength: 4 },
    ),
    nodes: fc.integer({ min: 1, max: NODES_MAX }),
  })
  .map((input) =>
    described(input, ({ says, nodes }) => [
      ...says.map(
        ({ before, ofNodes, turnsOver, weight }, index) =>
          `${named(index)}, weight ${weight}: ${before ? `preScore ${before.code}` : 'no preScore'}; ` +
          `score ${ofNodes
            .slice(0, nodes)
            .map((score, node) => `${nodeNamed(node)} ${score}`)
            .join(', ')}${turnsOver ? '; normalizeScore 100 less each' : ''}`,
      ),
      nodes === 1 ? '1 node' : `${nodes} nodes`,
    ]),
  );

function named(index: number): string {
  return `plugin-${index}`;
}

/**
 * `prioritizeNodes` works with the plugins of any profile. It calls each preScore before any score, calls no skipped plugin again, and
 * adds the normalized, weighted scores. It rejects invalid scores, and a preScore that rejects the pod.
 */
export const asksEveryPlugin: PureLaw<Scoring, AnyPlugins> = {
  inputs: anyPlugins,
  violation({ prioritizeNodes }, { says, nodes }) {
    const state = new CycleState();
    const wrong: string[] = [];
    const prepared = new Set<string>();
    const toPrepare = says.flatMap(({ before }, index) => (before ? [named(index)] : []));
    const plugins = says.map((each, index) => {
      const plugin = pluginOf(each, named(index));
      const { preScore, score } = plugin;
      return {
        weight: each.weight,
        plugin: {
          ...plugin,
          ...(preScore && {
            preScore: (...given: Parameters<typeof preScore>) => {
              prepared.add(plugin.name);
              return preScore(...given);
            },
          }),
          score: (...given: Parameters<typeof score>) => {
            const early = toPrepare.find((name) => !prepared.has(name));
            if (early)
              wrong.push(
                `prioritizeNodes called score of ${plugin.name} before preScore of ${early}; all preScores must run before any score.`,
              );
            if (each.before?.code === 'Skip')
              wrong.push(
                `prioritizeNodes called score of ${plugin.name}, although its preScore returned Skip.`,
              );
            return score(...given);
          },
        },
      };
    });
    const names = [...Array(nodes).keys()].map(nodeNamed);
    const snapshot = aSnapshot(names.map((name) => aSchedulingNode(name)));
    const request = { plugins, state, pod: aSchedulingPod(), feasible: snapshot.nodeInfos, snapshot };
    const [all, refused] = outcomeOf(() => prioritizeNodes(request));
    if (wrong[0]) return wrong[0];
    const refuses = refusalOf(says, nodes);
    if (refuses) {
      if (!refused) return `prioritizeNodes must throw an Error, because ${refuses.why}. It returned scores.`;
      const unsaid = refuses.words.find((word) => !refused.includes(word));
      return unsaid === undefined
        ? undefined
        : `prioritizeNodes threw "${refused}". It must throw, because ${refuses.why}, but the message must contain ${unsaid}.`;
    }
    if (refused !== undefined)
      return `prioritizeNodes threw "${refused}", although all plugins returned valid scores.`;
    const skipped = says.flatMap(({ before }, index) => (before?.code === 'Skip' ? [named(index)] : []));
    const noted = [...state.skipScorePlugins].sort().join(', ');
    if (noted !== skipped.join(', ')) {
      return `state.skipScorePlugins has ${noted || 'nothing'}; expected ${skipped.join(', ') || 'nothing'}.`;
    }
    const [is, should] = [sayAll(all ?? []), sayAll(expected(says, names))];
    return is === should ? undefined : `prioritizeNodes returned\n${is}\nExpected\n${should}\n${TOTALS}`;
  },
};

const TOTALS =
  'A total is the sum of the normalised scores, each times its weight, without the plugins that skipped the pod; without any plugin it is 1';

/** Returns a plugin with the generated results, which needs the state that its own preScore has written. */
function pluginOf({ before, ofNodes, turnsOver }: Says, name: string): ScorePlugin {
  const key = stateKey<readonly number[]>(name);
  return {
    name,
    ...(before && {
      preScore: (state) => {
        if (before.code === 'Success') state.write(key, ofNodes);
        return before;
      },
    }),
    score: (state, _pod, { name: node }) => {
      const scores = before?.code === 'Success' ? state.read(key) : ofNodes;
      return scores[Number(node.slice(nodeNamed(0).length - 1))] ?? 0;
    },
    ...(turnsOver && {
      normalizeScore: (_state, _pod, scores) =>
        scores.map((each) => ({ name: each.name, score: MAX_NODE_SCORE - each.score })),
    }),
  };
}

/** Returns the result of a call, or the message of its error. */
function outcomeOf<T>(work: () => T): [given: T | undefined, refused: string | undefined] {
  try {
    return [work(), undefined];
  } catch (error) {
    return [undefined, String(error)];
  }
}

/** Explains why prioritizeNodes must throw, and which words the message must have; `undefined` if it must not. */
function refusalOf(
  says: readonly Says[],
  nodes: number,
): { readonly why: string; readonly words: readonly string[] } | undefined {
  const rejecting = says.findIndex(({ before }) => before && isRejected(before));
  if (rejecting >= 0)
    return { why: `preScore of ${named(rejecting)} rejected the pod, which only a filter may do`, words: [] };
  const wild = says.flatMap(({ before, ofNodes, turnsOver }, index) =>
    before?.code === 'Skip'
      ? []
      : ofNodes
          .slice(0, nodes)
          .map((score) => (turnsOver ? MAX_NODE_SCORE - score : score))
          .filter((score) => !(Number.isInteger(score) && score >= 0 && score <= MAX_NODE_SCORE))
          .map((score) => ({ name: named(index), score })),
  );
  const [first, ...more] = wild;
  if (!first) return undefined;
  const why = `${first.name} returned ${first.score}, not a whole number from 0 to 100`;
  // Any of several invalid scores may be the rejected one.
  return { why, words: more.length > 0 ? [] : [first.name, String(first.score)] };
}

function expected(says: readonly Says[], names: readonly string[]): readonly NodePluginScores[] {
  return names.map((name, node) => {
    const scores = says.flatMap(({ before, ofNodes, turnsOver, weight }, index) => {
      const raw = ofNodes[node] ?? 0;
      if (before?.code === 'Skip') return [];
      return [{ name: named(index), score: (turnsOver ? MAX_NODE_SCORE - raw : raw) * weight }];
    });
    const totalScore = says.length === 0 ? 1 : scores.reduce((sum, { score }) => sum + score, 0);
    return { name, scores, totalScore };
  });
}

function sayAll(all: readonly NodePluginScores[]): string {
  const sum = (scores: NodePluginScores['scores']): string =>
    scores.map(({ name, score }) => `${name} ${score}`).join(' + ') || 'nothing';
  return all.map(({ name, scores, totalScore }) => `  ${name}: ${totalScore} = ${sum(scores)}`).join('\n');
}

const anyScores: fc.Arbitrary<readonly NodePluginScores[]> = fc
  .oneof(...[0, 5, 3_000].map((max) => fc.array(fc.nat({ max }), { maxLength: 6 })))
  .map((totals) =>
    totals.map((totalScore, i) => ({
      name: nodeNamed(i),
      scores: [{ name: named(0), score: totalScore }],
      totalScore,
    })),
  );

/** With this many seeds, a random choice also hits a wrong node. */
const SEEDS = 32;

/** The chosen node is one of the best, whatever the random source returns. */
export const bestWins: PureLaw<Scoring, readonly NodePluginScores[]> = {
  inputs: anyScores,
  violation({ selectHost }, scores) {
    if (scores.length === 0) {
      const [given, refused] = outcomeOf(() => selectHost(scores, seededRandom(0)));
      return refused === undefined
        ? `selectHost returned ${JSON.stringify(given)} for an empty list. It must throw an Error`
        : undefined;
    }
    const most = Math.max(...scores.map(({ totalScore }) => totalScore));
    const best = scores.filter(({ totalScore }) => totalScore === most).map(({ name }) => name);
    const winners = Array.from({ length: SEEDS }, (_, seed) =>
      selectHost(Object.freeze([...scores]), seededRandom(seed)),
    );
    const loser = winners.find((name) => !best.includes(name));
    if (loser === undefined) return undefined;
    const given = scores.map(({ name, totalScore }) => `${name} (${totalScore})`).join(', ');
    return `selectHost chose ${loser} out of ${given}; expected ${best.join(' or ')}, the highest score`;
  },
};
