import type { HistoryEntry } from '../history.ts';

type Answer = Extract<HistoryEntry, { kind: 'answer' }>;

/** The number of probes that show a wrong rhythm. */
const PROBES_SHOWN = 4;

/** The past of a worker, for messages: its latest calls and answers, and the reason why it had to stop. Hypotheses lack it. */
export class WorkerPast {
  /** The starts of this probe in the whole run, in ms. */
  readonly #callsMs: readonly number[];
  #lastCallMs: number | undefined;
  #answer: Answer | undefined;
  /** The end of the latest probe that took a period or longer. */
  #slowUntilMs: number | undefined;
  #stop: string | undefined;

  readonly #periodMs: number;

  constructor({ callsMs, periodMs }: { readonly callsMs: readonly number[]; readonly periodMs: number }) {
    this.#callsMs = callsMs;
    this.#periodMs = periodMs;
  }

  note(entry: HistoryEntry): void {
    if (entry.kind === 'call') this.#lastCallMs = entry.atMs;
    if (entry.kind === 'answer') {
      this.#answer = entry;
      if (entry.atMs - (this.#lastCallMs ?? entry.atMs) >= this.#periodMs) this.#slowUntilMs = entry.atMs;
    }
    if (entry.kind === 'stop') this.#stop = `stopLivenessAndStartup was called at ${entry.atMs} ms`;
    if (entry.kind === 'remove') this.#stop = `${entry.how} was called at ${entry.atMs} ms`;
    if (entry.kind === 'abort')
      this.#stop = `the kubelet died at ${entry.atMs} ms, which aborted the signal of the manager`;
  }

  /** The reason why the worker had to stop. */
  get sayStop(): string {
    return this.#stop ?? 'its pod or its container has ended for good';
  }

  /** Describes the latest answer, with the message of its event. */
  get sayAnswer(): string {
    if (!this.#answer) return 'no probe has run yet';
    const { means, says } = this.#answer;
    const because = says === undefined ? '' : ` (${says.slice(0, 120)})`;
    if (means === 'error') return `its last probe ended in an error, which counts as no answer${because}`;
    return `its last answer was ${means}${because}`;
  }

  /** Explains why no tick is due at this time, with the times of the probes around it. */
  sayOffTick(atMs: number, dueMs: number): string {
    const due = `its next tick is due at ${dueMs} ms`;
    const lastMs = this.#lastCallMs;
    if (lastMs === undefined) return due;
    if (this.#slowUntilMs === atMs)
      return `${due}; all ticks that fell due during the previous probe must be replaced by one`;
    const ranMs = this.#callsMs.filter((ms) => ms >= lastMs).slice(0, PROBES_SHOWN);
    return `${due}, because the last one ran at ${lastMs} ms and periodSeconds is ${this.#periodMs / 1_000}. From then on this probe ran at ${ranMs.join(', ')} ms`;
  }

  /** Explains why a tick is due. */
  get sayDue(): string {
    return this.#lastCallMs === undefined
      ? 'no probe has run before'
      : `the last one ran at ${this.#lastCallMs} ms, and periodSeconds is ${this.#periodMs / 1_000}`;
  }
}
