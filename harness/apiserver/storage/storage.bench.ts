/**
 * Compares sharing with copying. The storage returns frozen objects. The other store clones each object that it
 * receives, returns or sends to a watcher. A store must do that if clients may change its objects.
 */
import type { KubeObject, ObjectKey, Pod } from '../../api/objects.ts';
import { pods, type Resource } from '../../api/resource.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { forAtLeast, sideBySide, type Work } from '../../testing/side-by-side.ts';
import { runningPod } from './running-pod.fixture.ts';
import { Storage } from './storage.ts';
import { WatchCache } from './watch-cache.ts';

const PODS = 10_000;
const WATCHERS = 100;
const MEASURE_MS = 100;

/** The operations of the benchmark, on a store with {@link PODS} pods and on an empty one. */
interface Store {
  get(resource: Resource, key: ObjectKey): KubeObject | undefined;
  list(resource: Resource): KubeObject[];
  create(resource: Resource, object: KubeObject): KubeObject;
  update(resource: Resource, object: KubeObject, expected: string): KubeObject;
  /** Calls `send` for each change from now on. Returns a function that stops it. */
  watch(resource: Resource, send: (object: KubeObject) => void): () => void;
}

class SharingStore implements Store {
  readonly #storage = new Storage();
  readonly #cache = new WatchCache(this.#storage, new ManualClock(), () => undefined);

  get(resource: Resource, key: ObjectKey): KubeObject | undefined {
    return this.#storage.get(resource, key);
  }

  list(resource: Resource): KubeObject[] {
    return this.#storage.list(resource);
  }

  create(resource: Resource, object: KubeObject): KubeObject {
    return this.#storage.create(resource, object);
  }

  update(resource: Resource, object: KubeObject, expected: string): KubeObject {
    return this.#storage.update(resource, object, expected);
  }

  watch(resource: Resource, send: (object: KubeObject) => void): () => void {
    return this.#cache.watch(resource, {
      scope: {},
      matches: () => true,
      send: ({ object }) => send(object as KubeObject),
      end: () => {},
    });
  }
}

/** A store that copies every object need not freeze it, so this one does not pay for that. */
class CloningStore implements Store {
  readonly #objects = new Map<string, KubeObject>();
  readonly #watchers = new Set<(object: KubeObject) => void>();
  #revision = 0;

  get(_: Resource, { namespace, name }: ObjectKey): KubeObject | undefined {
    return structuredClone(this.#objects.get(`${namespace}/${name}`));
  }

  list(): KubeObject[] {
    return [...this.#objects.keys()]
      .sort()
      .map((key) => structuredClone(this.#objects.get(key) as KubeObject));
  }

  create(_: Resource, object: KubeObject): KubeObject {
    return this.#put(object);
  }

  update(_: Resource, object: KubeObject, expected: string): KubeObject {
    const { namespace, name } = object.metadata;
    const current = this.#objects.get(`${namespace}/${name}`);
    if (current?.metadata.resourceVersion !== expected) throw new Error('Conflict');
    return this.#put(object);
  }

  watch(_: Resource, send: (object: KubeObject) => void): () => void {
    this.#watchers.add(send);
    return () => this.#watchers.delete(send);
  }

  #put(object: KubeObject): KubeObject {
    const stored = structuredClone(object);
    stored.metadata.resourceVersion = String(++this.#revision);
    this.#objects.set(`${stored.metadata.namespace}/${stored.metadata.name}`, stored);
    for (const send of this.#watchers) send(structuredClone(stored));
    return structuredClone(stored);
  }
}

/** A store in the comparison. */
interface Contender {
  fresh(): Store;
  /** A store with {@link PODS} pods. */
  readonly full: Store;
}

sideBySide(`Storage, ${PODS.toLocaleString('en')} pods of ${(size(runningPod(0)) / 1000).toFixed(1)} KB`, {
  unit: 'objects',
  contenders: {
    structuredClone: () => contender(() => new CloningStore()),
    'shared and frozen': () => contender(() => new SharingStore()),
  },
  measures: {
    create,
    get,
    'compare-and-swap of the status': compareAndSwap,
    'list of all': list,
    [`one update told to ${WATCHERS} watchers`]: fanOut,
  },
});

function contender(fresh: () => Store): Contender {
  const full = fresh();
  for (let i = 0; i < PODS; i++) full.create(pods, runningPod(i));
  return { fresh, full };
}

function create({ fresh }: Contender): Work {
  const store = fresh();
  const objects = Array.from({ length: PODS }, (_, i) => runningPod(i));
  return () => {
    for (const object of objects) store.create(pods, object);
    return PODS;
  };
}

function get({ full }: Contender): Work {
  const keys = Array.from({ length: PODS }, (_, i) => key(i));
  return forAtLeast(MEASURE_MS, () => {
    for (const each of keys) full.get(pods, each);
    return PODS;
  });
}

function compareAndSwap({ full }: Contender): Work {
  const keys = Array.from({ length: 1_000 }, (_, i) => key(i));
  return forAtLeast(MEASURE_MS, () => {
    for (const each of keys) changeStatus(full, each);
    return keys.length;
  });
}

function list({ full }: Contender): Work {
  return forAtLeast(MEASURE_MS, () => full.list(pods).length);
}

function fanOut({ full }: Contender): Work {
  let told = 0;
  return () => {
    const stops = Array.from({ length: WATCHERS }, () => full.watch(pods, () => told++));
    for (let i = 0; i < 50; i++) changeStatus(full, key(i));
    for (const stop of stops) stop();
    return told;
  };
}

/** Updates a status as a kubelet does: reads, changes one field, and writes if no other client has written. */
function changeStatus(store: Store, key: ObjectKey): void {
  const old = store.get(pods, key) as Pod;
  const restarts = Number(old.status?.message ?? 0) + 1;
  const changed: Pod = { ...old, status: { ...old.status, message: String(restarts) } };
  store.update(pods, changed, old.metadata.resourceVersion);
}

function key(index: number): ObjectKey {
  return { namespace: 'default', name: `web-${index}` };
}

function size(object: object): number {
  return JSON.stringify(object).length;
}
