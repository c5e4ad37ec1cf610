import { type Clock, sleepOn } from '../sim/index.ts';

/** The longest timer; Node fires a longer one immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * The real time of the machine, for servers with real clients. Real timers are used only here and never in a
 * simulation.
 */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => sleepOn(realClock, ms, signal),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  },
};
