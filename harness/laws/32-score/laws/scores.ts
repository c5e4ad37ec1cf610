import {
  CycleState,
  MAX_NODE_SCORE,
  type NodeScore,
  podInfoOf,
  type ScorePlugin,
  type Scoring,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { nodeTermHolds } from '../../scheduling/oracle/selecting.ts';
import { differencesOf } from '../../scheduling/simulation.ts';
import { isScoringRule, type ScoringRule, type Worth, worthOf } from '../oracle/index.ts';
import type { Ground } from '../scenario/ground.ts';
import type { ScoreScenario } from '../scenario/index.ts';
import { askScorePlugin, rawScoresOf, scoresBy } from '../simulation/ask-score-plugin.ts';
import { ScoreSimulation } from '../simulation/index.ts';

/**
 * A law of kata 32. It judges one cluster and one pod, without faults, because scoring is arithmetic.
 */
type ScoreLaw = PureLaw<Scoring, ScoreScenario>;

/**
 * Creates a law about the plugins of a ground. A missing plugin is a violation. A violation also shows the scores of all plugins.
 *
 * @param wrong - Returns the messages of the violations; none if the law holds.
 */
function scoreLaw(
  { weights, scenarios }: Ground,
  wrong: (simulation: ScoreSimulation) => readonly string[],
): ScoreLaw {
  return {
    inputs: scenarios,
    violation(scoring, scenario) {
      const missing = Object.keys(weights).find(
        (name) => !scoring.plugins.some(({ plugin }) => plugin.name === name),
      );
      if (missing) return `scoring.plugins lacks the plugin ${missing}.`;
      const plugins = scoring.plugins.filter(({ plugin }) => plugin.name in weights);
      const simulation = new ScoreSimulation({ ...scoring, plugins }, scenario);
      const [first, ...more] = wrong(simulation);
      if (first === undefined) return undefined;
      const others = more.length > 0 ? ` (and ${more.length} more)` : '';
      return [`${first}${others}`, '', ...simulation.table()].join('\n');
    },
  };
}

/** Every normalized score is a whole number from 0 to 100. */
export const wholeNumbers = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) =>
    asked(simulation).flatMap(([plugin, scores]) =>
      entriesOf(scores)
        .filter(([, score]) => !Number.isInteger(score) || score < 0 || score > MAX_NODE_SCORE)
        .map(([node, score]) => {
          const right = isScoringRule(plugin.name)
            ? worthOf(plugin.name, simulation.question).find((each) => each.node === node)
            : undefined;
          const wanted = right
            ? `; expected ${right.scores.join(' or ')}:\n  ${right.why().join('\n  ')}`
            : '';
          return `${plugin.name} gave ${node} a score of ${score}, not a whole number from 0 to 100${wanted}`;
        }),
    ),
  );

/** Every plugin gives every node the score of its formula. */
export const byItsFormula = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) =>
    asked(simulation).flatMap(([{ name }, given]) => {
      if (!isScoringRule(name)) return [];
      return wrongScore(name, given, simulation);
    }),
  );

/** Compares the scores of a plugin with the rule, and explains what differs. */
function wrongScore(
  rule: ScoringRule,
  given: ReturnType<typeof askScorePlugin>,
  { question }: ScoreSimulation,
): readonly string[] {
  const right = worthOf(rule, question);
  const wrong = right.filter(({ node, scores }) => {
    const score = given === 'Skip' ? 0 : given[node];
    return score === undefined || !scores.includes(score);
  });
  const [first] = wrong;
  if (first === undefined) return [];
  const said = given === 'Skip' ? 'returned Skip' : `gave ${listed(wrong, ({ node }) => given[node])}`;
  // After a Skip, show all nodes: the plugin scored none of them.
  const wanted = listed(given === 'Skip' ? right : wrong, ({ scores }) => scores.join(' or '));
  return [[`${rule} ${said}; expected ${wanted}.`, ...reasonsFor(first, right, given)].join('\n')];
}

