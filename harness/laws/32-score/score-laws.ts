import fc from 'fast-check';
import {
  CycleState,
  MAX_NODE_SCORE,
  type NodeScore,
  podInfoOf,
  type ScorePlugin,
} from '../../contracts/framework/index.ts';
import { seededRandom } from '../../sim/index.ts';
import { LawBroken } from '../../testing/holds.ts';
import { takingTurns } from '../../testing/turns.ts';
import { nodeTermHolds } from '../scheduling/oracle/selecting.ts';
import { askScorePlugin, beforeNormalising, scoresBy } from './ask-score-plugin.ts';
import { type ScoringRule, worthOf } from './score-oracle.ts';
import type { ScoreScenario } from './score-scenario.ts';
import { type ScoreKit, ScoreWorld } from './score-world.ts';

export { type ScoreKit, ScoreWorld } from './score-world.ts';

/**
 * The laws of kata 32. Each looks at one cluster and one pod, and says in words what is wrong, or nothing. There are no
 * faults: scoring is arithmetic.
 *
 * @returns what is wrong, in words; nothing when the law is kept
 */
export type ScoreLaw = (world: ScoreWorld) => readonly string[];

/** Every score, once normalised, is a whole number from 0 to 100. */
export const wholeNumbers: ScoreLaw = (world) =>
  asked(world).flatMap(([rule, plugin, scores]) =>
    entriesOf(scores)
      .filter(([, score]) => !Number.isInteger(score) || score < 0 || score > MAX_NODE_SCORE)
      .map(
        ([node, score]) =>
          `${plugin.name}${by(rule)} gives ${node} ${score}, which is no whole number from 0 to 100`,
      ),
  );

/** Every plugin gives every node what its formula says. */
export const byTheBook: ScoreLaw = (world) =>
  asked(world).flatMap(([rule, plugin, given]) =>
    worthOf(rule, world.question()).flatMap(({ node, scores, why }) => {
      const score = given === 'Skip' ? 0 : given[node];
      if (score !== undefined && scores.includes(score)) return [];
      const raw = beforeNormalising(given);
      const said = given === 'Skip' ? 'skips the pod' : `gives ${node} ${score}${raw ? ` (${raw})` : ''}`;
      return [`${plugin.name}${by(rule)} ${said}; ${node} is worth ${scores.join(' or ')} (${why})`];
    }),
  );

/** What is added to a node makes it fuller: no better where pods are spread, no worse where they are packed. */
export const loadCounts: ScoreLaw = (world) => {
  const { scenario, kit } = world;
  const load = { ...scenario.other, name: 'load', nodeName: scenario.feasible[0] ?? '' };
  const loaded = new ScoreWorld(kit, { ...scenario, there: [...scenario.there, load] });
  const rules = ['LeastAllocated', 'MostAllocated'] as const;
  return rules.flatMap((rule) => {
    const [before, after] = [world, loaded].map((each) => scoresOf(askIn(each, each.rules[rule])));
    return scenario.feasible.flatMap((node) => {
      const [was = 0, is = 0] = [before?.[node], after?.[node]];
      const better = is > was ? 'more' : 'less';
      if (node !== load.nodeName) {
        return is === was
          ? []
          : [`${rule}: ${node} was worth ${was}, and ${is} since ${load.nodeName} got another pod`];
      }
      if (rule === 'LeastAllocated' ? is <= was : is >= was) return [];
      const why = worthOf(rule, loaded.question()).find((each) => each.node === node)?.why;
      return [
        `${rule}: ${node} was worth ${was}, and with the other pod on it it is worth ${better}, ${is}. Now it has ${why}`,
      ];
    });
  });
};

/** In which order nodes, pods on them and plugins are looked at does not matter. */
export const orderIsIrrelevant: ScoreLaw = (world) => {
  const { scenario, kit, plugins } = world;
  const reversed = new ScoreWorld(kit, {
    ...scenario,
    nodes: scenario.nodes.toReversed(),
    there: scenario.there.toReversed(),
    feasible: scenario.feasible.toReversed(),
  });
  const total = (scores: ReturnType<ScoreWorld['prioritize']>): Record<string, number> =>
    Object.fromEntries(scores.map(({ name, totalScore }) => [name, totalScore]));
  const wanted = total(world.prioritize());
  const others = {
    'with nodes and pods in the other order': total(reversed.prioritize()),
    'with plugins in the other order': total(world.prioritize({ plugins: plugins.toReversed() })),
  };
  return Object.entries(others).flatMap(([how, totals]) =>
    scenario.feasible
      .filter((node) => totals[node] !== wanted[node])
      .map((node) => `${node} is worth ${wanted[node]}, and ${totals[node]} ${how}`),
  );
};

