import type * as core from '#api/core/v1';
import type { ProbeType } from '../../../contracts/node/probe-manager.ts';
import { formatTime, type Simulation } from '../../../sim/index.ts';
import { BACK_OFF_SHOWS_MS, type ContainerPlan, type ContainerRun, type PodPlan } from '../scenario.ts';
import type { Instance } from './node.ts';

/** Options of a container. */
export interface ContainerOptions {
  readonly sim: Simulation;
  /** The start of the simulation, in ms since 1970. */
  readonly startMs: number;
  readonly pod: string;
  readonly name: string;
  readonly plan: ContainerPlan;
  readonly restartPolicy: PodPlan['restartPolicy'];
  /** Whether the container may start now, only after the kubelet has restarted, or never again. */
  readonly mayStart: () => 'now' | 'later' | 'never';
  /** Called at each start and each end. */
  readonly onChange: (what: 'starts' | 'ends', containerID: string) => void;
}

interface Run {
  readonly containerID: string;
  readonly startedAtMs: number;
  readonly containerRun: ContainerRun;
}

/** The interval between tries to start a container while the kubelet is down. */
const TRY_AGAIN_MS = 1_000;

/** One container of the runtime, which starts, ends and restarts according to its plan. */
export class PlannedContainer {
  readonly #options: ContainerOptions;
  #runs = 0;
  #run: Run | undefined;
  #last: (Run & { readonly endedAtMs: number; readonly exitCode: number }) | undefined;

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get runningID(): string | undefined {
    return this.#run?.containerID;
  }

  get ids(): readonly string[] {
    return Array.from({ length: this.#runs }, (_, i) => this.#idOf(i + 1));
  }

  /** Whether it has ended, and will not restart. */
  get isDone(): boolean {
    return !this.#run && this.#last !== undefined && !this.#comesBack(this.#last.exitCode);
  }

  get exitCode(): number | undefined {
    return this.#last?.exitCode;
  }

  instance(type: ProbeType): Instance | undefined {
    if (!this.#run) return undefined;
    const { containerID, startedAtMs, containerRun } = this.#run;
    return { containerID, startedAtMs, answers: containerRun.answers[type] ?? [] };
  }

  /** Schedules its next run. */
  begin(): void {
    const containerRun = this.#nextContainerRun();
    this.#later(containerRun.afterMs, () => this.#start());
  }

  /** Kills the container, if its ID is still the same. */
  kill(containerID: string): void {
    const run = this.#run;
    if (run?.containerID !== containerID) return;
    this.#later(run.containerRun.drainMs, () => this.end(containerID, 137));
  }

  end(containerID: string, exitCode: number): void {
    const run = this.#run;
    if (run?.containerID !== containerID) return;
    const { sim, onChange } = this.#options;
    this.#run = undefined;
    this.#last = { ...run, endedAtMs: sim.elapsedMs, exitCode };
    onChange('ends', containerID);
    if (this.#comesBack(exitCode)) this.begin();
  }

  /** Returns its status from the runtime. For the same container, `started` keeps its previous value. */
  status(before: core.ContainerStatus | undefined): core.ContainerStatus {
    const { sim, startMs, name } = this.#options;
    const { containerID } = this.#run ?? this.#last ?? {};
    const isSame = containerID !== undefined && before?.containerID === containerID;
    return {
      name,
      image: 'registry.example/app:1',
      imageID: '',
      restartCount: Math.max(0, this.#runs - 1),
      ready: false,
      ...(containerID !== undefined && { containerID }),
      ...(isSame && before?.started !== undefined && { started: before.started }),
      state: this.#state(sim.elapsedMs, startMs),
    };
  }

  #state(nowMs: number, startMs: number): core.ContainerState {
    if (this.#run) return { running: { startedAt: formatTime(startMs + this.#run.startedAtMs) } };
    if (!this.#last) return { waiting: { reason: 'ContainerCreating' } };
    const { exitCode, containerID, startedAtMs, endedAtMs } = this.#last;
    if (this.#comesBack(exitCode) && nowMs >= endedAtMs + BACK_OFF_SHOWS_MS) {
      return { waiting: { reason: 'CrashLoopBackOff' } };
    }
    const [startedAt, finishedAt] = [startedAtMs, endedAtMs].map((ms) => formatTime(startMs + ms));
    return {
      terminated: {
        exitCode,
        containerID,
        ...(startedAt && { startedAt }),
        ...(finishedAt && { finishedAt }),
      },
    };
  }

  #start(): void {
    const { sim, mayStart, onChange } = this.#options;
    const may = mayStart();
    if (may === 'later') this.#later(TRY_AGAIN_MS, () => this.#start());
    if (may !== 'now') return;
    const containerRun = this.#nextContainerRun();
    const containerID = this.#idOf(++this.#runs);
    this.#run = { containerID, startedAtMs: sim.elapsedMs, containerRun };
    onChange('starts', containerID);
    const { ends } = containerRun;
    const isLast = this.#runs >= this.#options.plan.runs.length;
    if (ends && !isLast) this.#later(ends.afterMs, () => this.end(containerID, ends.exitCode));
  }

  #nextContainerRun(): ContainerRun {
    const { runs } = this.#options.plan;
    return runs[Math.min(this.#runs, runs.length - 1)] ?? { afterMs: 0, drainMs: 0, answers: {} };
  }

  #comesBack(exitCode: number): boolean {
    const { plan, restartPolicy } = this.#options;
    if (plan.isSidecar || restartPolicy === 'Always') return true;
    return restartPolicy === 'OnFailure' && exitCode !== 0;
  }

  #idOf(attempt: number): string {
    return `containerd://${this.#options.pod}-${this.#options.name}-${attempt}`;
  }

  #later(ms: number, run: () => void): void {
    this.#options.sim.schedule(ms, 'containers', this.#options.name, run);
  }
}