/** Explains a wrong score, first by a wrong raw score, which is its cause. */
function reasonsFor(
  first: Worth,
  right: readonly Worth[],
  given: ReturnType<typeof askScorePlugin>,
): readonly string[] {
  const because = (head: string, lines: readonly string[]) => [head, ...lines.map((line) => `  ${line}`)];
  if (given === 'Skip') {
    const counted = right.find(({ raw = 0 }) => raw !== 0) ?? first;
    return because(`${counted.node}:`, counted.why());
  }
  const raw = rawScoresOf(given);
  if (!raw) return because(`${first.node}:`, first.why());
  const firstOfAll = raw.toSorted((a, b) => Number(b.name === first.node) - Number(a.name === first.node));
  for (const { name, score } of firstOfAll) {
    const wanted = right.find(({ node }) => node === name);
    if (wanted?.raw === undefined || wanted.raw === score) continue;
    return because(`Before normalization, ${name} has ${score}; expected ${wanted.raw}:`, wanted.why());
  }
  return because(
    `The scores before normalization are right (${raw.map(({ name, score }) => `${name} ${score}`).join(', ')}). ${first.node}:`,
    first.whyNormalised ? [first.whyNormalised()] : first.why(),
  );
}

/** Formats a value of each of these nodes: `node-a 3, node-b 5`. */
function listed(all: readonly Worth[], valueFor: (worth: Worth) => unknown): string {
  return all.map((worth) => `${worth.node} ${valueFor(worth)}`).join(', ');
}

/** Another pod on a node does not raise the score of the node. */
export const loadCounts = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) => {
    const { scenario, scoring } = simulation;
    const load = { ...scenario.other, name: 'load', nodeName: scenario.feasible[0] ?? '' };
    const loaded = new ScoreSimulation(scoring, { ...scenario, there: [...scenario.there, load] });
    const rule = 'NodeResourcesFit';
    const [before, after] = [simulation, loaded].map((each) => scoresOf(askIn(each, each.plugin(rule))));
    return scenario.feasible.flatMap((node) => {
      const [was = 0, is = 0] = [before?.[node], after?.[node]];
      if (node !== load.nodeName) {
        if (is === was) return [];
        return [
          `${rule}: the score of ${node} changed from ${was} to ${is} when ${load.nodeName}, another node, got a pod`,
        ];
      }
      if (is <= was) return [];
      const right = worthOf(rule, loaded.question).find((each) => each.node === node);
      const headline = `${rule}: the score of ${node} rose from ${was} to ${is} when it got another pod; a fuller node must not score higher.`;
      return [
        [`${headline} With that pod it must be ${right?.scores.join(' or ')}:`, ...(right?.why() ?? [])].join(
          '\n  ',
        ),
      ];
    });
  });

/** The order of nodes, of the pods on them and of plugins does not matter. */
export const orderIsIrrelevant = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) => {
    const { scenario, scoring, plugins } = simulation;
    const reversed = new ScoreSimulation(scoring, {
      ...scenario,
      nodes: scenario.nodes.toReversed(),
      there: scenario.there.toReversed(),
      feasible: scenario.feasible.toReversed(),
    });
    const total = (scores: ReturnType<ScoreSimulation['prioritize']>): Record<string, number> =>
      Object.fromEntries(scores.map(({ name, totalScore }) => [name, totalScore]));
    const wanted = total(simulation.prioritize());
    const others = {
      'with nodes and pods in the other order': total(reversed.prioritize()),
      'with plugins in the other order': total(simulation.prioritize(plugins.toReversed())),
    };
    return Object.entries(others).flatMap(([how, totals]) =>
      scenario.feasible
        .filter((node) => totals[node] !== wanted[node])
        .map(
          (node) =>
            `the total of ${node} is ${wanted[node]}, but ${totals[node]} ${how}; the order must not matter`,
        ),
    );
  });

