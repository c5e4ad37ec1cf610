import { readFileSync } from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';
import { withoutComments } from '../workbook/sources.ts';
import { note, plain } from './last-words.ts';
import { answerIn } from './rpc-message.ts';
import { NeverLoaded } from './stall.ts';
import { awaitsTheSystem } from './watchdog.ts';
import { isUnderTest, isWorkbookFile } from './workbook-file.ts';

/** A message between a worker and its pool while the worker loads a test file. */
export type LoadingMessage =
  /**
   * From the worker: it is idle. `lastAnswer` is the id of the last answer from Vitest that it has read. On a busy machine a later
   * answer may be on its way.
   */
  | { readonly kata: 'idle'; readonly lastAnswer: unknown }
  /** From the pool: the worker has read all answers and has no open request, so nothing more will come. */
  | { readonly kata: 'never-loads' };

/** How long a worker must be idle, without an open request to its pool, before its module counts as never loading. */
const IDLE_MS_MAX = 2_000;

const TICK_MS = 250;
const IDLE_SHARE = 0.9;

/**
 * Watches a worker while it loads a test file. A top-level `await` of a promise that never settles blocks the run,
 * and no test with a limit has begun yet. Only the pool knows whether the worker waits for an answer from Vitest. So
 * the worker reports that it is idle, and the pool decides.
 *
 * @returns stops watching: the file is loaded
 */
export function watchLoading(): () => void {
  let idleMs = 0;
  let lastAnswer: unknown;
  let mark = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, mark);
    mark = now;
    idleMs = utilization < 1 - IDLE_SHARE && !awaitsTheSystem() ? idleMs + TICK_MS : 0;
    if (idleMs >= IDLE_MS_MAX) process.send?.({ kata: 'idle', lastAnswer } satisfies LoadingMessage);
  }, TICK_MS);
  timer.unref();
  const onMessage = (message: unknown): void => {
    if ((message as LoadingMessage | undefined)?.kata === 'never-loads') giveUp();
    lastAnswer = answerIn(message) ?? lastAnswer;
  };
  process.on('message', onMessage);
  return () => {
    clearInterval(timer);
    process.off('message', onMessage);
  };
}

/** Reports where the module waits, and kills the process: a file that does not load cannot run. */
function giveUp(): void {
  const module = waitingModule();
  const error = new NeverLoaded(
    module === undefined ? undefined : { file: module, line: lineOfAwait(module) },
  );
  note({ says: 'offended', error: plain(error) });
  process.kill(process.pid, 'SIGKILL');
}

/** A module in Vite's runner. */
interface LoadedModule {
  readonly file: string;
  readonly evaluated: boolean;
  readonly promise?: unknown;
  readonly imports: ReadonlySet<string>;
}

/** Returns the file with the pending `await`: all of its imports have been loaded. */
function waitingModule(): string | undefined {
  const { __vitest_worker__: state } = globalThis as {
    readonly __vitest_worker__?: {
      readonly evaluatedModules?: { readonly idToModuleMap?: ReadonlyMap<string, LoadedModule> };
    };
  };
  const modules = state?.evaluatedModules?.idToModuleMap ?? new Map<string, LoadedModule>();
  const isOpen = (module: LoadedModule | undefined): boolean =>
    module !== undefined && module.promise !== undefined && !module.evaluated;
  const waiting = [...modules.values()].filter(
    (module) =>
      isOpen(module) &&
      isWorkbookFile(module.file) &&
      ![...module.imports].some((id) => isOpen(modules.get(id))),
  );
  return (waiting.find(({ file }) => isUnderTest(file)) ?? waiting[0])?.file;
}

/** Returns the first line with an `await` outside of all functions and blocks; otherwise line 1. */
function lineOfAwait(file: string): number {
  let depth = 0;
  for (const [index, line] of withoutComments(readFileSync(file, 'utf8')).split('\n').entries()) {
    if (depth === 0 && /\bawait\b/.test(line) && !/\basync\b.*\bawait\b/.test(line)) return index + 1;
    for (const char of line.replace(/(['"`])(?:\\.|(?!\1).)*\1/g, '')) {
      if (char === '{') depth++;
      else if (char === '}') depth--;
    }
  }
  return 1;
}
