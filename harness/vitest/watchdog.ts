import inspector from 'node:inspector';
import { clearInterval, setImmediate, setInterval, setTimeout } from 'node:timers';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ownLastWords } from './last-words.ts';
import { errorOf, NeverEnded, type Stall, Undecided } from './stall.ts';
import { type WatchdogData, watchHeart } from './watchdog-thread.ts';

/** The limits of a watched run. No limit counts wall-clock time: a busy machine proves nothing. */
export interface WatchLimits {
  /** CPU time of this process, in ms. A run that takes more ends without a verdict. */
  readonly cpuMs: number;
  /**
   * How long the process may be idle while the run is pending, in ms. A run that waits for other processes needs a
   * generous limit.
   */
  readonly idleMs: number;
  /** Once this returns true, the run has failed, and it gets one more second to finish. */
  readonly isRed?: () => boolean;
}

/**
 * Runs `run` and settles as it does, unless it stops making progress: nothing in Vitest ends a loop that never
 * reaches the event loop.
 *
 * The watchdog interrupts a run that computes for `KATA_STALL_MS` (default 2000) without a turn of the event loop, or that
 * takes very much memory meanwhile. In a worker of the guarded pool this ends the process, and the pool reports the rest.
 *
 * @throws NeverYielded elsewhere, with the stack that was interrupted. The watchdog has terminated that code.
 * @throws NeverEnded when the process had nothing to do for `idleMs`. The run is still pending: the process is soiled.
 * @throws Undecided when the run took `cpuMs`. It still goes on: the process is soiled.
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
    // On a new stack, so that termination loses only the frames of the run.
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
  // A loader that keeps function names calls this at each definition.
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

/** Reports a file that spins while it loads, and gives the worker up: the file can never be loaded. */
function dieOf(stall: Error): void {
  Promise.reject(stall);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
}

/** Calls `late` once when the run exceeds a limit; returns the function that stops the timers. */
function timeSettling(limits: WatchLimits, late: (e: Error) => void) {
  const { cpuMs, idleMs, isRed = () => false } = limits;
  const redMsMax = 1_000;
  const tickMs = 100;
  const idleShare = 0.9;
  // Most tests end before the first tick. Reading the CPU time takes a system call.
  let begunMs: number | undefined;
  let silentMs = 0;
  let redMs = 0;
  let mark = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, mark);
    mark = now;
    begunMs ??= computedMs();
    silentMs = utilization < 1 - idleShare && !awaitsTheSystem() ? silentMs + tickMs : 0;
    if (isRed()) redMs += tickMs;
    if (redMs > redMsMax) {
      late(new NeverEnded('it has already failed, but is still running'));
    } else if (silentMs >= idleMs) {
      late(new NeverEnded('it awaits a promise that nothing is left to resolve'));
    } else if (computedMs() - begunMs >= cpuMs) {
      late(new Undecided(cpuMs));
    } else return;
    clearInterval(timer);
  }, tickMs);
  return () => clearInterval(timer);
}

/** Does the process wait for the file system or for DNS, which may be slow on a busy machine? */
export function awaitsTheSystem(): boolean {
  return process.getActiveResourcesInfo().some((name) => /Req/.test(name));
}

/** Returns the CPU time that this process has used, in ms. */
function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