/** The total is the sum of the scores, each times the weight of its plugin; skipped plugins add nothing. */
export const addsUp = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) => {
    const heavy = simulation.plugins.find(({ plugin, weight }) => weight !== ground.weights[plugin.name]);
    if (heavy) {
      const { plugin, weight } = heavy;
      return [
        `${plugin.name} has weight ${weight} in scoring.plugins; expected ${ground.weights[plugin.name]}, as in Kubernetes`,
      ];
    }
    const all = simulation.prioritize();
    const names = all.map(({ name }) => name).join();
    if (names !== simulation.scenario.feasible.join()) {
      return [
        `prioritizeNodes got the nodes ${simulation.scenario.feasible}, but returned scores of ${names}`,
      ];
    }
    return all.flatMap(({ name: node, scores, totalScore }) => {
      const wanted = simulation.plugins.flatMap(({ plugin, weight }) => {
        const given = askIn(simulation, plugin);
        return given === 'Skip' ? [] : [{ name: plugin.name, score: (given[node] ?? 0) * weight }];
      });
      const sum = wanted.reduce((total, { score }) => total + score, 0);
      const said = (each: readonly NodeScore[]): string =>
        each.map(({ name, score }) => `${name} ${score}`).join(' + ');
      if (totalScore === sum && said(scores) === said(wanted)) return [];
      return [
        `prioritizeNodes gave ${node} ${totalScore} = ${said(scores)}; expected ${sum} = ${said(wanted)}: each plugin's own score times its weight`,
      ];
    });
  });

/** A higher weight of a preference never lowers the score of a preferred node, nor raises another one. */
export const moreWeight = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) => {
    const { scenario, scoring } = simulation;
    const { spec } = scenario.pod;
    const terms = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const scores = (each: ScoreSimulation) => scoresOf(askIn(each, each.plugin('NodeAffinity')));
    const before = scores(simulation);
    return terms.flatMap(({ weight, preference }, i) => {
      const heavier = terms.with(i, { preference, weight: Math.min(100, weight + 10) });
      const nodeAffinity = {
        ...spec?.affinity?.nodeAffinity,
        preferredDuringSchedulingIgnoredDuringExecution: heavier,
      };
      const pod = { ...scenario.pod, spec: { ...spec, affinity: { ...spec?.affinity, nodeAffinity } } };
      const changed = new ScoreSimulation(scoring, { ...scenario, pod });
      const after = scores(changed);
      return simulation.feasible.flatMap(({ name, node }) => {
        const [was = 0, is = 0] = [before[name], after[name]];
        const meant = nodeTermHolds(preference, node);
        if (meant ? is >= was : is <= was) return [];
        const rule = meant
          ? `matches it, so its score must not fall`
          : `does not match it, so its score must not rise`;
        const headline = `NodeAffinity: the weight of preferred term ${i + 1} grew from ${weight} to ${heavier[i]?.weight}. ${name} ${rule}; but it went from ${was} to ${is}`;
        const reasons = [simulation, changed].flatMap((each) =>
          wrongScore('NodeAffinity', askIn(each, each.plugin('NodeAffinity')), each),
        );
        return [[headline, ...reasons.slice(0, 1)].join('.\n')];
      });
    });
  });

/** A plugin returns the same scores again, also after or during the cycle of another pod. */
export const askedTwice = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) =>
    simulation.plugins.flatMap(({ plugin }) => {
      const alone = askIn(simulation, plugin);
      // Each has a new snapshot, for which the plugin can have cached nothing.
      const fresh = (): ScoreSimulation => new ScoreSimulation(simulation.scoring, simulation.scenario);
      const reused = afterOtherPod(fresh(), plugin);
      const interrupted = between(fresh(), plugin);
      const again = askIn(simulation, plugin);
      const { there, nodes, feasible } = simulation.scenario;
      const elsewhere = afterOtherCluster(simulation, plugin, {
        there: there.slice(1),
        feasible: feasible.slice(0, 1),
      });
      const changed = afterOtherCluster(simulation, plugin, { nodes: rotated(nodes) });
      const { name } = plugin;
      return [
        ...(same(alone, elsewhere)
          ? []
          : [
              `${name} gave ${say(alone)}; but ${say(elsewhere)} after it had scored the same pod in a smaller cluster. Keep the result of preScore in the state of the cycle, not by pod`,
            ]),
        ...(same(alone, changed)
          ? []
          : [
              `${name} gave ${say(alone)}; but ${say(changed)} after it had scored the same pod when the nodes had other labels and resources. Keep no result by pod and name of a node: nodes change`,
            ]),
        ...(same(alone, again)
          ? []
          : [`${name} gave ${say(alone)}, and ${say(again)} when it scored the same pod again`]),
        ...(same(alone, reused)
          ? []
          : [
              `${name} gave ${say(alone)}; but ${say(reused)} after it had scored the other pod in another cycle. A result that is cached with the snapshot needs a key of all fields of the pod that it depends on. The two pods differ in: ${differencesOf(simulation.pod, simulation.other) || 'nothing but resourceVersion'}`,
            ]),
        ...(same(alone, interrupted)
          ? []
          : [
              `${name} gave ${say(alone)}; but ${say(interrupted)} when its preScore ran for the other pod, in another cycle, between this pod's preScore and score. Keep the result of preScore in the state of the cycle`,
            ]),
      ];
    }),
  );

