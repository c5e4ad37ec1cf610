import { type Delta, ListerWatcher } from '#given/21-informer';
import {
  type ConfigMap,
  configMaps,
  errors,
  INITIAL_EVENTS_END,
  type List,
  type ListOptions,
  type WatchEvent,
} from '#harness';
import { noteCaught, Simulation, seededRandom } from '#harness/testing';
import { Reflector } from '#kata/21-informer/informer';
import { configMap, listOf, ScriptedServer, type ScriptedWatch } from '#laws/21-informer';
import { said } from './deltas.fixture.ts';

/** The back-off of the reflector in tests. */
export const BACKOFF_MS = 800;

/** Marks the rejection of a promise as handled, so that a test can await it later. */
export function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Returns a reflector that fills a list of deltas, against a server with scripted answers. */
export function reflect(
  script: {
    list?: (options: ListOptions) => List<ConfigMap>;
    /** The answers to watches and streaming lists, in order. After the last one, a stream stays open without events. */
    watches?: ScriptedWatch<ConfigMap>[];
  } = {},
) {
  const sim = new Simulation();
  const server = new ScriptedServer<ConfigMap>({ list: () => nothing('10'), ...script });
  const random = seededRandom(1);
  const pushed: Delta<ConfigMap>[] = [];
  const failures: unknown[] = [];
  const reflector = new Reflector<ConfigMap>({
    listerWatcher: new ListerWatcher({ client: server, resource: configMaps, random }),
    resource: configMaps,
    queue: { push: (delta) => void pushed.push(delta) },
    clock: sim.clock,
    nextBackoffMs: () => BACKOFF_MS,
    onError: (error) => {
      noteCaught(error);
      failures.push(error);
    },
  });
  const controller = new AbortController();
  return {
    sim,
    server,
    reflector,
    failures,
    /** Returns the requests: `list 0`, `watch 10`, and `stream 10` for a streaming list. `""` is the newest version. */
    requests: () =>
      server.asked.map(({ verb, resourceVersion, options }) => {
        const isStream = 'sendInitialEvents' in options && options.sendInitialEvents;
        return `${isStream ? 'stream' : verb} ${resourceVersion || '""'}`;
      }),
    /** Describes the pushed deltas: `Added a@11`, `ReplacedAll a@3 b@6 at 10`, `Bookmark at 30`. */
    pushed: () => pushed.map(said),
    signal: controller.signal,
    stop: () => controller.abort(),
  };
}

/** Returns a reflector that has listed at version 10 and now watches. */
export async function watching(...watches: ScriptedWatch<ConfigMap>[]) {
  const reflected = reflect({ watches });
  const { sim, reflector, signal } = reflected;
  reflector.lastSyncResourceVersion = '10';
  const ended = begun(reflector.watch(signal));
  await sim.run({ forMs: 100 });
  return {
    ...reflected,
    ended,
    async stopped() {
      reflected.stop();
      await sim.settle(ended);
    },
  };
}

/** Returns a list without objects at this version. */
export const nothing = (resourceVersion: string): List<ConfigMap> => listOf(configMaps, resourceVersion, []);

/** Returns a watch event of one ConfigMap. */
export const event = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  resourceVersion: string,
): WatchEvent<ConfigMap> => ({ type, object: configMap(name, resourceVersion) });

/** Returns a bookmark at this version. */
export const bookmark = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion } },
});

/** Returns the bookmark that ends a streaming list at this version. */
export const initialEventsEnd = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { resourceVersion, annotations: { [INITIAL_EVENTS_END]: 'true' } },
  },
});

/** Returns an ERROR event of a stream. */
export const failure = (error: ReturnType<typeof errors.expired>): WatchEvent<ConfigMap> => ({
  type: 'ERROR',
  object: error.status,
});

/** Returns a stream that brings these events and then ends. */
export const ending = (...events: WatchEvent<ConfigMap>[]): ScriptedWatch<ConfigMap> => ({
  events,
  ends: true,
});

/** Returns a stream that brings these events and stays open. */
export const open = (...events: WatchEvent<ConfigMap>[]): ScriptedWatch<ConfigMap> => ({
  events,
  ends: false,
});

/** The answer of a server without streaming lists to a streaming list. */
export const noStreamingLists = errors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
  { reason: 'FieldValueForbidden', field: 'sendInitialEvents', message: 'the server has no streaming lists' },
]);
