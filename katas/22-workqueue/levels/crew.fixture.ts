/** Workers, their queue, and the possible failures of sync. */
import type { RateLimiter, WorkersOptions } from '#harness';
import { Simulation, soFar } from '#harness/testing';
import { newWorkQueue, processNextWorkItem, runWorkers } from '#kata/22-workqueue/workqueue';
import { begun } from './queue.fixture.ts';

/** Returns workers, a queue with a first wait of 10 ms, and a diary of the calls. */
export function crew(options: Partial<WorkersOptions<string>> = {}) {
  const sim = new Simulation();
  const controller = new AbortController();
  const rateLimiter = doubling();
  const queue = newWorkQueue<string>({ clock: sim.clock, rateLimiter });
  const diary: string[] = [];
  const { sync = async () => {}, ...rest } = options;
  const all: WorkersOptions<string> = {
    queue,
    workers: 1,
    signal: controller.signal,
    ...rest,
    sync: (item) => {
      diary.push(`${sim.elapsedMs} ${item}`);
      return sync(item);
    },
  };
  return {
    sim,
    queue,
    diary,
    signal: controller.signal,
    abort: () => controller.abort(),
    next: () => soFar(begun(processNextWorkItem(all)), sim),
    start: () => begun(runWorkers(all)),
  };
}

/** From 10 ms up to 1 s; not the learner's rate limiter, because these levels are about workers. */
function doubling(): RateLimiter<string> {
  const failures = new Map<string, number>();
  const numRequeues = (item: string): number => failures.get(item) ?? 0;
  return {
    when: (item) => {
      failures.set(item, numRequeues(item) + 1);
      return Math.min(10 * 2 ** (numRequeues(item) - 1), 1_000);
    },
    forget: (item) => void failures.delete(item),
    numRequeues,
  };
}

export const broken = new Error('broken');
/** The possible failures of sync; the first is an async function that throws. */
export const failures: readonly (readonly [string, () => Promise<void>])[] = [
  ['rejects', () => Promise.reject(broken)],
  [
    'throws instead of returning a promise',
    () => {
      throw broken;
    },
  ],
  ['rejects with nothing', () => Promise.reject()],
];

/**
 * Returns the rejections that no code catches meanwhile. Virtual time must pass, because Node reports them only then.
 */
export async function unhandledDuring(work: () => Promise<void>): Promise<unknown[]> {
  const left: unknown[] = [];
  const usual = process.listeners('unhandledRejection');
  const note = (error: unknown): void => {
    left.push(error);
  };
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  try {
    await work();
  } finally {
    process.off('unhandledRejection', note);
    for (const listener of usual) process.on('unhandledRejection', listener);
  }
  return left;
}
