/**
 * The entry point for tests: clusters, faults and properties. It keeps vitest, fast-check and msw out of solutions. The
 * laws of each kata have their own entry point: `#laws/24-deployment`.
 */

export { defineResource } from '../api/define-resource.ts';
export type { CustomResourceDefinition } from '../api/objects.ts';
export { customResourceDefinitions } from '../api/plain-resources.ts';
export { Cluster, type ClusterOptions } from '../cluster/cluster.ts';
export { scripts } from '../cluster/nodes/pod-script.ts';
export { scriptedKubelet } from '../cluster/nodes/scripted-kubelet.ts';
export { runScriptedNodes } from '../cluster/nodes/scripted-nodes.ts';
export { componentsIn, sayOwners } from '../cluster/own-components.ts';
export type { Process } from '../cluster/process.ts';
export { intercept, noteCaught } from '../contracts/index.ts';
export { createMachineFiles, type MachineFiles } from '../node/files/index.ts';
export { openConnection } from '../node/network/stack/connection.ts';
export { MachineNetwork } from '../node/network/stack/machine-network.ts';
export { Simulation, seededRandom, throughLine } from '../sim/index.ts';
export { seeds } from './arbitraries/time.ts';
export { heldBytes } from './held-bytes.ts';
export { holds, remembering } from './holds.ts';
export type { Edit, Mistake, Variant } from './mistakes.ts';
export { createCluster } from './noted-cluster.ts';
export { obeys } from './obeys.ts';
export { finishedJob } from './rig/finished-job.ts';
export { noteCluster } from './rig/play.ts';
export { soFar } from './so-far.ts';
export { named, ruleFor, type VectorCase, vectors } from './vectors.ts';
