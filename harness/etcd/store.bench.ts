/**
 * Compares three stores of objects: the storage of a simulation, the reference's key-value store with a disk in memory,
 * and a real etcd through its JSON gateway. The value is a pod of 2.2 KB.
 */
import { bench } from 'vitest';
import type { KubeObject } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { encodeStored } from '../apiserver/mirror/stored-value.ts';
import { runningPod } from '../apiserver/storage/running-pod.fixture.ts';
import { Storage } from '../apiserver/storage/storage.ts';
import { WatchCache } from '../apiserver/storage/watch-cache.ts';
import type { Components } from '../contracts/component.ts';
import type { KeyValueStore } from '../contracts/store/index.ts';
import { MemoryLog } from '../contracts/store/memory-log.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { forAtLeast, sideBySide, type Work } from '../testing/side-by-side.ts';
import { etcdVersion, NO_ETCD, startEtcd } from './etcd.ts';
import { EtcdStore } from './etcd-store.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const PODS = 1_000;
/** Calls on their way at the same time, as over as many connections. */
const CALLS = 32;
const WATCHES = 32;
const WRITES = 100;
const MEASURE_MS = 100;

interface Store {
  /** Writes a pod, if nobody else has written it. */
  put(index: number): Promise<unknown>;
  get(index: number): Promise<unknown>;
  list(): number | Promise<number>;
  /** Counts the changes from now on. */
  watch(count: () => void): () => void;
}

const version = etcdVersion();

sideBySide<Store>(`Stores, ${PODS.toLocaleString('en')} pods, ${CALLS} calls at the same time`, {
  unit: 'operations',
  contenders: {
    'the storage of a simulation': () => filled(ourStorage()),
    'the reference, a disk in memory': async () => filled(keyValueStore(await reference())),
    ...(version && {
      [`etcd ${version}`]: async () =>
        filled(keyValueStore(new EtcdStore((await startEtcd({ syncs: true })).url))),
    }),
  },
  measures: {
    'compare and put': (store) => calling((index) => store.put(index)),
    get: (store) => calling((index) => store.get(index)),
    'list of all, in objects': (store) => forAtLeast(MEASURE_MS, () => store.list()),
    [`change to ${WATCHES} watches, in events`]: fanOut,
  },
});

if (!version) bench.skip(NO_ETCD, () => {});

async function filled(store: Store): Promise<Store> {
  for (let i = 0; i < PODS; i++) await store.put(i);
  return store;
}

function calling(call: (index: number) => Promise<unknown>): Work {
  return async () => {
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < PODS) await call(next++);
    };
    await Promise.all(Array.from({ length: CALLS }, caller));
    return PODS;
  };
}

function fanOut(store: Store): Work {
  return async () => {
    let seen = 0;
    let done = (): void => {};
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    const count = (): void => {
      if (++seen === WATCHES * WRITES) done();
    };
    const stops = Array.from({ length: WATCHES }, () => store.watch(count));
    for (let i = 0; i < WRITES; i++) await store.put(i);
    await all;
    for (const stop of stops) stop();
    return seen;
  };
}

function ourStorage(): Store {
  const storage = new Storage();
  const cache = new WatchCache(storage, new ManualClock(), () => undefined);
  const at = (index: number): KubeObject | undefined =>
    storage.get(pods, { namespace: 'default', name: `web-${index}` });
  return {
    async put(index) {
      const { resourceVersion } = at(index)?.metadata ?? {};
      if (resourceVersion === undefined) storage.create(pods, runningPod(index));
      else storage.update(pods, runningPod(index), resourceVersion);
    },
    get: async (index) => at(index),
    list: () => storage.list(pods).length,
    watch: (count) => cache.watch(pods, { scope: {}, matches: () => true, send: count, end: () => {} }),
  };
}

function reference(): Promise<KeyValueStore> {
  const clock = new ManualClock();
  return components.keyValueStore({ clock, log: new MemoryLog(), signal: new AbortController().signal });
}

const RANGE = { key: '/registry/pods/', end: '/registry/pods0' };

function keyValueStore(store: KeyValueStore): Store {
  const revisions = new Map<string, number>();
  const keyOf = (index: number): string => `/registry/pods/default/web-${index}`;
  return {
    async put(index) {
      const key = keyOf(index);
      const { revision, succeeded } = await store.transact({
        compare: [{ key, target: 'modRevision', is: '=', to: revisions.get(key) ?? 0 }],
        then: [{ put: { key, value: encodeStored(runningPod(index)) } }],
      });
      if (!succeeded) throw new Error(`The put of ${key} failed.`);
      revisions.set(key, revision);
    },
    get: (index) => store.range({ key: keyOf(index) }),
    list: async () => (await store.range(RANGE)).kvs.length,
    watch(count) {
      const watch = store.watch({ ...RANGE, startRevision: Math.max(0, ...revisions.values()) + 1 });
      void (async () => {
        for await (const { events } of watch) for (const _ of events) count();
      })();
      return () => watch.stop();
    },
  };
}
