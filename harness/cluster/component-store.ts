import type { MirrorOptions } from '../apiserver/mirror/mirrored-storage.ts';
import type { Components } from '../contracts/component.ts';
import type { KeyValueStore, KeyWatch, LogFile, NewKeyValueStore } from '../contracts/store/index.ts';
import { MemoryLog } from '../contracts/store/memory-log.ts';

/** The store of a cluster's objects. */
export interface ClusterStore {
  /** Opens the store. It ends when the signal aborts. */
  open(context: Pick<MirrorOptions, 'clock' | 'signal'>): Promise<KeyValueStore>;
  /** Whether its answers come from outside of the simulation, and take real time. @defaultValue false */
  readonly isOutside?: boolean;
}

/**
 * Runs the component `keyValueStore` as the store of a cluster, with a disk in memory.
 *
 * A component that is replaced takes effect at the next request: the old one ends, and the new one starts with the disk
 * of the old one, like a restarted etcd.
 *
 * @param components - the components of the cluster, which can be replaced while it runs
 */
export function componentStore(
  components: Pick<Components, 'keyValueStore'>,
  log: LogFile = new MemoryLog(),
): ClusterStore {
  return {
    async open({ clock, signal }) {
      const store = new RestartingStore((open, running) => open({ clock, log, signal: running }), signal);
      const newest = () => store.running(components.keyValueStore);
      await newest();
      return {
        range: async (request) => (await newest()).during((now) => now.range(request)),
        transact: async (transaction) => (await newest()).during((now) => now.transact(transaction)),
        compact: async (revision) => (await newest()).during((now) => now.compact(revision)),
        grantLease: async (seconds) => (await newest()).during((now) => now.grantLease(seconds)),
        revokeLease: async (id) => (await newest()).during((now) => now.revokeLease(id)),
        watch: (request) => watchOf(newest(), (now) => now.watch(request)),
      };
    },
  };
}

/** One run of a store. */
interface Run {
  readonly store: KeyValueStore;
  /** Calls the store. @throws Error when the run ends before it has answered */
  during<T>(call: (store: KeyValueStore) => Promise<T>): Promise<T>;
}

/** Runs one store after the other. */
class RestartingStore {
  readonly #start: (open: NewKeyValueStore, signal: AbortSignal) => Promise<KeyValueStore>;
  readonly #signal: AbortSignal;
  #component: NewKeyValueStore | undefined;
  #ending = new AbortController();
  #run: Promise<Run> = Promise.reject(new Error(STOPPED));

  constructor(
    start: (open: NewKeyValueStore, signal: AbortSignal) => Promise<KeyValueStore>,
    signal: AbortSignal,
  ) {
    this.#start = start;
    this.#signal = signal;
    this.#run.catch(() => {});
  }

  /** Returns the run of a component. Starts it, if another one is running. */
  running(component: NewKeyValueStore): Promise<Run> {
    if (component === this.#component) return this.#run;
    this.#component = component;
    this.#ending.abort();
    const ending = new AbortController();
    this.#ending = ending;
    this.#signal.addEventListener('abort', () => ending.abort(), { once: true, signal: ending.signal });
    this.#run = this.#start(component, ending.signal).then((store) => runOf(store, ending.signal));
    return this.#run;
  }
}

/** Upstream: etcd-io/etcd@v3.6.0 api/v3rpc/rpctypes/error.go ErrGRPCStopped */
const STOPPED = 'etcdserver: server stopped';

function runOf(store: KeyValueStore, signal: AbortSignal): Run {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(STOPPED)), { once: true });
  });
  stopped.catch(() => {});
  return { store, during: (call) => Promise.race([call(store), stopped]) };
}

/** Returns a watch that begins when the store runs, and ends with this run. */
function watchOf(running: Promise<Run>, watch: (store: KeyValueStore) => KeyWatch): KeyWatch {
  const opening = running.then(({ store }) => watch(store));
  const whenOpen = (act: (opened: KeyWatch) => void): void => void opening.then(act, () => {});
  return {
    requestProgress: () => whenOpen((opened) => opened.requestProgress()),
    stop: () => whenOpen((opened) => opened.stop()),
    async *[Symbol.asyncIterator]() {
      const { during } = await running;
      const responses = (await opening)[Symbol.asyncIterator]();
      for (;;) {
        const next = await during(() => responses.next()).catch(() => undefined);
        if (!next || next.done) return;
        yield next.value;
      }
    },
  };
}
