import {
  type ConfigMap,
  configMaps,
  type List,
  type ListOptions,
  type Selection,
  type WatchEvent,
} from '#harness';
import { noteCaught, Simulation, seededRandom } from '#harness/testing';
import { Indexer, metaNamespaceKeyFunc, Reflector } from '#kata/21-informer/informer';
import { configMap, listOf, ScriptedServer, type ScriptedWatch } from '#laws/21-informer';

/** Lets a promise fail before somebody waits for it: what comes of it is looked at later. */
export function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A reflector that fills a cache directly, against a server that says what the test tells it to say. */
export function reflect(script: {
  selection?: Selection;
  checkPeriodMs?: number;
  list: (options: ListOptions) => List<ConfigMap>;
  watches?: ScriptedWatch<ConfigMap>[];
}) {
  const sim = new Simulation();
  const server = new ScriptedServer<ConfigMap>(script);
  const cache = new Indexer<ConfigMap>(metaNamespaceKeyFunc);
  const failures: unknown[] = [];
  const resynced: number[] = [];
  const reflector = new Reflector<ConfigMap>({
    ...script.selection,
    client: server,
    resource: configMaps,
    getCheckPeriodMs: () => script.checkPeriodMs ?? 0,
    clock: sim.clock,
    random: seededRandom(1),
    onError: (error) => {
      noteCaught(error);
      failures.push(error);
    },
    store: {
      add: (object) => cache.add(object),
      update: (object) => cache.update(object),
      delete: (object) => cache.delete(metaNamespaceKeyFunc(object)),
      replace: (list) => cache.replace(list),
      resync: () => resynced.push(sim.elapsedMs),
    },
  });
  const controller = new AbortController();
  const stored = (): Record<string, string> =>
    Object.fromEntries(cache.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  return {
    sim,
    server,
    reflector,
    stored,
    failures,
    resynced,
    signal: controller.signal,
    stop: () => controller.abort(),
  };
}

/** A list without objects, at this version. */
export const nothing = (resourceVersion: string): List<ConfigMap> => listOf(configMaps, resourceVersion, []);

/** What a watch reports of one ConfigMap. */
export const event = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  resourceVersion: string,
): WatchEvent<ConfigMap> => ({
  type,
  object: configMap(name, resourceVersion),
});
