import type { Pod } from '../../api/objects.ts';
import {
  CycleState,
  explain,
  type FilterPlugin,
  type NodeInfo,
  type NodePluginScores,
  type NodeScore,
  type ScorePlugin,
  type Scoring,
  type Snapshot,
  success,
  unschedulable,
  type WeightedPlugin,
} from '../../contracts/framework/index.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../scheduling/objects.ts';
import type { SchedulingWorld } from '../scheduling/oracle/world.ts';
import type { ScoreQuestion, ScoringRule, WeighedResource } from './score-oracle.ts';
import type { ScoreScenario } from './score-scenario.ts';

/** What the laws of scoring are about: the exports of kata 32. */
export interface ScoreKit {
  readonly scoring: Scoring;
  readonly nodeResourcesFit: (args: {
    readonly type: 'LeastAllocated' | 'MostAllocated';
    readonly resources: readonly WeighedResource[];
  }) => ScorePlugin;
  readonly nodeResourcesBalancedAllocation: (args: {
    readonly resources: readonly WeighedResource[];
  }) => ScorePlugin;
  readonly defaultNormalizeScore: (
    maxPriority: number,
    reverse: boolean,
    scores: readonly NodeScore[],
  ) => readonly NodeScore[];
}

/** Every plugin, by the rule that it is to keep. */
type PluginsByRule = Readonly<Record<ScoringRule, ScorePlugin>>;

/** A scenario come to life: the snapshot, the pods, and the plugins of a kata that are asked about them. */
export class ScoreWorld {
  readonly kit: ScoreKit;
  readonly scenario: ScoreScenario;
  readonly world: SchedulingWorld;
  readonly snapshot: Snapshot;
  readonly pod: Pod;
  /** Another pod, that is scheduled at the same time. */
  readonly other: Pod;
  readonly feasible: readonly NodeInfo[];
  /** Those that a scheduler has by default, with their weights. */
  readonly plugins: readonly WeightedPlugin[];
  #rules: PluginsByRule | undefined;

  constructor(kit: ScoreKit, scenario: ScoreScenario) {
    this.kit = kit;
    this.scenario = scenario;
    const nodes = scenario.nodes.map(({ name, ...parts }) => aSchedulingNode(name, parts));
    const pods = scenario.there.map(aSchedulingPod);
    this.world = { nodes, pods, namespaces: NAMESPACES };
    this.snapshot = aSnapshot(nodes, pods, NAMESPACES);
    this.pod = aSchedulingPod(scenario.pod);
    this.other = aSchedulingPod(scenario.other);
    this.feasible = scenario.feasible.flatMap((name) => this.snapshot.get(name) ?? []);
    this.plugins = kit.scoring.plugins;
  }

  /** The question that an oracle is asked. */
  question(pod: Pod = this.pod): ScoreQuestion {
    const { resources, feasible } = this.scenario;
    return { world: this.world, pod, feasible, fit: resources, balanced: resources };
  }

  /** Both ways to fill nodes and the balance with the scenario's resources; the others as they are by default. */
  get rules(): PluginsByRule {
    this.#rules ??= this.#makeRules();
    return this.#rules;
  }

  #makeRules(): PluginsByRule {
    const { nodeResourcesFit, nodeResourcesBalancedAllocation } = this.kit;
    const { resources } = this.scenario;
    const byDefault = (name: string): ScorePlugin => {
      const weighted = this.plugins.find(({ plugin }) => plugin.name === name);
      if (weighted) return weighted.plugin;
      throw new Error(`scorePlugins has no plugin of the name ${name}. Put all seven into it.`);
    };
    return {
      LeastAllocated: nodeResourcesFit({ type: 'LeastAllocated', resources }),
      MostAllocated: nodeResourcesFit({ type: 'MostAllocated', resources }),
      NodeResourcesBalancedAllocation: nodeResourcesBalancedAllocation({
        resources: resources.map(({ name }) => ({ name, weight: 1 })),
      }),
      NodeAffinity: byDefault('NodeAffinity'),
      TaintToleration: byDefault('TaintToleration'),
      ImageLocality: byDefault('ImageLocality'),
      PodTopologySpread: byDefault('PodTopologySpread'),
      InterPodAffinity: byDefault('InterPodAffinity'),
    };
  }

  /** What all plugins together say of the nodes. */
  prioritize({ plugins = this.plugins, pod = this.pod } = {}): readonly NodePluginScores[] {
    const { feasible, snapshot } = this;
    const state = new CycleState();
    return this.kit.scoring.prioritizeNodes({ plugins, state, pod, feasible, snapshot });
  }

  /** What was said of each node, a line a node; a word, if nothing can be said. */
  table(): readonly string[] {
    const filtering = { plugins: [onlyFeasible(this.scenario.feasible)], ...unasked };
    const heavy = this.plugins.filter(({ weight }) => weight !== 1);
    const weights = heavy.map(({ plugin, weight }) => `${plugin.name} × ${weight}`);
    try {
      return [
        ...explain({ filtering, scoring: this.kit.scoring }, this.pod, this.snapshot).lines(),
        ...(weights.length > 0 ? [`Here they are weighed: ${weights.join(', ')}.`] : []),
      ];
    } catch (error) {
      return [`prioritizeNodes cannot say: ${error}`];
    }
  }
}

const NAMESPACES = { default: {}, shop: { team: 'shop' } };

/** Nobody asks these of an explanation. */
const unasked = {
  findNodesThatFit: (): never => {
    throw new Error('Nothing is filtered here.');
  },
  fitErrorMessage: (): string => '',
};

function onlyFeasible(names: readonly string[]): FilterPlugin {
  return {
    name: 'Filters',
    filter: (_state, _pod, { name }) => (names.includes(name) ? success : unschedulable('not feasible')),
    eventsToRegister: () => [],
  };
}
