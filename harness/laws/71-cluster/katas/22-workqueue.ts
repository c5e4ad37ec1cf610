import type { Components } from '../../../contracts/component.ts';
import { ItemBackoff } from '../../../contracts/item-backoff.ts';
import type {
  NewWorkQueue,
  RateLimiter,
  RateLimitingWorkQueue,
  RunWorkers,
  WorkersOptions,
} from '../../../contracts/work-queue.ts';
import type { Event, HistoryEntry, Item, WorkQueueHistory } from '../../22-workqueue/history.ts';
import { workQueueLaws } from '../../22-workqueue/index.ts';
import type { Pool, WorkQueueScenario } from '../../22-workqueue/scenario/index.ts';
import type { ClusterHistory } from '../history.ts';
import { endOf, Incarnation } from './incarnation.ts';
import type { KataInCluster, Observer } from './kata.ts';
import { ofEach, type Part } from './parts.ts';

/** The calls of a queue, and the calls of `sync`. */
type Call = HistoryEntry & { readonly byWorkers: boolean };

/** A queue of a process, its workers, and the record of their calls. */
class QueueRecorder {
  readonly incarnation: Incarnation;
  readonly limits: WorkQueueScenario['limits'] | undefined;
  readonly calls: Call[] = [];
  pool: Pool | undefined;
  readonly #isAsked: (recorder: QueueRecorder) => void;
  /** Whether `runWorkers` is calling the queue at this moment. */
  #byWorkers = false;
  /** The names of the workers that wait in get or have an item. */
  readonly #busy = new Set<string>();
  readonly #hands = new Map<Item, string>();

  /** @param isAsked called when somebody asks the queue for its length */
  constructor(
    incarnation: Incarnation,
    rateLimiter: RateLimiter<never> | undefined,
    isAsked: (recorder: QueueRecorder) => void,
  ) {
    this.incarnation = incarnation;
    this.limits = limitsOf(rateLimiter);
    this.#isAsked = isAsked;
  }

  /** Returns the queue that the process gets. */
  observed(queue: RateLimitingWorkQueue<Item>): RateLimitingWorkQueue<Item> {
    const by = (): string => (this.#byWorkers ? 'a worker' : this.incarnation.process);
    return {
      add: (item) => {
        this.#record({ kind: 'add', by: by(), item });
        queue.add(item);
      },
      addAfter: (item, delayMs) => {
        this.#record({ kind: 'addAfter', by: by(), item, delayMs });
        queue.addAfter(item, delayMs);
      },
      addRateLimited: (item) => {
        this.#record({ kind: 'addRateLimited', by: by(), item });
        queue.addRateLimited(item);
      },
      forget: (item) => {
        this.#record({ kind: 'forget', by: by(), item });
        queue.forget(item);
      },
      numRequeues: (item) => {
        const count = queue.numRequeues(item);
        this.#record({ kind: 'requeues', item, count });
        return count;
      },
      get: () => this.#get(queue),
      done: (item) => {
        const worker = this.#hands.get(item);
        if (worker !== undefined) this.#record({ kind: 'done', worker, item });
        this.#hands.delete(item);
        this.#busy.delete(worker ?? '');
        queue.done(item);
      },
      len: () => {
        this.#isAsked(this);
        return queue.len();
      },
      shutDown: () => {
        this.#record({ kind: 'shutDown' });
        queue.shutDown();
      },
      shutDownWithDrain: () => queue.shutDownWithDrain(),
      shuttingDown: () => queue.shuttingDown(),
    };
  }

  /** Returns the options for the workers of this queue. */
  employ(options: WorkersOptions<Item>): WorkersOptions<Item> {
    const { queue, workers, maxRetries, sync, onError } = options;
    const listener = onError ? 'listens' : 'absent';
    this.pool = { workers, listener, attempts: {}, ...(maxRetries !== undefined && { maxRetries }) };
    this.#record({ kind: 'employ' });
    return {
      ...options,
      queue: this.#forWorkers(queue),
      sync: (item) => this.#sync(item, sync),
      ...(onError && {
        onError: (error, item) => {
          this.#record({ kind: 'told', item, error });
          return onError(error, item);
        },
      }),
    };
  }

  /** Returns a queue whose calls count as those of workers. */
  #forWorkers(queue: RateLimitingWorkQueue<Item>): RateLimitingWorkQueue<Item> {
    const during = <R>(call: () => R): R => {
      this.#byWorkers = true;
      try {
        return call();
      } finally {
        this.#byWorkers = false;
      }
    };
    return {
      add: (item) => during(() => queue.add(item)),
      addAfter: (item, delayMs) => during(() => queue.addAfter(item, delayMs)),
      addRateLimited: (item) => during(() => queue.addRateLimited(item)),
      forget: (item) => during(() => queue.forget(item)),
      numRequeues: (item) => during(() => queue.numRequeues(item)),
      get: () => during(() => queue.get()),
      done: (item) => during(() => queue.done(item)),
      len: () => during(() => queue.len()),
      shutDown: () => during(() => queue.shutDown()),
      shutDownWithDrain: () => during(() => queue.shutDownWithDrain()),
      shuttingDown: () => during(() => queue.shuttingDown()),
    };
  }

