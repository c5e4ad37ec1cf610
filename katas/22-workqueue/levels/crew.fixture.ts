/** Workers, what they work on, and how their work can fail. */
import type { RateLimiter, WorkersOptions } from '#harness';
import { Simulation, soFar } from '#harness/testing';
import { newWorkQueue, processNextWorkItem, runWorkers } from '#kata/22-workqueue/workqueue';
import { begun } from './queue.fixture.ts';

/** A queue that lets a failing item wait 10 ms at first, and workers for it, with a diary of what they do. */
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
    abort: () => controller.abort(),
    next: () => soFar(begun(processNextWorkItem(all)), sim),
    start: () => begun(runWorkers(all)),
  };
}

/** From 10 ms up to 1 s. Not the learner's: these levels are about workers. */
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
/** What a failing sync can do: the first is what an async function does that throws. */
export const failures: readonly (readonly [string, () => Promise<void>])[] = [
  ['rejects', () => Promise.reject(broken)],
  [
    'throws before it has a promise to give',
    () => {
      throw broken;
    },
  ],
  ['rejects with nothing', () => Promise.reject()],
];

/** What is rejected meanwhile and caught by nothing. Time of a simulation must pass: Node tells of it only then. */
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
