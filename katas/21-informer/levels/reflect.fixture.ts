import {
  type ConfigMap,
  configMaps,
  type Delta,
  errors,
  INITIAL_EVENTS_END,
  type List,
  ListerWatcher,
  type ListOptions,
  type WatchEvent,
} from '#harness';
import { noteCaught, Simulation, seededRandom } from '#harness/testing';
import { Reflector } from '#kata/21-informer/informer';
import { configMap, listOf, ScriptedServer, type ScriptedWatch } from '#laws/21-informer';
import { said } from './deltas.fixture.ts';

/** What the reflector of a test waits before it tries again. */
export const BACKOFF_MS = 800;

/** Lets a promise fail before it is awaited: what comes of it is looked at later. */
export function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A reflector that fills a list of deltas, against a server that says what the test tells it to say. */
export function reflect(
  script: {
    list?: (options: ListOptions) => List<ConfigMap>;
    /** Answers to watches and streaming lists, in order. After them, a stream stays open and silent. */
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
    /** What was asked: `list 0`, `watch 10`, and `stream 10` for a streaming list. The newest is `""`. */
    requests: () =>
      server.asked.map(({ verb, resourceVersion, options }) => {
        const isStream = 'sendInitialEvents' in options && options.sendInitialEvents;
        return `${isStream ? 'stream' : verb} ${resourceVersion || '""'}`;
      }),
    /** What was pushed, in words: `Added a@11`, `ReplacedAll a@3 b@6 at 10`, `Bookmark at 30`. */
    pushed: () => pushed.map(said),
    signal: controller.signal,
    stop: () => controller.abort(),
  };
}

/** A reflector that has listed at version 10 and now watches. */
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

/** A list without objects, at this version. */
export const nothing = (resourceVersion: string): List<ConfigMap> => listOf(configMaps, resourceVersion, []);

/** What a watch reports of one ConfigMap. */
export const event = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  resourceVersion: string,
): WatchEvent<ConfigMap> => ({ type, object: configMap(name, resourceVersion) });

/** Nothing happened up to this version. */
export const bookmark = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion } },
});

/** The bookmark that ends a streaming list at this version. */
export const initialEventsEnd = (resourceVersion: string): WatchEvent<ConfigMap> => ({
  type: 'BOOKMARK',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { resourceVersion, annotations: { [INITIAL_EVENTS_END]: 'true' } },
  },
});

/** What the server reports within a stream. */
export const failure = (error: ReturnType<typeof errors.expired>): WatchEvent<ConfigMap> => ({
  type: 'ERROR',
  object: error.status,
});

/** A stream that brings these events and then ends. */
export const ending = (...events: WatchEvent<ConfigMap>[]): ScriptedWatch<ConfigMap> => ({
  events,
  ends: true,
});

/** A stream that brings these events and stays open. */
export const open = (...events: WatchEvent<ConfigMap>[]): ScriptedWatch<ConfigMap> => ({
  events,
  ends: false,
});

/** What a server without streaming lists answers to one. */
export const noStreamingLists = errors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
  { reason: 'FieldValueForbidden', field: 'sendInitialEvents', message: 'the server has no streaming lists' },
]);
