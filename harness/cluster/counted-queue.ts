import type { RateLimitingWorkQueue } from '../contracts/work-queue.ts';
import type { Simulation } from '../sim/index.ts';
import type { QueueContents } from './queue-contents.ts';

/**
 * Wraps a queue. If an item is handed out again and again while no virtual time passes, the run ends with `HotLoop`.
 * The error names the function that adds the item. No other check could: a queue that hands out an added item at once
 * takes no turn of the simulation.
 *
 * @param actor the process that owns the queue
 * @param contents records the items of the queue
 */
export function countedQueue<T>(
  queue: RateLimitingWorkQueue<T>,
  sim: Simulation,
  actor: string,
  contents: QueueContents<T>,
): RateLimitingWorkQueue<T> {
  const say = (item: T): string => JSON.stringify(item);
  const asked = (item: T, method: string, ...more: readonly number[]): void => {
    // A queue compares items as a `Map` does. Only strings can be compared by their JSON.
    if (typeof item !== 'string') return;
    sim.asked(actor, say(item), () => `${method}(${[say(item), ...more].join(', ')})`);
  };
  let isHot = false;
  return {
    add: (item) => {
      asked(item, 'add');
      contents.added(item);
      queue.add(item);
    },
    addAfter: (item, delayMs) => {
      asked(item, 'addAfter', delayMs);
      contents.addedAfter(item, delayMs);
      queue.addAfter(item, delayMs);
    },
    addRateLimited: (item) => {
      asked(item, 'addRateLimited');
      contents.retried(item);
      queue.addRateLimited(item);
    },
    get: () => {
      if (isHot) return new Promise(() => {});
      const got = queue.get();
      // Count in parallel, so that counting does not delay the caller.
      got.then(
        (item) => {
          if (item === undefined) return;
          contents.taken(item);
          if (typeof item === 'string') isHot ||= sim.handOut(actor, say(item));
        },
        () => {},
      );
      return got;
    },
    len: () => queue.len(),
    done: (item) => {
      contents.done(item);
      queue.done(item);
    },
    forget: (item) => queue.forget(item),
    numRequeues: (item) => queue.numRequeues(item),
    shutDown: () => queue.shutDown(),
    shutDownWithDrain: () => queue.shutDownWithDrain(),
    shuttingDown: () => queue.shuttingDown(),
  };
}
