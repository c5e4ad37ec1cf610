/**
 * The door for tests: a cluster, what happens to it, and laws to hold it to. It keeps vitest, fast-check and msw
 * out of solutions.
 */
export { Simulation, seededRandom, type ThroughLineOptions, throughLine } from '../sim/index.ts';
export { apiFaults, callFaults, crashes, faultSchedules, nodeFaults } from './arbitraries/faults.ts';
export * as objects from './arbitraries/objects.ts';
export { podBehaviours } from './arbitraries/pods.ts';
export { durations, pauses, schedules, seeds } from './arbitraries/time.ts';
export * as workloads from './arbitraries/workloads.ts';
export { type Act, type ChronicleOptions, chronicle } from './chronicle/chronicle.ts';
export { sayTally, type Tally, tallies } from './chronicle/pod-tally.ts';
export {
  Cluster,
  type ClusterOptions,
  type ControllerName,
  createCluster,
  type RunOptions,
} from './cluster.ts';
export type { DeploymentHistory } from './deployment/history.ts';
export * as deploymentLaws from './deployment/laws.ts';
export {
  aDeployment,
  aPod,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  templateOf,
} from './deployment/objects.ts';
export { type DeploymentScenario, scenarios as deploymentScenarios } from './deployment/scenario.ts';
export { Stage, type StagedReplicaSet } from './deployment/stage.ts';
export {
  type RolloutScenario,
  rolloutScenarios,
  runThereAndBack,
  thereAndBack,
} from './deployment/there-and-back.ts';
export { runDeployment } from './deployment/world.ts';
export { editDeployment } from './edit-deployment.ts';
export type { Debt, GarbageHistory, Told } from './garbage-collector/history.ts';
export * as garbageCollectorLaws from './garbage-collector/laws.ts';
export { type GarbageScenario, scenarios as garbageScenarios } from './garbage-collector/scenario.ts';
export { runGarbageCollector } from './garbage-collector/world.ts';
export { type Breach, holds, LawBroken, NotDeterministic, type Run, remembering } from './holds.ts';
export type { HistoryEntry, InformerHistory } from './informer/history.ts';
export * as informerLaws from './informer/laws.ts';
export { type InformerScenario, scenarios as informerScenarios } from './informer/scenario.ts';
export {
  type Asked,
  configMap,
  listOf,
  type Script,
  ScriptedServer,
  type ScriptedWatch,
} from './informer/scripted-server.ts';
export { runInformer } from './informer/world.ts';
export { Journal, type JournalEntry, type Moment, type State } from './journal.ts';
export type { Edit, Mistake, Variant } from './judge.ts';
export {
  type Bout,
  type PodBehaviour,
  type PodScript,
  type Range,
  type ScriptPod,
  scripts,
} from './node/pod-script.ts';
export { type ScriptedKubeletOptions, scriptedKubelet } from './node/scripted-kubelet.ts';
export { runScriptedNodes, type ScriptedNodesOptions } from './node/scripted-nodes.ts';
export { scriptedScheduler } from './node/scripted-scheduler.ts';
export { obeys, type PureLaw } from './obeys.ts';
export type { Process, ProcessContext, Program } from './process.ts';
export { noteTimeline } from './property.ts';
export * as replicaSetLaws from './replicaset/laws.ts';
export { type ReplicaSetScenario, scenarios as replicaSetScenarios } from './replicaset/scenario.ts';
export { runReplicaSet } from './replicaset/world.ts';
export {
  type AskOptions,
  askScorePlugin,
  beforeNormalising,
  scoresBy,
} from './scheduling/ask-score-plugin.ts';
export { SchedulingCluster } from './scheduling/cluster.ts';
export { clusters as schedulingClusters } from './scheduling/clusters.ts';
export * as filterLaws from './scheduling/filter-laws/laws.ts';
export type { SchedulerHistory } from './scheduling/loop/history.ts';
export * as schedulerLaws from './scheduling/loop/laws.ts';
export { type SchedulerScenario, scenarios as schedulerScenarios } from './scheduling/loop/scenario.ts';
export { runScheduler } from './scheduling/loop/world.ts';
export {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from './scheduling/objects.ts';
export {
  mayRunOn,
  overcommitments,
  type Ruling,
  rulingsOn,
  type SchedulingWorld,
} from './scheduling/oracle.ts';
export * as scoreLaws from './scheduling/score-laws.ts';
export { type ScoreScenario, scenarios as scoreScenarios } from './scheduling/score-scenario.ts';
export { drawSequence } from './sequence-diagram.ts';
export { soFar } from './so-far.ts';
export { drawTimeline } from './timeline.ts';
export { type VectorCase, vectors } from './vectors.ts';
export type { WorkQueueHistory } from './workqueue/history.ts';
export * as workQueueLaws from './workqueue/laws.ts';
export * as rateLimiterLaws from './workqueue/limiter-laws.ts';
export type { PoolHistory } from './workqueue/pool-history.ts';
export * as workerPoolLaws from './workqueue/pool-laws.ts';
export { type PoolScenario, scenarios as workerPoolScenarios } from './workqueue/pool-scenario.ts';
export { type PoolKit, runWorkerPool } from './workqueue/pool-world.ts';
export { scenarios as workQueueScenarios, type WorkQueueScenario } from './workqueue/scenario.ts';
export { runWorkQueue, type WorkQueueKit } from './workqueue/world.ts';
