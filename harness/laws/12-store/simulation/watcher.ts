import type { KeyValueStore, KeyWatch } from '../../../contracts/store/index.ts';
import type { WatcherPlan } from '../scenario/index.ts';
import type { StoreSimulation } from './index.ts';

/** The pause of a client before it watches again after a compaction. */
const RETRY_MS = 10;

/** A client that watches a range, over all processes of the store. */
export class Watcher {
  readonly #run: StoreSimulation;
  readonly #name: string;
  readonly #plan: WatcherPlan;
  /** The first revision that it has not seen; undefined: the next one. */
  #next: number | undefined;
  /** The revision of the compaction that ended its last watch. */
  #compacted: number | undefined;
  #isStopped = false;

  constructor(run: StoreSimulation, name: string, plan: WatcherPlan) {
    this.#run = run;
    this.#name = name;
    this.#plan = plan;
  }

  async live(): Promise<void> {
    const { startsAtMs, from } = this.#plan;
    await this.#run.sim.turn(startsAtMs, this.#name, 'watch');
    await this.#run.serving();
    if (from) this.#next = this.#run.known.revision(from);
    while (!this.#isStopped) {
      const { store, ending } = await this.#run.serving();
      const isCompacted = await this.#watch(store, ending);
      if (this.#isStopped) return;
      if (isCompacted) {
        const isNews = this.#compacted !== this.#next;
        if (this.#compacted !== undefined && this.#plan.resumes && isNews) this.#next = this.#compacted;
        else await this.#list();
        // A store that refuses every start would keep a client without pauses busy for ever.
        await this.#run.sim.turn(RETRY_MS, this.#name, 'watch again');
      } else await ending;
    }
  }

  /** Lists the range after a compaction. */
  async #list(): Promise<void> {
    const answer = await this.#run.call(this.#name, () => ({ call: 'range', request: this.#plan.range }));
    if (answer?.kind === 'range') this.#next = answer.result.revision + 1;
    else if (answer) this.#isStopped = true;
  }

  /** Watches until the stream or the process ends. Returns whether a compaction ended the stream. */
  async #watch(store: KeyValueStore, ending: Promise<void>): Promise<boolean> {
    const { range } = this.#plan;
    const request = { ...range, ...(this.#next !== undefined && { startRevision: this.#next }) };
    const { watch, stream } = this.#run.watch(store, this.#name, request);
    const cancel = this.#schedule(watch, stream);
    const life = { isOver: false };
    const reading = this.#read(watch, stream, life);
    const isCompacted = await Promise.race([reading, ending.then(() => false)]);
    life.isOver = true;
    for (const each of cancel) each();
    return isCompacted;
  }

  #schedule(watch: number, stream: KeyWatch): readonly (() => void)[] {
    const { asksAtMs, stopsAtMs } = this.#plan;
    const { sim } = this.#run;
    return [
      ...asksAtMs.map((ms) =>
        sim.schedule(ms, this.#name, 'progress', () => {
          this.#run.note({ kind: 'asks', watch });
          stream.requestProgress();
        }),
      ),
      ...(stopsAtMs === undefined
        ? []
        : [
            sim.schedule(stopsAtMs, this.#name, 'stop', () => {
              this.#isStopped = true;
              this.#run.note({ kind: 'stops', watch });
              stream.stop();
            }),
          ]),
    ];
  }

  /** Reads the stream. Returns whether a compaction ended it. */
  async #read(watch: number, stream: KeyWatch, life: { readonly isOver: boolean }): Promise<boolean> {
    let isCompacted = false;
    try {
      for await (const response of stream) {
        // The connection to a process that has ended delivers nothing more.
        if (life.isOver) continue;
        this.#run.note({ kind: 'response', watch, response });
        if (response.compactRevision !== undefined) isCompacted = true;
        this.#compacted = response.compactRevision;
        const last = response.events.at(-1)?.kv.modRevision ?? response.revision;
        this.#run.known.see(last);
        if (!isCompacted) this.#next = Math.max(this.#next ?? 0, last + 1);
        if (this.#plan.takesMs > 0) await this.#run.sim.turn(this.#plan.takesMs, this.#name, 'read');
      }
      this.#run.note({ kind: 'ends', watch });
    } catch (error) {
      this.#run.note({ kind: 'ends', watch, error });
    }
    return isCompacted;
  }
}
