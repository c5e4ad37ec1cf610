/** What the watchdog's thread is given when it starts. */
export interface WatchdogData {
  /** Word 0 is the heartbeat, word 1 is only waited upon, the rest carries the frames back as JSON. */
  readonly shared: SharedArrayBuffer;
  /** Silence, in milliseconds, after which the main thread is interrupted. */
  readonly limitMs: number;
  /** Only frames below this folder, and not below node_modules, are reported. */
  readonly root: string;
}

/** One frame of the interrupted stack, in the coordinates of the source as written. */
export interface Frame {
  readonly method: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/**
 * The body of the watchdog's thread: waits until the main thread's heart has been silent for `limitMs`,
 * then opens a debugger session on it, notes where it is, and terminates what it is executing.
 *
 * It is started from its own source text, because a worker cannot load TypeScript on every Node we support:
 * so it must not refer to anything outside itself.
 */
export function watchHeart({ shared, limitMs, root }: WatchdogData): void {
  const { Session } = process.getBuiltinModule('node:inspector');
  const { SourceMap } = process.getBuiltinModule('node:module');
  const tickMs = 100;
  const attemptsMax = 40;
  const beat = new Int32Array(shared, 0, 2);
  const text = new Uint8Array(shared, 8);

  // Silence is counted in ticks of this thread, not by the clock: on a loaded machine both threads starve alike.
  const watch = (): void => {
    let last = -1;
    let silentMs = 0;
    while (silentMs <= limitMs) {
      Atomics.wait(beat, 1, 0, tickMs);
      const now = Atomics.load(beat, 0);
      silentMs = now === last ? silentMs + tickMs : 0;
      last = now;
    }
    interrupt();
  };

  const interrupt = (): void => {
    const session = new Session();
    const scripts = new Map<string, { readonly url: string; readonly sourceMapURL?: string | undefined }>();
    let attempts = 0;
    session.connectToMainThread();
    // Code that even a debugger cannot stop must still not hang the run. The timer also keeps this thread alive.
    const lastResort = setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5_000);

    session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params));
    session.on('Debugger.paused', ({ params }) => {
      const own: Frame[] = params.callFrames
        .map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
          const script = scripts.get(scriptId);
          const at = original(script?.sourceMapURL ?? '', lineNumber, columnNumber);
          return { method: functionName, file: script?.url ?? '', ...at };
        })
        .filter(({ file }) => file.includes(root) && !file.includes('/node_modules/'));
      // A loop spends part of its time in Node's own code: resume and look again until it is in ours.
      if (own.length === 0 && attempts++ < attemptsMax) {
        session.post('Debugger.resume');
        setTimeout(() => session.post('Debugger.pause'), attempts % 5);
        return;
      }
      clearTimeout(lastResort);
      text.set(Buffer.from(JSON.stringify(own.slice(0, 5))).subarray(0, text.length - 1));
      session.post('Runtime.terminateExecution');
      session.post('Debugger.resume');
      session.post('Debugger.disable');
      // Disconnecting inside one of the inspector's own callbacks crashes about one process in ten.
      setTimeout(() => {
        session.disconnect();
        watch();
      }, 100);
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
