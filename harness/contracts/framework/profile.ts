import type { Pod } from '../../api/objects.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { BindPlugin, FilterPlugin, ReservePlugin, ScorePlugin } from './plugin.ts';
import type { Snapshot } from './snapshot.ts';
import type { Status } from './status.ts';

/**
 * Why a pod can run nowhere, or not everywhere.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go Diagnosis
 */
export interface Diagnosis {
  /** What the nodes that were looked at and turned down were told. */
  readonly nodeToStatus: ReadonlyMap<string, Status>;
  /** The plugins that turned the pod away somewhere. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** When a preFilter has turned the pod away everywhere: its reasons, joined by `, `. Otherwise empty. */
  readonly preFilterMsg: string;
}

/** What is asked of {@link Filtering.findNodesThatFit}. */
export interface FindNodes {
  readonly plugins: readonly FilterPlugin[];
  readonly state: CycleState;
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  /** Where in the snapshot to begin: it goes round. @defaultValue 0 */
  readonly startIndex?: number;
  /** 0: as many as the size of the cluster suggests. @defaultValue 0 */
  readonly percentageOfNodesToScore?: number;
}

/** What {@link Filtering.findNodesThatFit} found. */
export interface NodesThatFit {
  /** In the order in which they were looked at. */
  readonly feasible: readonly NodeInfo[];
  readonly diagnosis: Diagnosis;
  /** Where the next pod begins, so that all nodes get their turn. */
  readonly nextStartIndex: number;
}

/** The half of a scheduler that says where a pod can run: kata 31. */
export interface Filtering {
  /** In the order in which they are asked. */
  readonly plugins: readonly FilterPlugin[];
  findNodesThatFit(request: FindNodes): NodesThatFit;
  /** `0/3 nodes are available: …` */
  fitErrorMessage(numAllNodes: number, diagnosis: Diagnosis): string;
}

/** A plugin and how much its word counts. */
export interface WeightedPlugin {
  readonly plugin: ScorePlugin;
  /** At least 1. */
  readonly weight: number;
}

/** What is asked of {@link Scoring.prioritizeNodes}. */
export interface PrioritizeNodes {
  readonly plugins: readonly WeightedPlugin[];
  readonly state: CycleState;
  readonly pod: Pod;
  readonly feasible: readonly NodeInfo[];
  readonly snapshot: Snapshot;
}

/**
 * What all plugins think of a node.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go NodePluginScores
 */
export interface NodePluginScores {
  readonly name: string;
  /** Normalised and weighed, in the order of the plugins, without those that had no opinion. */
  readonly scores: readonly { readonly name: string; readonly score: number }[];
  /** Their sum. */
  readonly totalScore: number;
}

/** The half of a scheduler that says where a pod runs best: kata 32. */
export interface Scoring {
  readonly plugins: readonly WeightedPlugin[];
  /** In the order of `feasible`. */
  prioritizeNodes(request: PrioritizeNodes): readonly NodePluginScores[];
  /** One of those with the highest total; any of them, if there are several. */
  selectHost(scores: readonly NodePluginScores[], random: { int(max: number): number }): string;
}

/**
 * How one scheduler decides.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/profile/profile.go, pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl
 */
export interface Profile {
  /** The `spec.schedulerName` of the pods that it is for. */
  readonly schedulerName: string;
  readonly filtering: Filtering;
  readonly scoring: Scoring;
  readonly reserve: readonly ReservePlugin[];
  /** They are asked before the pod is bound as usual. */
  readonly bind: readonly BindPlugin[];
}
