import type { KubeObject, Pod } from '../../api/objects.ts';
import type { ClusterEvent } from './cluster-event.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { BindPlugin, FilterPlugin, ReservePlugin, ScorePlugin } from './plugin.ts';
import type { Snapshot } from './snapshot.ts';
import type { Status } from './status.ts';

/**
 * The reasons why nodes did not fit a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go Diagnosis
 */
export interface Diagnosis {
  /** The status of each node that was evaluated and rejected. */
  readonly nodeToStatus: ReadonlyMap<string, Status>;
  /** The plugins that rejected at least one node. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** The reasons of a preFilter that rejected every node, joined by `, `. Otherwise empty. */
  readonly preFilterMsg: string;
}

/** The arguments of {@link Filtering.findNodesThatFit}. */
export interface FindNodes {
  readonly plugins: readonly FilterPlugin[];
  readonly state: CycleState;
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  /** The index of the first node to evaluate; the search wraps around. @defaultValue 0 */
  readonly startIndex?: number;
  /** 0: a percentage that depends on the size of the cluster. @defaultValue 0 */
  readonly percentageOfNodesToScore?: number;
}

/** The result of {@link Filtering.findNodesThatFit}. */
export interface NodesThatFit {
  /** In the order of evaluation. */
  readonly feasible: readonly NodeInfo[];
  readonly diagnosis: Diagnosis;
  /** The `startIndex` for the next pod, so that every node gets its turn. */
  readonly nextStartIndex: number;
}

/** The half of a scheduler that decides where a pod can run: kata 31. */
export interface Filtering {
  /** In calling order. */
  readonly plugins: readonly FilterPlugin[];
  findNodesThatFit(request: FindNodes): NodesThatFit;
  /** `0/3 nodes are available: …` */
  fitErrorMessage(numAllNodes: number, diagnosis: Diagnosis): string;
}

/** A plugin and the weight of its score. */
export interface WeightedPlugin {
  readonly plugin: ScorePlugin;
  /** At least 1. */
  readonly weight: number;
}

/** The arguments of {@link Scoring.prioritizeNodes}. */
export interface PrioritizeNodes {
  readonly plugins: readonly WeightedPlugin[];
  readonly state: CycleState;
  readonly pod: Pod;
  readonly feasible: readonly NodeInfo[];
  readonly snapshot: Snapshot;
}

/**
 * The scores of a node from all plugins.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/interface.go NodePluginScores
 */
export interface NodePluginScores {
  readonly name: string;
  /** Normalized and weighted, in the order of the plugins, without plugins that skipped the pod. */
  readonly scores: readonly { readonly name: string; readonly score: number }[];
  /** The sum of the scores. */
  readonly totalScore: number;
}

/** The half of a scheduler that decides where a pod runs best: kata 32. */
export interface Scoring {
  readonly plugins: readonly WeightedPlugin[];
  /** Returns the scores in the order of `feasible`. */
  prioritizeNodes(request: PrioritizeNodes): readonly NodePluginScores[];
  /** Returns a node with the highest total; a random one, if several nodes have it. */
  selectHost(scores: readonly NodePluginScores[], random: { int(max: number): number }): string;
}

/**
 * The plugins and functions of one scheduler.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/profile/profile.go,
 * pkg/scheduler/framework/runtime/framework.go
 * frameworkImpl
 */
export interface Profile {
  /** The scheduler handles pods with this `spec.schedulerName`. */
  readonly schedulerName: string;
  readonly filtering: Filtering;
  readonly scoring: Scoring;
  readonly reserve: readonly ReservePlugin[];
  /** Called before the default binding. */
  readonly bind: readonly BindPlugin[];
  /**
   * Registers a listener for the events of further resources that plugins watch. @defaultValue plugins watch no further resources
   *
   * Differs: upstream's scheduler itself watches the resources for which its plugins register.
   */
  readonly onEvent?: (report: ReportEvent) => void;
}

/**
 * Reports an event in the cluster, with the object before and after it. `oldObject` is absent if the object is new, and
 * `newObject` if it was deleted.
 */
export type ReportEvent = (
  event: ClusterEvent,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
) => void;
