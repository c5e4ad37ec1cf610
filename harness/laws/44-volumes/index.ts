/** `#laws/44-volumes`: the entry point for the tests. */
export type { VolumeHistory } from './history.ts';
export * as volumeLaws from './laws.ts';
export { scenarios as volumeScenarios, type VolumeScenario } from './scenario/index.ts';
export { runVolumes } from './simulation/index.ts';
export {
  NODE,
  PLAIN_DRIVER,
  PROCESS,
  STAGING_DRIVER,
  VolumeNode,
  type VolumeNodeOptions,
} from './simulation/node.ts';
