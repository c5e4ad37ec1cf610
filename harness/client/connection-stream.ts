import type { KubeObject } from '../api/objects.ts';
import { keyOf, keyToString } from '../api/objects.ts';
import type { Status } from '../api/status.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from '../contracts/client.ts';
import { WatchQueue } from '../contracts/watch-queue.ts';
import type { Line } from '../sim/index.ts';

/**
 * A watch on its way from the apiserver to one client. Events travel as long as any message, and arrive one by
 * one in their order: a stream is never reordered and nothing in it is repeated, because no real one does that.
 */
export class ConnectionStream {
  readonly #line: Line;
  readonly #object: string;
  readonly #source: Watch<KubeObject>;
  readonly #queue: WatchQueue;
  /** Events arrive no earlier than this, in elapsed time. */
  #notBeforeMs = 0;

  /** `source` is the apiserver's end; `onEnd` is called once, when the stream is over for whatever reason. */
  constructor(line: Line, object: string, source: Watch<KubeObject>, onEnd: () => void) {
    this.#line = line;
    this.#object = object;
    this.#source = source;
    this.#queue = new WatchQueue(() => {
      source.stop();
      onEnd();
    });
  }

  /** Starts the flow. Gives the client's end, which `signal` closes. */
  open(signal: AbortSignal | undefined): Watch<KubeObject> {
    void this.#flow();
    const stop = (): void => this.#queue.stop();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    return this.#queue;
  }

  /** Breaks it: what is under way does not arrive. */
  cut(): void {
    if (this.#queue.ended) return;
    if (!this.#line.severed) this.#line.record({ verb: 'cut', object: this.#object });
    this.#queue.end();
  }

  /** Ends it with an error from the server; what is under way does not arrive. */
  fail(status: Status): void {
    if (this.#queue.ended) return;
    this.#line.record({ verb: 'ERROR', object: this.#object, outcome: status.reason });
    this.#queue.push({ type: 'ERROR', object: status });
    this.#queue.end();
  }

  /** Holds back what has not arrived yet for `ms`. */
  delay(ms: number): void {
    this.#notBeforeMs = Math.max(this.#notBeforeMs, this.#line.arrivesMs() + ms);
  }

  async #flow(): Promise<void> {
    let before = Promise.resolve();
    for await (const event of this.#source) {
      const atMs = this.#line.arrivesMs();
      before = before.then(() => this.#arrive(event, atMs));
    }
    await before;
    if (this.#queue.ended) return;
    await this.#line.arrival(this.#line.arrivesMs(), `end of ${this.#object}`);
    this.#end();
  }

  async #arrive(event: WatchEvent, atMs: number): Promise<void> {
    let dueMs = Math.max(atMs, this.#notBeforeMs);
    do {
      if (this.#queue.ended) return;
      await this.#line.arrival(dueMs, `event ${this.#object}`);
      dueMs = this.#notBeforeMs;
    } while (this.#line.nowMs() < dueMs);
    this.#deliver(event);
  }

  #deliver(event: WatchEvent): void {
    if (this.#queue.ended || this.#line.severed) return;
    this.#line.record({ verb: event.type, ...described(event, this.#object) });
    this.#queue.push(event);
  }

  #end(): void {
    if (this.#queue.ended) return;
    this.#line.record({ verb: 'end', object: this.#object });
    this.#queue.end();
  }
}

function described(
  event: WatchEvent,
  stream: string,
): { object: string; revision?: number; outcome?: string } {
  if (event.type === 'ERROR') return { object: stream, outcome: event.object.reason };
  const revision = Number(event.object.metadata.resourceVersion);
  if (event.type === 'BOOKMARK') return { object: stream, revision };
  const resource = stream.split('/')[0] ?? stream;
  return { object: `${resource}/${keyToString(keyOf(event.object))}`, revision };
}
