/** `#laws/45-persistent-volumes`: the entry point for the tests. */
export * as volumesLaws from './laws.ts';
export { scenarios as volumesScenarios, type VolumesScenario } from './scenario.ts';
export { runVolumes, type VolumeComponents } from './simulation.ts';
