import { setImmediate } from 'node:timers';
import { aroundEach, beforeAll, inject, type RunnerTestFile, type TestContext } from 'vitest';
import { isProgrammingError, noteCaught } from '../contracts/caught.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { type Evidence, installProperties, resetEvidence, takeEvidence } from '../testing/property.ts';
import { underWay } from '../testing/under-way.ts';
import { ON_CATCH } from './catch-plugin.ts';
import { note, ownLastWords, plain } from './last-words.ts';
import { Levels, SKIPPED } from './levels.ts';
import { watchLoading } from './loading.ts';
import type { Unwritten } from './present.ts';
import { readable } from './readable.ts';
import { hasOffended, installRealTimeGuard, takeOffence } from './real-time-guard.ts';
import { MemoryUsedUp, NeverEnded, NeverYielded, Undecided } from './stall.ts';
import { watched } from './watchdog.ts';
import { isUnderTest, isWorkbookFile } from './workbook-file.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Set on tests that failed. */
    evidence?: Evidence;
    /** A function that is still `todo`, and that the failed test called although it must pass without it. */
    laterTodo?: Unwritten;
  }

  interface ProvidedContext {
    /** Set for katas: whether each level waits for the level before it. */
    levelsInOrder?: boolean;
  }
}

const installed = Symbol.for('kubernetes-katas/setup');
const once: { [installed]?: boolean } = globalThis as object;
if (!once[installed]) {
  once[installed] = true;
  installProperties();
  installRealTimeGuard(isUnderTest, (error) => note({ says: 'offended', error: plain(error) }));
  // If Vitest is killed, its workers end, too: no parent is left to end them.
  if (ownLastWords !== undefined) process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

underWay.onChange = (scenario) => note({ says: 'simulates', ...(scenario !== undefined && { scenario }) });

// Other errors may be normal control flow, so catching them means nothing.
(globalThis as { [ON_CATCH]?: (error: unknown) => void })[ON_CATCH] = (error) => {
  if (isProgrammingError(error)) noteCaught(error);
};

/** The limits of a test. Tests of the harness wait for other processes, which may be slow on a busy machine. */
const limits = { cpuMs: Number(process.env.KATA_CPU_MS ?? 180_000), idleMs: 600_000 };

// An abandoned test may still be running: it would disturb the tests after it, or they would hang, too.
let abandoned: string | undefined;

// Only for katas and solutions.
let levels: Levels | undefined;

/** In a worker of a kata: called when the file has been loaded. */
const loaded = ownLastWords === undefined ? () => {} : watchLoading();

// biome-ignore lint/correctness/noEmptyPattern: Vitest derives the requested fixtures from the first parameter.
beforeAll(({}, suite) => {
  loaded();
  const inOrder = inject('levelsInOrder');
  if (inOrder === undefined) return;
  levels = new Levels(suite as RunnerTestFile, inOrder);
  listenForEscapes('unhandledRejection');
  listenForEscapes('uncaughtException');
});

/** The test that began last. */
let running: TestContext['task'] | undefined;

/** Whether that test is still running. */
let isUnderWay = false;

/** Whether it called a function that is still `todo` without awaiting it: that alone fails no test. */
let todoEscaped = false;

/** Handles uncaught errors of this kata's stubs, and leaves everything else to Vitest. */
function listenForEscapes(event: 'unhandledRejection' | 'uncaughtException'): void {
  type Listener = (error: unknown, ...more: readonly unknown[]) => void;
  const listener: Listener = (error, ...more) => {
    if (levels && running && isStubOf(running, error)) {
      todoEscaped = true;
      if (isUnderWay || levels.mayBeTodo(running)) return;
    }
    // Vitest reports nothing while another listener exists.
    process.off(event, listener);
    const [vitest, ...others] = process.listeners(event as 'uncaughtException') as readonly Listener[];
    if (others.length === 0) vitest?.(error, ...more);
    process.on(event, listener);
  };
  process.on(event, listener);
}

function isStubOf({ file }: TestContext['task'], error: unknown): boolean {
  return error instanceof NotImplemented && file.filepath.includes(`/${error.kata}/`);
}

aroundEach(async (runTest, { task, skip }) => {
  const leave = (note: string): never => {
    // Vitest loses the note of a test that is skipped here.
    if (task.result) Object.assign(task.result, { note });
    return skip(note);
  };
  if (abandoned) leave(abandoned);
  const objection = levels?.objection(task);
  if (objection) leave(objection);
  resetEvidence();
  /** The functions, by name, that the test called and that are still `todo`. */
  const met = new Map<string, NotImplemented>();
  NotImplemented.onMade = (error) => {
    if (met.has(error.symbol)) return;
    met.set(error.symbol, error);
    if (levels?.comesLater(error, task) !== true) note({ says: 'offended', error: plain(error) });
  };
  noteEnd();
  note({ says: 'begins', test: task.id });
  running = task;
  isUnderWay = true;
  todoEscaped = false;
  let ending: { readonly error: unknown } | undefined;
  try {
    await watched(runTest, { ...limits, idleMs: levels ? 1_000 : limits.idleMs, isRed: hasOffended });
  } catch (error) {
    ending = { error };
    if ([NeverYielded, NeverEnded, MemoryUsedUp, Undecided].some((kind) => error instanceof kind)) {
      abandoned = `"${task.name}" never ended`;
      const { scenario } = underWay;
      if (scenario !== undefined && !(error instanceof Undecided))
        Object.assign(error as object, { scenario });
    }
  }
  // Node reports an unhandled rejection at the end of the turn.
  if (levels && met.size > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  isUnderWay = false;
  keepEvidence(task);
  // A real timer explains why a test never settled, but not the other way round.
  const offence = takeOffence();
  const isLater = (todo: NotImplemented): boolean => levels?.comesLater(todo, task) === true;
  const needed = [...met.values()].find((todo) => !isLater(todo));
  const later = [...met.values()].find(isLater);
  const failed =
    ending !== undefined || task.result?.state === 'fail' || (todoEscaped && needed !== undefined);
  // A loop that retries swallows the error of the stub, and fails later with an error that explains nothing.
  const unwritten = failed ? needed : undefined;
  if (unwritten && !offence && levels?.mayBeTodo(task)) leave(SKIPPED);
  const excuse = failed && levels?.noteOfFailure(task);
  if (excuse) leave(excuse);
  if (failed && later) task.meta.laterTodo = unwrittenOf(later);
  if (failed || offence) levels?.failed(task);
  if (levels) for (const error of task.result?.errors ?? []) keepWhatIsShown(error);
  if (!failed && !offence) levels?.passed(task);
  if (!offence && !ending && !unwritten) return;
  const told = offence ?? unwritten ?? ending?.error;
  if (levels && told instanceof Error) keepWhatIsShown(told);
  throw told;
});

function unwrittenOf({ kata, symbol, heading }: NotImplemented): Unwritten {
  return { kata, symbol, heading };
}

/** Vitest sends results ten times a second. A worker that dies before it sends the last results has noted them here. */
function noteEnd(): void {
  if (running) note({ says: 'ended', test: running.id, result: running.result, meta: running.meta });
}

function keepEvidence(task: TestContext['task']): void {
  const evidence = takeEvidence();
  if (task.result?.state !== 'pass') task.meta.evidence = evidence;
}

/**
 * Cuts long texts, which take seconds on their way to the screen. Removes frames that are not shown: Vitest looks up
 * the source map of every frame, in files of any size. The place of an unwritten stub comes from the stub.
 */
function keepWhatIsShown(error: ShownError): void {
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  const own = frames.filter(isWorkbookFile);
  const shown = own.find((line) => isUnderTest(line.replace(/:\d+:\d+\)?$/, ''))) ?? own[0];
  const head = `${error.name}: ${readable(String(error.message))}`;
  if (error.name === 'NotImplemented') error.stack = '';
  else if (error.stack !== undefined)
    error.stack = [head, ...(shown === undefined ? frames : [shown])].join('\n');
  for (const field of ['message', 'diff', 'actual', 'expected'] as const) {
    const text = error[field];
    if (typeof text === 'string') error[field] = readable(text);
  }
}

/** The parts of an error that Vitest sends to the reporter. */
interface ShownError {
  name?: string;
  message?: string;
  stack?: string;
  diff?: unknown;
  actual?: unknown;
  expected?: unknown;
}
