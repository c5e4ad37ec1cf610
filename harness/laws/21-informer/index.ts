/** The entry point of this folder, for the tests: `#laws/21-informer`. */
export type { HistoryEntry, InformerHistory } from './history.ts';
export * as informerLaws from './laws.ts';
export type { InformerScenario } from './scenario.ts';
export {
  type Asked,
  configMap,
  listOf,
  type Script,
  ScriptedServer,
  type ScriptedWatch,
} from './scripted-server.ts';
export { runInformer } from './simulation.ts';
export { workloads } from './workloads.ts';