/** The total is the sum of what the plugins say, each weighed; those that skip the pod say nothing. */
export const addsUp: ScoreLaw = (world) => {
  const all = world.prioritize();
  const names = all.map(({ name }) => name).join();
  if (names !== world.scenario.feasible.join()) {
    return [`prioritizeNodes was asked about ${world.scenario.feasible}, and tells of ${names}`];
  }
  return all.flatMap(({ name: node, scores, totalScore }) => {
    const wanted = world.plugins.flatMap(({ plugin, weight }) => {
      const given = askIn(world, plugin);
      return given === 'Skip' ? [] : [{ name: plugin.name, score: (given[node] ?? 0) * weight }];
    });
    const sum = wanted.reduce((total, { score }) => total + score, 0);
    const said = (each: readonly NodeScore[]): string =>
      each.map(({ name, score }) => `${name} ${score}`).join(' + ');
    if (totalScore === sum && said(scores) === said(wanted)) return [];
    return [
      `${node} has ${totalScore} = ${said(scores)}; asked one by one and weighed, it is ${sum} = ${said(wanted)}`,
    ];
  });
};

/** To prefer a node more never makes it worse, nor any other better. */
export const moreWeight: ScoreLaw = (world) => {
  const { scenario, kit } = world;
  const { spec } = scenario.pod;
  const terms = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const before = scoresOf(askIn(world, world.rules.NodeAffinity));
  return terms.flatMap(({ weight, preference }, i) => {
    const heavier = terms.with(i, { preference, weight: Math.min(100, weight + 10) });
    const nodeAffinity = {
      ...spec?.affinity?.nodeAffinity,
      preferredDuringSchedulingIgnoredDuringExecution: heavier,
    };
    const pod = { ...scenario.pod, spec: { ...spec, affinity: { ...spec?.affinity, nodeAffinity } } };
    const changed = new ScoreWorld(kit, { ...scenario, pod });
    const after = scoresOf(askIn(changed, changed.rules.NodeAffinity));
    return world.feasible.flatMap(({ name, node }) => {
      const [was = 0, is = 0] = [before[name], after[name]];
      const meant = nodeTermHolds(preference, node);
      if (meant ? is >= was : is <= was) return [];
      const how = meant ? 'is preferred more' : 'is not meant';
      return [
        `${name} ${how} when term ${i} weighs ${heavier[i]?.weight}, not ${weight}; but its score goes from ${was} to ${is}`,
      ];
    });
  });
};

/** Asked again, and asked about two pods at once, plugins say the same. */
export const askedTwice: ScoreLaw = (world) =>
  Object.entries(world.rules).flatMap(([rule, plugin]) => {
    const alone = askIn(world, plugin);
    const interrupted = between(world, plugin);
    const again = askIn(world, plugin);
    return [
      ...(same(alone, again) ? [] : [`${rule} says ${say(alone)}, and asked again ${say(again)}`]),
      ...(same(alone, interrupted)
        ? []
        : [
            `${rule} says ${say(alone)}; but ${say(interrupted)} when preScore is asked about another pod before score is. What it works out belongs into the cycle's state`,
          ]),
    ];
  });

/** Nothing is changed by asking. */
export const changesNothing: ScoreLaw = (world) => {
  const before = contentOf(world);
  world.prioritize();
  for (const plugin of Object.values(world.rules)) askIn(world, plugin);
  const after = contentOf(world);
  return before.flatMap((line, i) =>
    line === after[i] ? [] : [`it was ${line}, and now it is ${after[i]}`],
  );
};

/**
 * Asserts that a law holds in generated clusters. A red says what is wrong, then what all plugins say of each node, then
 * the smallest cluster in which it is wrong.
 *
 * @throws LawBroken
 */
export async function holdsWhereverAsked(
  law: ScoreLaw,
  scenarios: fc.Arbitrary<ScoreScenario>,
  kit: ScoreKit,
): Promise<void> {
  const takeTurns = takingTurns(RUNS_PER_TURN);
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      await takeTurns();
      const world = new ScoreWorld(kit, scenario);
      const [first, ...more] = law(world);
      if (first === undefined) return;
      const others = more.length > 0 ? ` (and ${more.length} more)` : '';
      throw new LawBroken([`${first}${others}`, '', ...world.table()].join('\n'));
    }),
  );
}

/** On a busy machine, many runs in one turn of the event loop would look like a loop that never ends. */
const RUNS_PER_TURN = 5;

/**
 * Asserts that a law of scores alone holds for scores of any size, many of them equal.
 *
 * @throws LawBroken
 */
export async function holdsForScores(
  law: (kit: ScoreKit, scores: readonly NodeScore[]) => readonly string[],
  kit: ScoreKit,
): Promise<void> {
  const takeTurns = takingTurns(RUNS_PER_TURN);
  await fc.assert(
    fc.asyncProperty(anyScores, async (scores) => {
      await takeTurns();
      const [first] = law(kit, scores);
      if (first !== undefined) throw new LawBroken(first);
    }),
  );
}

const anyScores: fc.Arbitrary<readonly NodeScore[]> = fc
  .oneof(...[0, 5, 3_000].map((max) => fc.array(fc.nat({ max }), { minLength: 1, maxLength: 6 })))
  .map((scores) => scores.map((score, i) => ({ name: `node-${i}`, score })));

