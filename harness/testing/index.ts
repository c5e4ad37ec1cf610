/**
 * The entry point for tests: clusters, faults and properties. It keeps vitest, fast-check and msw out of solutions. The
 * laws of each kata have their own entry point: `#laws/24-deployment`.
 */

export { defineResource } from '../api/define-resource.ts';
export type { CustomResourceDefinition } from '../api/objects.ts';
export { customResourceDefinitions } from '../api/plain-resources.ts';
export {
  Cluster,
  type ClusterOptions,
  createCluster,
  type RunOptions,
} from '../cluster/cluster.ts';
export { type ComponentName, componentTable, type NodeComponentName } from '../cluster/component-table.ts';
export { editDeployment } from '../cluster/edit-deployment.ts';
export { Journal, type JournalEntry, type Moment, type State } from '../cluster/journal.ts';
export {
  type Bout,
  type PodBehaviour,
  type PodScript,
  type Range,
  type ScriptPod,
  scripts,
} from '../cluster/nodes/pod-script.ts';
export { type NodesOptions, runNodes } from '../cluster/nodes/run-nodes.ts';
export { type ScriptedKubeletOptions, scriptedKubelet } from '../cluster/nodes/scripted-kubelet.ts';
export { runScriptedNodes, type ScriptedNodesOptions } from '../cluster/nodes/scripted-nodes.ts';
export { scriptedScheduler } from '../cluster/nodes/scripted-scheduler.ts';
export { componentsIn } from '../cluster/own-components.ts';
export type { Process, ProcessContext, Program } from '../cluster/process.ts';
export {
  type ApiRequest,
  type Interceptor,
  intercept,
  noteCaught,
  type Send,
  targetOf,
} from '../contracts/index.ts';
export { type Act, type ChronicleOptions, chronicle } from '../drawing/chronicle/chronicle.ts';
export { sayTally, type Tally, tallies } from '../drawing/chronicle/pod-tally.ts';
export { drawSequence } from '../drawing/sequence-diagram.ts';
export { drawTimeline } from '../drawing/timeline.ts';
export { createMachineFiles, type Gate, type MachineFiles, ProcessFiles } from '../node/files/index.ts';
export { ClusterNetwork } from '../node/network/cluster-network.ts';
export { type Opened, openConnection } from '../node/network/stack/connection.ts';
export {
  type Fate,
  formatJourney,
  formatWays,
  type Hop,
  type Journey,
} from '../node/network/stack/journey.ts';
export { MachineNetwork } from '../node/network/stack/machine-network.ts';
export { Simulation, seededRandom, type ThroughLineOptions, throughLine } from '../sim/index.ts';
export { apiFaults, callFaults, crashes, faultSchedules, nodeFaults } from './arbitraries/faults.ts';
export * as objects from './arbitraries/objects.ts';
export { podBehaviours } from './arbitraries/pods.ts';
export { durations, pauses, schedules, seeds } from './arbitraries/time.ts';
export * as workloads from './arbitraries/workloads.ts';
export { heldBytes } from './held-bytes.ts';
export {
  type Breach,
  holds,
  type Law,
  LawBroken,
  lawAbout,
  NotDeterministic,
  NotMet,
  type Road,
  type Run,
  remembering,
  type Situation,
} from './holds.ts';
export type { Edit, Mistake, Spoilt, Variant } from './mistakes.ts';
export { obeys, type PureLaw } from './obeys.ts';
export { noteTimeline } from './property.ts';
export {
  type Dues,
  isPrompt,
  owesNothing,
  type Silence,
  type SilenceOptions,
  silencesIn,
} from './rig/dues.ts';
export { noteCluster } from './rig/play.ts';
export { soFar } from './so-far.ts';
export { named, ruleFor, type VectorCase, vectors } from './vectors.ts';
