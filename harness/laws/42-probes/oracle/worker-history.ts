import type { HistoryEntry } from '../history.ts';

type Answer = Extract<HistoryEntry, { kind: 'answer' }>;

/** The past of a worker, for messages: its latest calls and answers, and the reason why it had to stop. Hypotheses lack it. */
export class WorkerPast {
  /** The calls of this probe in the whole run, in ms. */
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

  /** Explains why no tick is due at this time. */
  sayOffTick(atMs: number, dueMs: number): string {
    const due = `its next tick is due at ${dueMs} ms`;
    const lastMs = this.#lastCallMs;
    if (lastMs === undefined) return due;
    const period = `periodSeconds is ${this.#periodMs / 1_000}`;
    if (this.#slowUntilMs === atMs)
      return `${due}; all ticks that fell due during the previous probe must be replaced by one`;
    if (this.#callsMs.includes(dueMs))
      return `the last one ran at ${lastMs} ms, ${period}, and another one runs at ${dueMs} ms, which is the right time: two workers run for one probe`;
    return `${due}, because the last one ran at ${lastMs} ms and ${period}`;
  }

  /** Explains why a tick is due. */
  get sayDue(): string {
    return this.#lastCallMs === undefined
      ? 'no probe has run before'
      : `the last one ran at ${this.#lastCallMs} ms, and periodSeconds is ${this.#periodMs / 1_000}`;
  }
}