/** Normalising keeps the order, reversed it turns it; the best is the best, in both cases. */
export function keepsTheOrder(
  { defaultNormalizeScore }: ScoreKit,
  raw: readonly NodeScore[],
): readonly string[] {
  const most = Math.max(...raw.map(({ score }) => score));
  const normalised = (reverse: boolean): readonly NodeScore[] =>
    defaultNormalizeScore(
      MAX_NODE_SCORE,
      reverse,
      Object.freeze(raw.map((each) => Object.freeze({ ...each }))),
    );
  const forward = normalised(false);
  const backward = normalised(true);
  return raw.flatMap(({ name, score }, i) => {
    // Whole numbers of any size divide exactly.
    const share = most === 0 ? 0 : Number((BigInt(score) * BigInt(MAX_NODE_SCORE)) / BigInt(most));
    const wrong = (given: NodeScore | undefined, wanted: number, how: string): readonly string[] =>
      given?.name === name && given.score === wanted
        ? []
        : [`${name} has ${score} of ${most}${how}: that is ${wanted}, not ${given?.score} of ${given?.name}`];
    return [...wrong(forward[i], share, ''), ...wrong(backward[i], MAX_NODE_SCORE - share, ', reversed')];
  });
}

/** Of so many seeds, each of a handful of equals is chosen at least once, unless the choice is not by chance. */
const SEEDS = 128;

/** The winner is one of the best; each of them wins sometimes, and the same seed chooses the same. */
export function bestWins({ scoring }: ScoreKit, raw: readonly NodeScore[]): readonly string[] {
  const scores = raw.map(({ name, score }) => ({
    name,
    totalScore: score,
    scores: [{ name: 'Any', score }],
  }));
  const most = Math.max(...raw.map(({ score }) => score));
  const best = raw.filter(({ score }) => score === most).map(({ name }) => name);
  const chosen = (seed: number): string => scoring.selectHost(Object.freeze(scores), seededRandom(seed));
  const winners = Array.from({ length: SEEDS }, (_, seed) => chosen(seed));
  const given = `of ${raw.map(({ name, score }) => `${name} (${score})`).join(', ')}`;
  const loser = winners.find((name) => !best.includes(name));
  if (loser !== undefined) return [`${given}, selectHost chooses ${loser}; the best is ${best.join(' or ')}`];
  const unlucky = best.filter((name) => !winners.includes(name));
  if (unlucky.length > 0) {
    return [
      `${given}, ${unlucky.join(' and ')} is chosen by none of ${SEEDS} seeds, and is as good as the best`,
    ];
  }
  const fickle = winners.findIndex((name, seed) => chosen(seed) !== name);
  return fickle < 0
    ? []
    : [`${given}, the same chance (seed ${fickle}) chooses one time another than the other`];
}

function asked(world: ScoreWorld): [ScoringRule, ScorePlugin, ReturnType<typeof askScorePlugin>][] {
  return Object.entries(world.rules).map(([rule, plugin]) => [
    rule as ScoringRule,
    plugin,
    askIn(world, plugin),
  ]);
}

function askIn(
  { pod, snapshot, feasible }: ScoreWorld,
  plugin: ScorePlugin,
): ReturnType<typeof askScorePlugin> {
  return askScorePlugin(plugin, pod, snapshot, { feasible });
}

/** Asks about a pod, while another one is asked about as well. */
function between(
  { pod, other, snapshot, feasible }: ScoreWorld,
  plugin: ScorePlugin,
): ReturnType<typeof askScorePlugin> {
  const [state, others] = [new CycleState(), new CycleState()];
  const status = plugin.preScore?.(state, pod, feasible, snapshot);
  plugin.preScore?.(others, other, feasible.toReversed(), snapshot);
  return status?.code === 'Skip' ? 'Skip' : scoresBy(plugin, pod, feasible, state);
}

function scoresOf(given: ReturnType<typeof askScorePlugin>): Readonly<Record<string, number>> {
  return given === 'Skip' ? {} : given;
}

function entriesOf(given: ReturnType<typeof askScorePlugin>): [string, number][] {
  return Object.entries(scoresOf(given));
}

/** Two plugins of one name are told apart by how they fill nodes. */
function by(rule: ScoringRule): string {
  return rule === 'LeastAllocated' || rule === 'MostAllocated' ? ` (${rule})` : '';
}

function same(a: unknown, b: unknown): boolean {
  return say(a) === say(b);
}

function say(given: unknown): string {
  return JSON.stringify(given);
}

/** All that a plugin gets to see, as text. */
function contentOf({ snapshot, pod, feasible }: ScoreWorld): readonly string[] {
  const maps = (_: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  const text = (value: unknown): string => JSON.stringify(value, maps);
  return [
    `the feasible nodes ${feasible.map(({ name }) => name).join()}`,
    `the images ${text(snapshot.imageNodes)}`,
    ...snapshot.nodeInfos.flatMap(
      ({ name, node, pods, requested, nonZeroRequested, allocatable, images }) => [
        `what is asked of ${name} ${text({ requested, nonZeroRequested, allocatable, images })}`,
        `the node ${text(node)}`,
        `the pods of ${name} ${text(pods.map(({ pod: each }) => each.metadata.name))}`,
      ],
    ),
    `the pod ${text(pod)}`,
    `what it asks for ${text(podInfoOf(pod))}`,
  ];
}