  /** Not an async function: a sync that throws must throw synchronously. */
  #sync(item: Item, sync: (item: Item) => Promise<void>): Promise<void> {
    this.#record({ kind: 'begin', item });
    const failed = (error: unknown): never => {
      this.#record({ kind: 'failure', item, error });
      throw error;
    };
    try {
      return sync(item).then(() => this.#record({ kind: 'success', item }), failed);
    } catch (error) {
      return failed(error);
    }
  }

  #get(queue: RateLimitingWorkQueue<Item>): Promise<Item | undefined> {
    let number = 1;
    while (this.#busy.has(`worker ${number}`)) number++;
    const worker = `worker ${number}`;
    this.#busy.add(worker);
    this.#record({ kind: 'ask', worker });
    const got = queue.get();
    // Record in parallel, so that the record does not delay the caller.
    got.then(
      (item) => {
        if (item === undefined) return this.#record({ kind: 'end', worker });
        this.#hands.set(item, worker);
        this.#record({ kind: 'got', worker, item });
      },
      () => {},
    );
    return got;
  }

  #record(event: Event): void {
    const atMs = this.incarnation.elapsedMs;
    this.calls.push({ ...event, atMs, byWorkers: this.#byWorkers } as Call);
  }
}

/** Returns the limits that the oracle knows; undefined for another rate limiter. */
function limitsOf(rateLimiter: RateLimiter<never> | undefined): WorkQueueScenario['limits'] | undefined {
  if (rateLimiter === undefined) return 'default';
  if (!(rateLimiter instanceof ItemBackoff)) return undefined;
  const { baseMs, maxMs } = rateLimiter;
  return { exponential: { baseDelayMs: baseMs, maxDelayMs: maxMs } };
}

/** A queue, and all calls until the end of the history. */
type ObservedQueue = Pick<QueueRecorder, 'incarnation' | 'limits' | 'pool' | 'calls'>;

/** Records each queue of each process, and its workers. */
class QueueObserver implements Observer {
  readonly #recorders: QueueRecorder[] = [];
  #lastAsked: QueueRecorder | undefined;

  /** A copy of the records. */
  get observed(): readonly ObservedQueue[] {
    return this.#recorders.map(({ incarnation, limits, pool, calls }) => ({
      incarnation,
      limits,
      pool,
      calls: [...calls],
    }));
  }

  wrap(components: Partial<Components>): Partial<Components> {
    const { workQueue: create, workers: run } = components;
    if (!create || !run) return components;
    const workQueue: NewWorkQueue = <T>(options: Parameters<typeof create<T>>[0]) => {
      const { clock, rateLimiter } = options;
      const recorder = new QueueRecorder(new Incarnation(clock), rateLimiter, (asked) => {
        this.#lastAsked = asked;
      });
      this.#recorders.push(recorder);
      const queue = create<T>(options) as unknown as RateLimitingWorkQueue<Item>;
      return recorder.observed(queue) as unknown as RateLimitingWorkQueue<T>;
    };
    const workers: RunWorkers = <T>(options: WorkersOptions<T>) => {
      // The process has wrapped the queue. The queue that answers is the one below.
      options.queue.len();
      const recorder = this.#lastAsked;
      if (!recorder || recorder.pool) return run(options);
      return run(recorder.employ(options as unknown as WorkersOptions<Item>));
    };
    return { ...components, workQueue, workers };
  }
}

