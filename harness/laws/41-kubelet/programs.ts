import type { Process, Program } from '../../node/programs/program.ts';
import type { ImageSource } from '../../node/registry/index.ts';
import type { Simulation } from '../../sim/index.ts';
import type { StopSignal } from './history.ts';
import type { ContainerPlan, RunPlan } from './scenario.ts';

/** The executable of the images. */
export const EXECUTABLE = 'program';

/** What an image with the program is made from. @param name of the image: no two are the same */
export function imageSource(name: string): ImageSource {
  return {
    config: { Entrypoint: [EXECUTABLE], Env: [`IMAGE=${name}`] },
    layers: [{ sizeBytes: 1_000_000, executables: [EXECUTABLE] }],
  };
}

/** More than any container may use. */
const TOO_MUCH_BYTES = 2 ** 60;

/** On this port a program answers its probes. */
export const PORT = 8080;

/** A program that is well answers its probes so soon. */
export const WELL_WITHIN_MS = 5_000;

/** An init container that goes well takes so long. */
const INIT_MS = 200;

/** A program that was started in a container. */
interface Run {
  readonly key: string;
  readonly process: Process;
  asked?: number;
  ended: boolean;
  /** Is it to end by itself, and has not ended by anything yet? */
  toEnd: boolean;
}

/**
 * The program in all containers: it does what a scenario says for each of its runs. The scenario is known by a key, which is the
 * program's argument; which run it is, the first or the third, is counted here.
 */
export class Programs {
  readonly #sim: Simulation;
  readonly #plans = new Map<string, ContainerPlan>();
  readonly #runs = new Map<string, Run[]>();
  #calm = false;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Says what the containers with this key do. */
  add(key: string, plan: ContainerPlan): void {
    this.#plans.set(key, plan);
  }

  /** From now on each run that begins goes well. */
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
    const { lastsMs, code } = this.#planOf(plan, runs.length);
    const run: Run = { key, process, ended: false, toEnd: lastsMs !== undefined };
    runs.push(run);
    process.onEnd(() => {
      run.toEnd = false;
    });
    process.onSignal('SIGTERM', () => this.#asked(run, plan));
    this.#answer(process, plan, lastsMs !== undefined);
    await (lastsMs === undefined ? new Promise(() => {}) : process.clock.sleep(lastsMs));
    run.ended = true;
    return code;
  };

  /** Does a program run that is to end by itself? */
  get areSomeToEnd(): boolean {
    return [...this.#runs.values()].flat().some(({ toEnd }) => toEnd);
  }

  /** What runs under this key uses more memory than there is. */
  useUp(key: string): void {
    this.#runs.get(key)?.at(-1)?.process.useMemory(TOO_MUCH_BYTES);
  }

  /**
   * When programs were asked to stop, and which of them ended by themselves.
   *
   * @param idOf the id of the container that was started as the nth under a key
   */
  told(idOf: (key: string, nth: number) => string | undefined): {
    readonly signals: readonly StopSignal[];
    readonly endedThemselves: ReadonlySet<string>;
  } {
    const signals: StopSignal[] = [];
    const endedThemselves = new Set<string>();
    for (const [key, runs] of this.#runs) {
      for (const [nth, { asked, ended }] of runs.entries()) {
        const containerId = idOf(key, nth);
        if (containerId === undefined) continue;
        if (asked !== undefined) signals.push({ containerId, atMs: asked });
        if (ended) endedThemselves.add(containerId);
      }
    }
    return { signals, endedThemselves };
  }

  #planOf({ init, runs }: ContainerPlan, nth: number): RunPlan {
    const planned = this.#calm ? undefined : runs[nth];
    if (planned) return planned;
    return init ? { lastsMs: INIT_MS, code: 0 } : { code: 0 };
  }

  #asked(run: Run, { onTerm }: ContainerPlan): void {
    run.asked ??= this.#sim.elapsedMs;
    if (onTerm === 'ignores') return;
    const { afterMs, code } = onTerm;
    run.process.clock.after(afterMs, () => {
      run.ended = true;
      run.process.exit(code);
    });
  }

  #answer({ clock, listen }: Process, { probes }: ContainerPlan, isPlanned: boolean): void {
    if (!probes) return;
    const { failsAfterMs } = probes;
    const answersAfterMs = isPlanned
      ? probes.answersAfterMs
      : Math.min(probes.answersAfterMs, WELL_WITHIN_MS);
    clock.after(answersAfterMs, () => {
      const close = listen(PORT, { http: () => ({ status: 200, headers: {}, body: 'ok' }) });
      if (isPlanned && failsAfterMs !== undefined) clock.after(failsAfterMs, close);
    });
  }
}
