import type { RateLimitingWorkQueue } from '../contracts/work-queue.ts';
import type { Simulation } from '../sim/index.ts';

/**
 * A queue as it was, except that an item which is handed out again and again while no virtual time passes ends the run with
 * `HotLoop`, which says who adds it. Nothing else could: a queue that hands out at once what was added takes no turn of the
 * simulation.
 *
 * @param actor the process whose queue it is
 */
export function countedQueue<T>(
  queue: RateLimitingWorkQueue<T>,
  sim: Simulation,
  actor: string,
): RateLimitingWorkQueue<T> {
  const say = (item: T): string => JSON.stringify(item);
  const asked = (item: T, method: string, ...more: readonly number[]): void => {
    // Items are the same if a `Map` says so. Only of texts is that what is written of them.
    if (typeof item !== 'string') return;
    sim.asked(actor, say(item), () => `${method}(${[say(item), ...more].join(', ')})`);
  };
  let isHot = false;
  return {
    add: (item) => {
      asked(item, 'add');
      queue.add(item);
    },
    addAfter: (item, delayMs) => {
      asked(item, 'addAfter', delayMs);
      queue.addAfter(item, delayMs);
    },
    addRateLimited: (item) => {
      asked(item, 'addRateLimited');
      queue.addRateLimited(item);
    },
    get: () => {
      if (isHot) return new Promise(() => {});
      const got = queue.get();
      // Beside the one who waits, and not before it: what is counted comes no later.
      got.then(
        (item) => {
          if (typeof item === 'string') isHot ||= sim.handOut(actor, say(item));
        },
        () => {},
      );
      return got;
    },
    len: () => queue.len(),
    done: (item) => queue.done(item),
    forget: (item) => queue.forget(item),
    numRequeues: (item) => queue.numRequeues(item),
    shutDown: () => queue.shutDown(),
    shutDownWithDrain: () => queue.shutDownWithDrain(),
    shuttingDown: () => queue.shuttingDown(),
  };
}
