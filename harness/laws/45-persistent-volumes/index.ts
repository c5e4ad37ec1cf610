/** `#laws/45-persistent-volumes`: the entry point for the tests. */
export * as volumesLaws from './laws.ts';
export type { VolumesScenario } from './operations.ts';
export { runVolumes, type VolumeComponents } from './simulation.ts';
export { scenarios as volumesScenarios } from './workloads.ts';
