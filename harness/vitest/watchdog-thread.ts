import type { Frame, Stall } from './stall.ts';

/** The start data of the watchdog's thread. */
export interface WatchdogData {
  /** Word 0 is the heartbeat, word 1 is only waited upon, and the rest carries the {@link Stall} back as JSON. */
  readonly shared: SharedArrayBuffer;
  /** The watchdog interrupts the main thread if it shows no sign of life for this time, in milliseconds. */
  readonly limitMs: number;
  /** Memory growth during a silence, in MB, that counts like a full silence of `limitMs`. */
  readonly growthMbMax: number;
  /** The maximum memory in any case, in MB, in a worker that has {@link lastWords}. */
  readonly memoryMbMax: number;
  /** Only frames below this folder, and not below node_modules, are reported. */
  readonly root: string;
  /**
   * The file for the stall before the process is killed: its pool reports the rest. `undefined`: the current code of
   * the main thread is terminated instead, and the thread goes on.
   */
  readonly lastWords: string | undefined;
}

/**
 * The body of the watchdog's thread. It waits until the main thread's heartbeat has been silent for `limitMs`, or the
 * memory grows too much. Then it opens a debugger session on the main thread, records its position, and ends its
 * current code.
 *
 * It starts from its own source text, because a worker cannot load TypeScript on every supported Node. So it must not
 * refer to anything outside itself.
 */
