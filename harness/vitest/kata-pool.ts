import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  BaseSequencer,
  ForksPoolWorker,
  type PoolOptions,
  type PoolRunnerInitializer,
  type TestSequencerConstructor,
  type TestSpecification,
  type WorkerRequest,
  type WorkerResponse,
} from 'vitest/node';
import { type Exit, tellDeath } from './dead-worker.ts';
import type { Gate } from './gate.ts';
import { lastWordsOf, readLastWords } from './last-words.ts';
import { isLaws } from './levels.ts';
import type { LoadingMessage } from './loading.ts';
import { answerIn, isRequest } from './rpc-message.ts';
import type { WarmWorker } from './warm-worker.ts';

/**
 * Runs each test file of a kata in its own process; the laws start when the gate opens.
 *
 * @param warmWorker the source of warm processes; without it, each process starts when it is needed
 */
export function kataPool(gate: Gate, warmWorker?: WarmWorker): PoolRunnerInitializer {
  return { name: 'katas', createPoolWorker: (options) => new KataWorker(options, gate, warmWorker) };
}

/**
 * Sorts the files by project, and levels before laws, so that no laws occupy a slot that their levels wait for. Informs the gate of
 * the files.
 */
export function kataSequencer(gate: Gate): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      gate.begin(specifications);
      const sorted = await super.sort(specifications);
      return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
    }
  };
}

/**
 * Returns the place of a file in the order. The files of a project follow each other: a process serves one project, and the next
 * process loads everything again. The judge's files, and tests that start processes, take longest. If they began last, they would run
 * alone at the end.
 */
function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.name === 'mistakes') return 0;
  if (project.name === 'harness')
    return /\/harness\/(cli|clients|kubectl|vitest)\/[^/]+$/.test(moduleId) ? 1 : 2;
  return isLaws(moduleId) ? 4 : 3;
}

/** A process ended before it had run its file. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';

  /** @param signal absent when the process ended by itself, with `code` */
  constructor(file: string, code: number | null, signal: NodeJS.Signals | null) {
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
    super(`The process that ran ${file} ${how}${reasons[signal ?? ''] ?? ''}.`);
    this.stack = '';
  }
}

const reasons: { readonly [signal: string]: string } = {
  SIGKILL: ': it could not be interrupted, or the machine had no memory left',
  SIGABRT: ': most often because it had used up its memory',
  SIGSEGV: ': most often because it had used up its stack',
};

/** How long to wait for the remaining output of a dead process, in real ms. */
const DRAIN_MS = 2_000;

type Run = Extract<WorkerRequest, { type: 'run' | 'collect' }>;

/** Starts its process when its file may run, and never for a file that may not. */
class KataWorker extends ForksPoolWorker {
  override readonly name = 'katas';
  readonly #options: PoolOptions;
  readonly #gate: Gate;
  readonly #warmWorker: WarmWorker | undefined;
  /** The listeners of this worker, with or without a process. */
  readonly #listeners = new EventEmitter();
  #startRequest: WorkerRequest | undefined;
  #alive = false;
  #isCancelled = false;
  /** The number of requests of the process that Vitest has not answered. */
  #openRequests = 0;
  /** The id of the last answer to the process. */
  #lastAnswer: unknown;

  constructor(options: PoolOptions, gate: Gate, warmWorker: WarmWorker | undefined) {
    super(options);
    this.#options = options;
    this.#gate = gate;
    this.#warmWorker = warmWorker;
  }

  override on(event: string, callback: (argument: unknown) => void): void {
    this.#listeners.on(event, callback);
  }

  override off(event: string, callback: (argument: unknown) => void): void {
    this.#listeners.off(event, callback);
  }

  override async start(): Promise<void> {}

  override send(message: WorkerRequest): void {
    if (message.type === 'start') {
      this.#startRequest = message;
      this.#answer({ type: 'started' });
    } else if (message.type === 'run' || message.type === 'collect') {
      this.#run(message).catch((error: unknown) => this.#listeners.emit('error', error));
    } else if (message.type === 'stop') {
      // A process that still spins would not answer, and a process that has run its file has nothing to lose.
      this.#answer({ type: 'stopped' });
    } else if (this.#alive) {
      const answer = answerIn(message);
      if (answer !== undefined) {
        this.#openRequests--;
        this.#lastAnswer = answer;
      }
      super.send(message);
    }
  }

  override async stop(): Promise<void> {
    if (!this.#alive) return;
    this.#alive = false;
    const words = this.#lastWords();
    await super.stop();
    rmSync(words, { force: true });
  }

  /** Returns the file for the process's last words. */
  #lastWords(): string {
    const { _fork } = this as unknown as { readonly _fork?: ChildProcess };
    return lastWordsOf(_fork?.pid ?? 0);
  }

