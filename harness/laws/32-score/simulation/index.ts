import type { Pod } from '../../../api/objects.ts';
import {
  CycleState,
  explain,
  type FilterPlugin,
  type NodeInfo,
  type NodePluginScores,
  type ScorePlugin,
  type Scoring,
  type Snapshot,
  success,
  unschedulable,
  type WeightedPlugin,
} from '../../../contracts/framework/index.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../../scheduling/levels/objects.ts';
import type { ClusterState } from '../../scheduling/oracle/cluster-state.ts';
import type { ScoreQuestion } from '../oracle/index.ts';
import type { ScoreScenario } from '../scenario/index.ts';

/** The snapshot and the pods of a scenario, and the plugins of a kata. */
export class ScoreSimulation {
  /** Restricted to the plugins of the law. */
  readonly scoring: Scoring;
  readonly scenario: ScoreScenario;
  readonly simulation: ClusterState;
  readonly snapshot: Snapshot;
  readonly pod: Pod;
  /** Another pod that is scheduled at the same time. */
  readonly other: Pod;
  readonly feasible: readonly NodeInfo[];

  constructor(scoring: Scoring, scenario: ScoreScenario) {
    this.scoring = scoring;
    this.scenario = scenario;
    const nodes = scenario.nodes.map(({ name, ...parts }) => aSchedulingNode(name, parts));
    const pods = scenario.there.map(aSchedulingPod);
    this.simulation = { nodes, pods, namespaces: NAMESPACES };
    this.snapshot = aSnapshot(nodes, pods, NAMESPACES);
    this.pod = aSchedulingPod(scenario.pod);
    const other = aSchedulingPod(scenario.other);
    // If it has the name of the pod, it is an older version of the pod.
    this.other = { ...other, metadata: { ...other.metadata, resourceVersion: '0' } };
    this.feasible = scenario.feasible.flatMap((name) => this.snapshot.get(name) ?? []);
  }

  /** The input of the oracle. */
  get question(): ScoreQuestion {
    return { simulation: this.simulation, pod: this.pod, feasible: this.scenario.feasible };
  }

  /** The plugins, with their weights. */
  get plugins(): readonly WeightedPlugin[] {
    return this.scoring.plugins;
  }

  /** @throws Error if no plugin has this name. */
  plugin(name: string): ScorePlugin {
    const weighted = this.plugins.find(({ plugin }) => plugin.name === name);
    if (weighted) return weighted.plugin;
    throw new Error(`There is no plugin ${name} among scoring.plugins.`);
  }

  /** Returns the scores of all plugins. */
  prioritize(plugins = this.plugins): readonly NodePluginScores[] {
    const { feasible, snapshot, pod } = this;
    const state = new CycleState();
    return this.scoring.prioritizeNodes({ plugins, state, pod, feasible, snapshot });
  }

  /** Formats the scores of each node, one line each. */
  table(): readonly string[] {
    const filtering = { plugins: [onlyFeasible(this.scenario.feasible)], ...unasked };
    const heavy = this.plugins.filter(({ weight }) => weight !== 1);
    const weights = heavy.map(({ plugin, weight }) => `${plugin.name} × ${weight}`);
    try {
      return [
        ...explain({ filtering, scoring: this.scoring }, this.pod, this.snapshot).lines(),
        ...(weights.length > 0 ? [`Here they are weighed: ${weights.join(', ')}.`] : []),
      ];
    } catch (error) {
      return [`prioritizeNodes cannot say: ${error}`];
    }
  }
}

const NAMESPACES = { default: {}, shop: { team: 'shop' } };

/** Functions that an explanation does not call. */
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