/** Plugins do not change their input. */
export const changesNothing = (ground: Ground): ScoreLaw =>
  scoreLaw(ground, (simulation) => {
    const before = contentOf(simulation);
    simulation.prioritize();
    for (const { plugin } of simulation.plugins) askIn(simulation, plugin);
    const after = contentOf(simulation);
    return before.flatMap((line, i) =>
      line === after[i]
        ? []
        : [`the plugins changed their input, which is shared. Before: ${line}. After: ${after[i]}`],
    );
  });

function asked(simulation: ScoreSimulation): [ScorePlugin, ReturnType<typeof askScorePlugin>][] {
  return simulation.plugins.map(({ plugin }) => [plugin, askIn(simulation, plugin)]);
}

function askIn(
  { pod, snapshot, feasible }: ScoreSimulation,
  plugin: ScorePlugin,
): ReturnType<typeof askScorePlugin> {
  return askScorePlugin(plugin, pod, snapshot, { feasible });
}

/** Scores a pod after it was scored in a cluster with fewer pods and one feasible node. */
function afterOtherCluster(
  { scenario, scoring }: ScoreSimulation,
  plugin: ScorePlugin,
  parts: Partial<ScoreScenario>,
): ReturnType<typeof askScorePlugin> {
  const before = new ScoreSimulation(scoring, { ...scenario, ...parts });
  const { pod } = before;
  askScorePlugin(plugin, pod, before.snapshot, { feasible: before.feasible });
  const now = new ScoreSimulation(scoring, scenario);
  return askScorePlugin(plugin, pod, now.snapshot, { feasible: now.feasible });
}

/** Gives each node the labels, taints and resources of the next one; a single node loses its own. */
function rotated(nodes: ScoreScenario['nodes']): ScoreScenario['nodes'] {
  const [first] = nodes;
  if (first && nodes.length === 1) return [{ name: first.name }];
  return nodes.map(({ name }, i) => ({ ...nodes[(i + 1) % nodes.length], name }));
}

/** Scores a pod after the other pod, on the same snapshot. */
function afterOtherPod(
  { pod, other, snapshot, feasible }: ScoreSimulation,
  plugin: ScorePlugin,
): ReturnType<typeof askScorePlugin> {
  askScorePlugin(plugin, other, snapshot, { feasible });
  return askScorePlugin(plugin, pod, snapshot, { feasible });
}

/** Scores a pod while preScore runs for the other pod between this pod's preScore and score. */
function between(
  { pod, other, snapshot, feasible }: ScoreSimulation,
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

function same(a: unknown, b: unknown): boolean {
  return say(a) === say(b);
}

function say(given: unknown): string {
  return JSON.stringify(given);
}

/** Formats the input of a plugin, a line for each part. */
function contentOf({ snapshot, pod, feasible }: ScoreSimulation): readonly string[] {
  const maps = (_: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  const text = (value: unknown): string => JSON.stringify(value, maps);
  return [
    `the feasible nodes ${feasible.map(({ name }) => name).join()}`,
    `the images ${text(snapshot.imageNodes)}`,
    ...snapshot.nodeInfos.flatMap(
      ({ name, node, pods, requested, nonZeroRequested, allocatable, images }) => [
        `the resources of ${name} ${text({ requested, nonZeroRequested, allocatable, images })}`,
        `the node ${text(node)}`,
        `the pods of ${name} ${text(pods.map(({ pod: each }) => each.metadata.name))}`,
      ],
    ),
    `the pod ${text(pod)}`,
    `its podInfo ${text(podInfoOf(pod))}`,
  ];
}