const prepared = new WeakMap<ClusterHistory, readonly Part<WorkQueueHistory>[]>();

/**
 * Returns two histories of each queue. One has the calls of the queue, whoever makes them: it judges the queue. The
 * other has only the calls of the process, and those of `sync`: it judges the workers.
 */
function queuesOf(history: ClusterHistory): readonly Part<WorkQueueHistory>[] {
  const known = prepared.get(history);
  if (known) return known;
  const all = (history.observed.get('22-workqueue') ?? []) as readonly ObservedQueue[];
  const parts = all.flatMap((queue, i): readonly Part<WorkQueueHistory>[] => {
    const { pool, limits, incarnation } = queue;
    if (!pool || !limits) return [];
    const name = `queue ${i + 1}, of ${incarnation.process}`;
    const scenario = {
      limits,
      ...history.scenario,
      producers: [],
      ending: { how: 'abort' },
      quietAtMs: 0,
    } as const;
    return [
      {
        name,
        history: {
          ...history,
          scenario: { ...scenario, staff: [] },
          entries: until(history, queue, isOfQueue),
        },
      },
      {
        name,
        history: {
          ...history,
          scenario: { ...scenario, staff: pool },
          entries: until(history, queue, isOfPool),
        },
      },
    ];
  });
  prepared.set(history, parts);
  return parts;
}

/** Returns the calls of a kind until the end of the incarnation. */
function until(
  history: ClusterHistory,
  { incarnation, calls }: ObservedQueue,
  isOne: (call: Call) => boolean,
): readonly HistoryEntry[] {
  const { atMs } = endOf(history, incarnation);
  return [...calls.filter((call) => call.atMs < atMs && isOne(call)), { kind: 'cut', atMs }];
}

const OF_QUEUE: ReadonlySet<HistoryEntry['kind']> = new Set([
  ...(['add', 'addAfter', 'addRateLimited', 'forget', 'requeues'] as const),
  ...(['ask', 'got', 'done', 'end', 'shutDown'] as const),
]);
const OF_WORKERS: ReadonlySet<HistoryEntry['kind']> = new Set(['ask', 'got', 'done', 'end']);

function isOfQueue({ kind }: Call): boolean {
  return OF_QUEUE.has(kind);
}

function isOfPool({ kind, byWorkers }: Call): boolean {
  return !byWorkers && !OF_WORKERS.has(kind);
}

const { stingy, fair, deduplicating, lossless, reentrant, patient, backsOff, forgets } = workQueueLaws;
const { bounded, persistent, forgives, givesUp, reportsFailures } = workQueueLaws;
const each = ofEach(queuesOf);

const NEVER_ENDS = 'every process of a cluster crashes or runs on, so no queue is shut down';

/** The laws of kata 22 for each queue of each process, and for its workers. */
export const workqueue: KataInCluster = {
  kata: '22-workqueue',
  observer: () => new QueueObserver(),
  laws: {
    stingy: each(stingy),
    fair: each(fair),
    deduplicating: each(deduplicating),
    lossless: each(lossless),
    reentrant: each(reentrant),
    patient: each(patient),
    backsOff: each(backsOff),
    forgets: each(forgets),
    throttled: each(workQueueLaws.throttled),
    bounded: each(bounded),
    persistent: each(persistent),
    forgives: each(forgives),
    givesUp: each(givesUp),
    reportsFailures: each(reportsFailures),
  },
  leftOut: {
    counts: 'no component of a cluster asks a queue for its length',
    closes: NEVER_ENDS,
    stops: NEVER_ENDS,
    endsClean: NEVER_ENDS,
    drains: NEVER_ENDS,
    unkillable: 'no component of a cluster adds one item for each worker at once',
  },
};
