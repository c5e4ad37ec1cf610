import { type Clock, sleepOn } from '../sim/index.ts';

/** A longer timer would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * The machine's own time, for servers that real clients talk to. This is the one place where real timers are used;
 * in a simulation they have no business.
 */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleepOn(realClock, ms, signal),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};
