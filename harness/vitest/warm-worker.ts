import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { distDir, type Reporter, type TestCase } from 'vitest/node';
import type { Bundle } from './bundle.ts';
import { isLaws } from './levels.ts';

/** The launch options of a process. */
export interface Launch {
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Keeps one process warm for the next test file of a kata. Starting a process and loading the harness takes longer
 * than a level, so it happens while Vitest starts, and while the learner thinks.
 */
export class WarmWorker implements Reporter {
  readonly #preload: string;
  readonly #memory: string;
  /** The environment before Vitest adds to it. */
  readonly #ownEnv = { ...process.env };
  #last: Launch | undefined;
  #kept: { readonly child: ChildProcess; readonly fits: string } | undefined;

  constructor(bundle: Pick<Bundle, 'preload'>) {
    this.#preload = pathToFileURL(bundle.preload).href;
    this.#memory = path.join(path.dirname(bundle.preload), 'launch.json');
    process.once('exit', () => this.#kept?.child.kill('SIGKILL'));
  }

  /** Starts a process with the launch options of the last run, before Vitest knows its own. */
  begin(): void {
    this.#last = this.#remembered();
    this.#prepare();
  }

  /** Returns a process for a test file: the warm one, if it has the same launch options. */
  take(launch: Launch): ChildProcess {
    const kept = this.#kept;
    this.#kept = undefined;
    const fits = fitting(launch);
    if (!this.#last || fits !== fitting(this.#last)) this.#remember(launch);
    this.#last = launch;
    if (kept?.fits === fits && kept.child.connected) {
      hold(kept.child, true);
      return kept.child;
    }
    kept?.child.kill('SIGKILL');
    return this.#start(launch);
  }

  /** When the levels begin to pass, a run of the laws may follow. */
  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'passed' && !isLaws(test.module.moduleId)) this.#prepare();
  }

  onWatcherStart(): void {
    this.#prepare();
  }

  #prepare(): void {
    if (this.#kept || !this.#last) return;
    const child = this.#start(this.#last);
    hold(child, false);
    this.#kept = { child, fits: fitting(this.#last) };
  }

  #start({ execArgv, env }: Launch): ChildProcess {
    return fork(path.join(distDir, 'workers/forks.js'), [], {
      env,
      execArgv: [...execArgv, '--import', this.#preload],
      stdio: 'pipe',
      serialization: 'advanced',
    });
  }

  #remembered(): Launch | undefined {
    try {
      const { execArgv, added } = JSON.parse(readFileSync(this.#memory, 'utf8')) as Memory;
      return { execArgv, env: { ...this.#ownEnv, ...added } };
    } catch {
      return undefined;
    }
  }

  #remember({ execArgv, env }: Launch): void {
    const added = Object.entries(env).filter(([name, value]) => value !== this.#ownEnv[name]);
    const memory: Memory = { execArgv, added: Object.fromEntries(added) };
    writeFileSync(this.#memory, JSON.stringify(memory));
  }
}

/** The launch options that Vitest used, without the environment itself, which other code must not see. */
interface Memory {
  readonly execArgv: readonly string[];
  readonly added: NodeJS.ProcessEnv;
}

function fitting({ execArgv, env }: Launch): string {
  const variables = Object.entries(env).filter(([, value]) => value !== undefined);
  return JSON.stringify([execArgv, variables.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Sets whether this process waits for the child before it ends. */
function hold(child: ChildProcess, held: boolean): void {
  const handles: readonly unknown[] = [child, child.channel, child.stdin, child.stdout, child.stderr];
  for (const handle of handles as readonly (NodeJS.RefCounted | null | undefined)[]) {
    if (held) handle?.ref();
    else handle?.unref();
  }
}
