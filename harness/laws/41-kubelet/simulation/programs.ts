import type { Process, Program } from '../../../node/programs/program.ts';
import type { ImageSource } from '../../../node/registry/index.ts';
import type { Simulation } from '../../../sim/index.ts';
import type { StopSignal } from '../history/index.ts';
import type { ContainerPlan, RunPlan } from '../scenario/index.ts';

/** The executable of the images. */
export const EXECUTABLE = 'program';

/** Returns the source of an image with the program. @param name makes the image differ from others */
export function imageSource(name: string): ImageSource {
  return {
    config: { Entrypoint: [EXECUTABLE], Env: [`IMAGE=${name}`] },
    layers: [{ sizeBytes: 1_000_000, executables: [EXECUTABLE] }],
  };
}

/** Variable with the pod's address in the environment of a program. */
export const ADDRESS = 'POD_IP';

const STOP = 'stop';

/** Returns the command of a preStop hook. @param key the key of the container's program */
export function stopCommand(key: string): string[] {
  return [EXECUTABLE, key, STOP];
}

/** More than any container may use. */
const TOO_MUCH_BYTES = 2 ** 60;

/** Port of a program for its probes. */
export const PORT = 8080;

/** Time until a healthy program answers its probes. */
export const WELL_WITHIN_MS = 5_000;

/** Run time of an init container that succeeds. */
const INIT_MS = 200;

/** One run of the program in a container. */
interface Run {
  readonly key: string;
  readonly process: Process;
  asked?: number;
  /** Time of its preStop hook. */
  hooked?: number;
  /** Stops answering the probes. */
  close?: () => void;
  ended: boolean;
  /** Whether it will end by itself and still runs. */
  toEnd: boolean;
}

/**
 * The program in all containers. It follows the plan of its container, which it finds by a key, its argument. This class counts the
 * runs of each key.
 */
export class Programs {
  readonly #sim: Simulation;
  readonly #plans = new Map<string, ContainerPlan>();
  readonly #runs = new Map<string, Run[]>();
  #calm = false;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Sets the plan of the containers with this key. */
  add(key: string, plan: ContainerPlan): void {
    this.#plans.set(key, plan);
  }

  /** Makes all later runs succeed. */
  calmDown(): void {
    this.#calm = true;
  }

  /** The program, for a machine. */
  readonly program: Program = async (process) => {
    const key = process.argv[1] ?? '';
    const plan = this.#plans.get(key);
    if (!plan) return 127;
    const runs = this.#runs.get(key) ?? [];
    this.#runs.set(key, runs);
    if (process.argv[2] === STOP) {
      const stopped = runs.at(-1);
      if (stopped) stopped.hooked ??= this.#sim.elapsedMs;
      return 0;
    }
    const { lastsMs, code } = this.#planOf(plan, runs.length);
    const run: Run = { key, process, ended: false, toEnd: lastsMs !== undefined };
    runs.push(run);
    process.onEnd(() => {
      run.toEnd = false;
    });
    process.onSignal('SIGTERM', () => this.#asked(run, plan));
    this.#answer(run, plan, lastsMs !== undefined);
    await (lastsMs === undefined ? new Promise(() => {}) : process.clock.sleep(lastsMs));
    run.ended = true;
    return code;
  };

  /** Whether a program runs that will end by itself. */
  get areSomeToEnd(): boolean {
    return [...this.#runs.values()].flat().some(({ toEnd }) => toEnd);
  }

  /** Makes the program with this key use more memory than its limit. */
  useUp(key: string): void {
    this.#runs.get(key)?.at(-1)?.process.useMemory(TOO_MUCH_BYTES);
  }

  /**
   * Returns each SIGTERM to a program and each command of a preStop hook, the containers whose programs ended by themselves, and the
   * addresses in their environments.
   *
   * @param idOf returns the ID of the nth container that was started under a key
   */
  ends(idOf: (key: string, nth: number) => string | undefined): {
    readonly signals: readonly StopSignal[];
    readonly hooks: readonly StopSignal[];
    readonly endedThemselves: ReadonlySet<string>;
    readonly addresses: ReadonlyMap<string, string>;
  } {
    const signals: StopSignal[] = [];
    const hooks: StopSignal[] = [];
    const endedThemselves = new Set<string>();
    const addresses = new Map<string, string>();
    for (const [key, runs] of this.#runs) {
      for (const [nth, { asked, hooked, ended, process }] of runs.entries()) {
        const containerId = idOf(key, nth);
        if (containerId === undefined) continue;
        if (asked !== undefined) signals.push({ containerId, atMs: asked });
        if (hooked !== undefined) hooks.push({ containerId, atMs: hooked });
        const address = process.env[ADDRESS];
        if (address !== undefined) addresses.set(containerId, address);
        if (ended) endedThemselves.add(containerId);
      }
    }
    return { signals, hooks, endedThemselves, addresses };
  }

  #planOf({ init, runs }: ContainerPlan, nth: number): RunPlan {
    const planned = this.#calm ? undefined : runs[nth];
    if (planned) return planned;
    return init ? { lastsMs: INIT_MS, code: 0 } : { code: 0 };
  }

  #asked(run: Run, { onTerm }: ContainerPlan): void {
    run.asked ??= this.#sim.elapsedMs;
    run.close?.();
    if (onTerm === 'ignores') return;
    const { afterMs, code } = onTerm;
    run.process.clock.after(afterMs, () => {
      run.ended = true;
      run.process.exit(code);
    });
  }

  /** Answers the probes, until SIGTERM or the planned time. */
  #answer(run: Run, { probes }: ContainerPlan, isPlanned: boolean): void {
    if (!probes) return;
    const { clock, listen } = run.process;
    const { failsAfterMs } = probes;
    const answersAfterMs = isPlanned
      ? probes.answersAfterMs
      : Math.min(probes.answersAfterMs, WELL_WITHIN_MS);
    clock.after(answersAfterMs, () => {
      if (run.asked !== undefined) return;
      const close = listen(PORT, { http: () => ({ status: 200, headers: {}, body: 'ok' }) });
      run.close = close;
      if (isPlanned && failsAfterMs !== undefined) clock.after(failsAfterMs, close);
    });
  }
}