export function watchHeart(data: WatchdogData): void {
  const { shared, limitMs, growthMbMax, memoryMbMax, root, lastWords } = data;
  const { Session } = process.getBuiltinModule('node:inspector');
  const { SourceMap } = process.getBuiltinModule('node:module');
  const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
  const tickMs = 100;
  /** A shorter pause is not a silence: it may be a garbage collection or a busy machine. */
  const pauseMs = 200;
  /** Code that blocks the main thread while it sleeps counts as endless after this many times the limit. */
  const blockedFactor = 15;
  /** The maximum time for stopping the code, in the same unit. */
  const patienceMs = 15_000;
  const reminderMs = 50;
  const attemptsMax = 400;
  /** After this many attempts, any frame of the workbook is accepted. */
  const attemptsForLearners = 300;
  const beat = new Int32Array(shared, 0, 2);
  const text = new Uint8Array(shared, 8);
  const memoryMb = (): number => Math.round(process.memoryUsage.rss() / 1e6);

  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  /**
   * Does the main thread sleep, instead of waiting for its turn on a busy machine? The system's thread state decides
   * where it exists; otherwise the CPU time of the process must be close to zero.
   */
  const isAsleep = (computedMs: number): boolean => {
    try {
      const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'S';
    } catch {
      return computedMs < tickMs / 100;
    }
  };

  /**
   * Counts the CPU time of the process; call it once per tick. A tick counts a little even if the main thread sleeps:
   * otherwise, code that blocks it would go unnoticed. Wall-clock time does not count: correct code is slow on a busy machine.
   */
  const stopwatch = (): (() => number) => {
    const [cpuMs0, wallMs0] = [cpuMs(), performance.now()];
    let lastMs = cpuMs0;
    let asleepMs = 0;
    return () => {
      const nowMs = cpuMs();
      if (isAsleep(nowMs - lastMs)) asleepMs += tickMs;
      lastMs = nowMs;
      // Garbage collection uses several threads at once.
      const computedMs = Math.min(nowMs - cpuMs0, performance.now() - wallMs0);
      return Math.max(computedMs, asleepMs / blockedFactor);
    };
  };

  const watch = (): void => {
    let last = -1;
    let silence = stopwatch();
    let calmMb = memoryMb();
    for (;;) {
      Atomics.wait(beat, 1, 0, tickMs);
      const now = Atomics.load(beat, 0);
      const mb = memoryMb();
      const isAlive = now !== last;
      last = now;
      if (isAlive) {
        silence = stopwatch();
        calmMb = mb;
      }
      const silentMs = silence();
      const grownMb = mb - calmMb;
      const isHungry = silentMs >= pauseMs && grownMb > growthMbMax;
      const isFull = lastWords !== undefined && mb > memoryMbMax;
      if (silentMs > limitMs || isHungry || isFull) {
        const ms = isAlive ? 0 : Math.round(silentMs / tickMs) * tickMs;
        interrupt(Math.min(ms, limitMs), isFull && isAlive ? mb : grownMb);
        return;
      }
    }
  };

  const interrupt = (silentMs: number, grownMb: number): void => {
    const session = new Session();
    const scripts = new Map<string, { readonly url: string; readonly sourceMapURL?: string | undefined }>();
    let attempts = 0;
    let hasEnded = false;

    const end = (frames: readonly Frame[]): void => {
      hasEnded = true;
      clearInterval(lastResort);
      clearInterval(reminder);
      const stall: Stall = { silentMs, grownMb, frames: frames.slice(0, 8) };
      if (lastWords !== undefined) {
        appendFileSync(lastWords, `${JSON.stringify({ says: 'stalled', stall })}\n`);
        process.kill(process.pid, 'SIGKILL');
      }
      text.set(Buffer.from(JSON.stringify(stall)).subarray(0, text.length - 1));
      session.post('Runtime.terminateExecution');
      session.post('Debugger.resume');
      session.post('Debugger.disable');
      // Disconnecting inside one of the inspector's own callbacks crashes about one process in ten.
      setTimeout(() => {
        session.disconnect();
        watch();
      }, 100);
    };
    // Code that even a debugger cannot stop must still not hang the run. The timer also keeps this thread alive.
    const since = stopwatch();
    const lastResort = setInterval(() => {
      if (since() < patienceMs) return;
      if (lastWords !== undefined) end([]);
      process.kill(process.pid, 'SIGKILL');
    }, tickMs);

    // Between two functions there is nothing to pause, and the debugger sometimes loses a pending pause.
    const reminder = setInterval(() => session.post('Debugger.pause'), reminderMs);

    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params));
    session.on('Debugger.paused', ({ params }) => {
      // A pause that was requested before the end may arrive after it. A second report of the stall would count
      // against the next test.
      if (hasEnded) {
        session.post('Debugger.resume');
        return;
      }
      const own = params.callFrames.filter(({ location }) => {
        const url = scripts.get(location.scriptId)?.url ?? '';
        return url.includes(root) && !url.includes('/node_modules/');
      });
      const isLearners = own.some(({ location }) =>
        /\/(katas|solutions)\/\d\d-(?!.*\.test\.ts)/.test(scripts.get(location.scriptId)?.url ?? ''),
      );
      // A loop spends part of its time in code of Node and the harness: resume and look again until it is in the
      // learner's code.
      attempts++;
      if (attempts < attemptsMax && !isLearners && (own.length === 0 || attempts < attemptsForLearners)) {
        session.post('Debugger.resume');
        setTimeout(() => session.post('Debugger.pause'), attempts % 7);
        return;
      }
      end(
        own.map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
          const script = scripts.get(scriptId);
          const at = original(script?.sourceMapURL ?? '', lineNumber, columnNumber);
          return { method: functionName, file: script?.url ?? '', ...at };
        }),
      );
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  };

  /** Vite leaves the source map in the script, as base64. */
  const original = (sourceMapUrl: string, line: number, column: number) => {
    const [, base64] = /^data:[^,]*;base64,(.*)$/.exec(sourceMapUrl) ?? [];
    if (base64 === undefined) return { line: line + 1, column: column + 1 };
    const entry = new SourceMap(JSON.parse(Buffer.from(base64, 'base64').toString())).findEntry(line, column);
    return 'originalLine' in entry
      ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : { line: line + 1, column: column + 1 };
  };

  watch();
}
