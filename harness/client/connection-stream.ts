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
  /** What holds it back. Nothing arrives as long as there is one, not even its end. */
  readonly #holds = new Set<object>();
  #letThrough: (() => void)[] = [];
  /** Stops listening for the client's abort. */
  #unlisten = (): void => {};
  /** What comes from the apiserver is lost from here on: the server has given up on this stream. */
  #failed = false;

  /** `source` is the apiserver's end; `onEnd` is called once, when the stream is over for whatever reason. */
  constructor(line: Line, object: string, source: Watch<KubeObject>, onEnd: () => void) {
    this.#line = line;
    this.#object = object;
    this.#source = source;
    this.#queue = new WatchQueue(() => {
      source.stop();
      onEnd();
      // A signal outlives many streams. As long as something is left to read, an abort must still discard it.
      if (this.#queue.buffered === 0) this.#unlisten();
    });
  }

  /** What it is a stream of: `pods`. */
  get resource(): string {
    return this.#object.split('/')[0] ?? this.#object;
  }

  /** Starts the flow. Gives the client's end, which `signal` closes. */
  open(signal: AbortSignal | undefined): Watch<KubeObject> {
    void this.#flow();
    const stop = (): void => this.#queue.stop();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    this.#unlisten = () => signal?.removeEventListener('abort', stop);
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
    if (this.#queue.ended || this.#failed) return;
    this.#failed = true;
    void this.#free(() => {
      if (this.#queue.ended) return;
      this.#line.record({ verb: 'ERROR', object: this.#object, outcome: status.reason });
      this.#queue.push({ type: 'ERROR', object: status });
      this.#queue.end();
    });
  }

  /** Holds back what has not arrived yet. Returns what ends that; several may hold at once. */
  hold(): () => void {
    const holder = {};
    this.#holds.add(holder);
    return () => {
      if (!this.#holds.delete(holder) || this.#holds.size > 0) return;
      for (const go of this.#letThrough.splice(0)) go();
    };
  }

  async #flow(): Promise<void> {
    let before = Promise.resolve();
    for await (const event of this.#source) {
      const atMs = this.#line.arrivesMs();
      before = before.then(() => this.#arrive(atMs, `event ${this.#object}`, () => this.#deliver(event)));
    }
    const atMs = this.#line.arrivesMs();
    await before;
    await this.#arrive(atMs, `end of ${this.#object}`, () => this.#end());
  }

  async #arrive(atMs: number, what: string, land: () => void): Promise<void> {
    if (this.#queue.ended) return;
    await this.#line.arrival(atMs, what);
    await this.#free(land);
  }

  /** Lands something now, or as soon as nothing holds the stream back any more. */
  #free(land: () => void): Promise<void> | undefined {
    if (this.#holds.size === 0) return void land();
    return new Promise<void>((resolve) => {
      this.#letThrough.push(resolve);
    }).then(() => this.#free(land));
  }

  #deliver(event: WatchEvent): void {
    if (this.#queue.ended || this.#failed || this.#line.severed) return;
    this.#line.record({ verb: event.type, ...described(event, this.#object) });
    this.#queue.push(event);
  }

  #end(): void {
    if (this.#queue.ended || this.#failed) return;
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
