import inspector from 'node:inspector';
import { clearInterval, setImmediate, setInterval, setTimeout } from 'node:timers';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ownLastWords } from './last-words.ts';
import { errorOf, NeverEnded, type Stall } from './stall.ts';
import { type WatchdogData, watchHeart } from './watchdog-thread.ts';

/** How long a watched run may keep quiet, in real milliseconds. */
export interface WatchLimits {
  /** Longest the whole run may take. */
  readonly totalMs: number;
  /**
   * Longest the process may have nothing whatever to do while the run is pending.
   * Leave it out for runs that wait for real input and output.
   */
  readonly idleMs?: number;
  /** Once this is true the run is red, whatever it does: it has a second more to come to its end. */
  readonly isRed?: () => boolean;
}

/**
 * Runs `run` and settles as it does, unless it stops making progress: nothing in Vitest ends a loop that never
 * reaches the event loop.
 *
 * A run of `KATA_STALL_MS` (default 2000) without a turn of the event loop is interrupted, and so is one that takes very much
 * memory meanwhile. In a worker of the guarded pool it is the end of the process, and the pool tells the rest.
 *
 * @throws NeverYielded elsewhere; the stack is the one that was interrupted. What it was executing has been terminated.
 * @throws NeverEnded when the process idled for `idleMs`, or `totalMs` went by. What it was waiting for is
 * still pending: treat the process as soiled.
 */
export function watched(run: () => Promise<unknown>, limits: WatchLimits): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const outer = dog.onStall;
    const stopTiming = timeSettling(limits, reject);
    const finish = (): void => {
      dog.onStall = outer;
      stopTiming();
    };
    dog.onStall = (stall) => {
      finish();
      reject(stall);
    };
    // On a stack of its own, so that termination loses only the frames of the run.
    setImmediate(() => {
      run().then(
        () => {
          finish();
          resolve();
        },
        (error: unknown) => {
          finish();
          reject(error);
        },
      );
    });
  });
}

interface Dog {
  onStall: ((stall: Error) => void) | undefined;
}

// One thread per process, however many test files the process is given.
const kennel = globalThis as { [key: symbol]: Dog | undefined };
const key = Symbol.for('kubernetes-katas/watchdog');
kennel[key] ??= unleash();
const dog: Dog = kennel[key];

function unleash(): Dog {
  const self: Dog = { onStall: undefined };
  // A person at a breakpoint is silent for longer than any loop.
  if (inspector.url() !== undefined) return self;
  const limitMs = Number(process.env.KATA_STALL_MS ?? 2_000);
  const shared = new SharedArrayBuffer(8_192);
  const beat = new Int32Array(shared, 0, 1);
  const text = new Uint8Array(shared, 8);
  const heapMbMax = getHeapStatistics().heap_size_limit / 1e6;
  const workerData: WatchdogData = {
    shared,
    limitMs,
    growthMbMax: Math.min(1_000, heapMbMax / 4),
    memoryMbMax: heapMbMax * 0.75,
    root: process.cwd(),
    lastWords: ownLastWords,
  };
  // A loader that keeps the names of functions calls this where it defines one.
  const source = `const __name = (one) => one; (${watchHeart})(process.getBuiltinModule('node:worker_threads').workerData)`;
  new Worker(source, { eval: true, execArgv: [], workerData }).unref();

  setInterval(() => {
    Atomics.add(beat, 0, 1);
    const length = text.indexOf(0);
    if (length === 0) return;
    const stall = errorOf(JSON.parse(new TextDecoder().decode(text.slice(0, length))) as Stall);
    text.fill(0);
    if (self.onStall) self.onStall(stall);
    else dieOf(stall);
  }, 50).unref();
  return self;
}

/** A file that spins while it loads can never be loaded: say so on the ordinary way, then give the worker up. */
function dieOf(stall: Error): void {
  Promise.reject(stall);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
}

/** Calls `late` once when the limits are passed; returns the function that stops counting. */
function timeSettling(limits: WatchLimits, late: (e: Error) => void) {
  const { totalMs, idleMs = Number.POSITIVE_INFINITY, isRed = () => false } = limits;
  const redMsMax = 1_000;
  const tickMs = 100;
  const idleShare = 0.9;
  let elapsedMs = 0;
  let silentMs = 0;
  let redMs = 0;
  let mark = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, mark);
    mark = now;
    elapsedMs += tickMs;
    silentMs = utilization < 1 - idleShare ? silentMs + tickMs : 0;
    if (isRed()) redMs += tickMs;
    if (redMs > redMsMax) {
      late(new NeverEnded('it is red already, and goes on'));
    } else if (silentMs >= idleMs) {
      late(new NeverEnded('it awaits a promise that nothing is left to resolve'));
    } else if (elapsedMs >= totalMs) {
      late(new NeverEnded(`it was still going after ${totalMs / 1000} s`));
    } else return;
    clearInterval(timer);
  }, tickMs);
  return () => clearInterval(timer);
}
