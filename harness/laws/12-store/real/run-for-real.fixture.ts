import {
  type KeyRange,
  type KeyValueStore,
  type KeyWatch,
  StoreError,
} from '../../../contracts/store/index.ts';
import { rangeHas } from '../../../contracts/store/ranges.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { Simulation } from '../../../sim/index.ts';
import {
  type Answer,
  copied,
  type Event,
  type HistoryEntry,
  perform,
  type Request,
  type StoreHistory,
} from '../history.ts';
import { render } from '../render/history.ts';
import type { Step, StoreScenario, WatcherPlan } from '../scenario/index.ts';
import { audit } from '../simulation/audit.ts';
import { Known } from '../simulation/known.ts';

/**
 * Runs a scenario against a store of the real world. Its clients call without pauses, and nothing waits for a clock: a
 * watcher begins after a number of calls, and the end is there when each watcher has received a last change. The store
 * does not crash.
 */
export async function runForReal(store: KeyValueStore, scenario: StoreScenario): Promise<StoreHistory> {
  return await new RealRun(store, scenario).live();
}

class RealRun {
  readonly known = new Known();
  readonly #store: KeyValueStore;
  readonly #scenario: StoreScenario;
  readonly #entries: HistoryEntry[] = [];
  /** Only its trace is used. */
  readonly #sim = new Simulation();
  readonly #streams = new Map<number, KeyWatch>();
  readonly #waiting: { readonly op: number; readonly go: () => void }[] = [];
  /** The range of each watch, and the last revision that it has seen. */
  readonly #seen = new Map<number, { readonly range: KeyRange; readonly revision: number }>();
  #onSeen: () => void = () => {};
  #ops = 0;

  constructor(store: KeyValueStore, scenario: StoreScenario) {
    this.#store = store;
    this.#scenario = scenario;
  }

  async live(): Promise<StoreHistory> {
    const { clients, watchers } = this.#scenario;
    this.#record({ kind: 'starts', process: 0 });
    this.#record({ kind: 'opened', process: 0 });
    const readers = watchers.map((plan, i) => this.#watch(`watcher ${i + 1}`, plan));
    await Promise.all(clients.map((steps, i) => this.#play(`client ${i + 1}`, steps)));
    await audit(this);
    this.#ops = Number.POSITIVE_INFINITY;
    this.#wake();
    const lasts = await Promise.all(
      watchers.map(async ({ range: { key } }) => {
        const answer = await this.call('auditor', () => ({
          call: 'transact',
          transaction: { then: [{ put: { key, value: 'the end' } }] },
        }));
        return { key, revision: answer.kind === 'transaction' ? answer.result.revision : 0 };
      }),
    );
    await this.#untilSeen(lasts);
    this.#record({ kind: 'rest' });
    for (const [watch, stream] of this.#streams) {
      this.#record({ kind: 'stops', watch });
      stream.stop();
    }
    await Promise.all(readers);
    const { trace } = this.#sim;
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      leaseSlackMs: 0,
      hash: '',
      timeline: () => drawTimeline(trace.entries),
    };
  }

  async call(by: string, plan: () => Request): Promise<Answer> {
    this.#ops++;
    const op = this.#entries.length;
    const request = plan();
    this.#record({ kind: 'call', op, by, request });
    this.#wake();
    const answer = await perform(this.#store, request).catch(
      (error: unknown): Answer =>
        error instanceof StoreError ? { kind: 'refused', code: error.code } : { kind: 'failed', error },
    );
    this.#record({ kind: 'answer', op, answer });
    this.known.learn(request, answer);
    return answer;
  }

  async #play(by: string, steps: readonly Step[]): Promise<void> {
    for (const { afterMs: _, times = 1, ...plan } of steps)
      for (let i = 0; i < times; i++)
        await this.call(by, () =>
          this.known.request(plan.call === 'grantLease' ? { ...plan, seconds: 60 } : plan),
        );
  }

  /** Starts the watchers whose turn has come. */
  #wake(): void {
    const ready = this.#waiting.filter(({ op }) => op <= this.#ops);
    for (const one of ready) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.go();
    }
  }

  async #watch(by: string, { startsAtMs, range, from }: WatcherPlan): Promise<void> {
    const op = Math.floor(startsAtMs / 4);
    if (op > this.#ops) await new Promise<void>((go) => this.#waiting.push({ op, go }));
    // The gateway opens a watch some time after the call, so its start must be a certain revision.
    await this.#read(by, { ...range, startRevision: this.known.revision(from ?? { fromNewest: 1 }) });
  }

  async #read(
    by: string,
    request: { readonly key: string; readonly end?: string; readonly startRevision: number },
  ): Promise<void> {
    const watch = this.#entries.length;
    this.#record({ kind: 'watch', watch, by, request });
    const stream = this.#store.watch(request);
    this.#streams.set(watch, stream);
    const see = (revision: number): void => {
      this.#seen.set(watch, { range: request, revision });
      this.#onSeen();
    };
    see(0);
    for await (const response of stream) {
      this.#record(copied({ kind: 'response', watch, response }));
      const last = response.events.at(-1)?.kv.modRevision ?? 0;
      see(response.compactRevision === undefined ? last : Number.POSITIVE_INFINITY);
    }
    this.#record({ kind: 'ends', watch });
    see(Number.POSITIVE_INFINITY);
  }

  /** Resolves when each watch has ended, or has seen all of these writes in its range. */
  async #untilSeen(writes: readonly { readonly key: string; readonly revision: number }[]): Promise<void> {
    const isDone = (): boolean =>
      [...this.#seen.values()].every(({ range, revision }) =>
        writes.every((write) => !rangeHas(range, write.key) || revision >= write.revision),
      );
    while (!isDone())
      await new Promise<void>((resolve) => {
        this.#onSeen = resolve;
      });
  }

  #record(event: Event): void {
    this.#entries.push({ atMs: this.#entries.length, ...event } as HistoryEntry);
    const seen = render(event);
    if (seen) this.#sim.trace.record(seen);
  }
}