  async #run(request: Run): Promise<void> {
    const { project } = this.#options;
    project.vitest.onCancel(() => this.#cancel());
    const { files, providedContext } = request.context;
    const [file = ''] = files.map(({ filepath }) => filepath);
    const asked = this.#askedFor(request);
    const open = asked === undefined ? await this.#gate.opensFor(file) : !(isLaws(file) && asked.levels);
    if (this.#isCancelled) return;
    if (!open && request.type === 'run') {
      // The results of an earlier run are out of date.
      project.vitest.state.clearFiles(project, [file]);
      this.#answer({ type: 'testfileFinished' });
      return;
    }
    await this.#launch(file);
    if (this.#isCancelled) return;
    const context = { ...providedContext, levelsInOrder: asked === undefined };
    super.send({ ...request, context: { ...request.context, providedContext: context } });
  }

  /** Kills the process immediately: Vitest would wait for the running test, which may be a law that takes a minute. */
  async #cancel(): Promise<void> {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#gate.finishAll();
    await this.stop();
    this.#answer({ type: 'testfileFinished' });
  }

  /** Returns the kind of tests that were selected by name, if any: levels, or tests of any kind. */
  #askedFor({ context: { files } }: Run): { readonly levels: boolean } | undefined {
    const { vitest, config } = this.#options.project;
    const pattern = vitest.getGlobalTestNamePattern() ?? config.testNamePattern;
    if (pattern !== undefined) return { levels: /^\^?Level \d/.test(pattern.source) };
    const one = files.some(
      ({ testNamePattern, testIds, testLocations }) => testNamePattern ?? testIds ?? testLocations,
    );
    return one ? { levels: false } : undefined;
  }

  /** Starts the process, until it is ready for its file. */
  async #launch(file: string): Promise<void> {
    const { execArgv, env } = this.#options;
    // Vitest's own worker stores its process here, and does not start another if there is one.
    if (this.#warmWorker) Object.assign(this, { _fork: this.#warmWorker.take({ execArgv, env }) });
    await super.start();
    this.#alive = true;
    rmSync(this.#lastWords(), { force: true });
    const started = new Promise<void>((resolve) => {
      super.on('message', (message: WorkerResponse) => {
        if (message?.__vitest_worker_response__ && message.type === 'started') {
          if (message.error) this.#answer({ type: 'testfileFinished', error: message.error });
          resolve();
          return;
        }
        if (message?.__vitest_worker_response__ && message.type === 'testfileFinished')
          this.#gate.finish(file);
        if (isIdle(message)) {
          const end: LoadingMessage = { kata: 'never-loads' };
          const hasReadAll = this.#openRequests === 0 && message.lastAnswer === this.#lastAnswer;
          if (this.#alive && hasReadAll) super.send(end as unknown as WorkerRequest);
          return;
        }
        if (isRequest(message)) this.#openRequests++;
        this.#listeners.emit('message', message);
      });
    });
    super.on('error', (error: unknown) => this.#listeners.emit('error', error));
    this.#whenDead((exit) => this.#tellDeath(file, exit));
    if (this.#startRequest) super.send(this.#startRequest);
    await started;
  }

  /** Calls back once the process has ended by itself, and all of its output was read. */
  #whenDead(tell: (exit: Exit) => Promise<void>): void {
    let drained: NodeJS.Timeout | undefined;
    const onExit = (code: Exit['code'], signal: Exit['signal']): void => {
      if (!this.#alive) return;
      this.#alive = false;
      let told = false;
      const tellOnce = (): void => {
        clearTimeout(drained);
        if (!told) tell({ code, signal }).catch((error: unknown) => this.#listeners.emit('error', error));
        told = true;
      };
      super.on('close', tellOnce);
      // A child of the process may keep the streams open.
      drained = setTimeout(tellOnce, DRAIN_MS);
    };
    // Its type declares one argument, but two are passed.
    super.on('exit', onExit as Parameters<ForksPoolWorker['on']>[1]);
  }

  async #tellDeath(file: string, { code, signal }: Exit): Promise<void> {
    const { project } = this.#options;
    const words = this.#lastWords();
    const told = await tellDeath(project, file, readLastWords(words), { code, signal });
    rmSync(words, { force: true });
    this.#gate.finish(file);
    if (told) {
      this.#answer({ type: 'testfileFinished' });
      return;
    }
    const { name, message } = new RunEnded(path.relative(project.config.root, file), code, signal);
    this.#answer({ type: 'testfileFinished', error: { name, message, stack: '', VITEST_TEST_PATH: file } });
  }

  #answer(response: Answer): void {
    this.#listeners.emit('message', { __vitest_worker_response__: true, ...response });
  }
}

/** Whether a message of a worker reports that it is idle while it loads. */
function isIdle(message: unknown): message is Extract<LoadingMessage, { kata: 'idle' }> {
  return (message as LoadingMessage | undefined)?.kata === 'idle';
}

type Answer =
  | { readonly type: 'started' | 'stopped' }
  | { readonly type: 'testfileFinished'; readonly error?: unknown };
