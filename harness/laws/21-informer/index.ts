/** `#laws/21-informer`: the entry point for the tests. */
export type { HistoryEntry, InformerHistory } from './history.ts';
export * as informerLaws from './laws/index.ts';
export type { InformerScenario } from './scenario.ts';
export { runInformer } from './simulation/index.ts';
export {
  type Asked,
  configMap,
  listOf,
  type Script,
  ScriptedServer,
  type ScriptedWatch,
} from './simulation/scripted-server.ts';
export { workloads } from './workloads/index.ts';
