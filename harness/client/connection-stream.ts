import type { KubeObject } from '../api/objects.ts';
import { keyOf, keyToString } from '../api/objects.ts';
import type { Status } from '../api/status.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from '../contracts/client.ts';
import { WatchQueue } from '../contracts/watch-queue.ts';
import type { Line } from '../sim/index.ts';

/** The state of an open watch, for observers. */
export interface OpenWatch {
  /** `pods`, `pods/default` */
  readonly object: string;
  /** The revision of the last event that arrived; before the first, that of the request. */
  readonly revision: number;
  /** Whether a fault holds back its events. */
  readonly isHeld: boolean;
}

/**
 * A watch between the apiserver and one client. Each event takes as long as any message, and events arrive one by one
 * in order. A stream is never reordered, and no event is repeated, as in a real cluster.
 */
export class ConnectionStream {
  readonly #line: Line;
  readonly #object: string;
  readonly #source: Watch<KubeObject>;
  readonly #queue: WatchQueue;
  /** The current holds on the stream. While there is one, no event arrives, and the stream does not end. */
  readonly #holds = new Set<object>();
  #letThrough: (() => void)[] = [];
  /** Stops listening for the client's abort. */
  #unlisten = (): void => {};
  /** Whether the server has failed this stream: later events of the apiserver are lost. */
  #failed = false;
  /** The revision of the last event that arrived. */
  #revision: number;

  /**
   * @param source the apiserver's end
   * @param onEnd called once, when the stream ends for any reason
   */
  constructor(
    line: Line,
    { object, revision }: Pick<OpenWatch, 'object' | 'revision'>,
    source: Watch<KubeObject>,
    onEnd: () => void,
  ) {
    this.#line = line;
    this.#object = object;
    this.#revision = revision;
    this.#source = source;
    this.#queue = new WatchQueue(() => {
      source.stop();
      onEnd();
      // A signal outlives many streams. While events remain to be read, an abort must still discard them.
      if (this.#queue.buffered === 0) this.#unlisten();
    });
  }

  /** The state of the stream, for observers. */
  get state(): OpenWatch {
    return { object: this.#object, revision: this.#revision, isHeld: this.#holds.size > 0 };
  }

  /** The watched resource: `pods`. */
  get resource(): string {
    return this.#object.split('/')[0] ?? this.#object;
  }

  /** Starts the flow. Returns the client's end, which `signal` closes. */
  open(signal: AbortSignal | undefined): Watch<KubeObject> {
    void this.#flow();
    const stop = (): void => this.#queue.stop();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    this.#unlisten = () => signal?.removeEventListener('abort', stop);
    return this.#queue;
  }

  /** Breaks the stream: events in flight do not arrive. */
  cut(): void {
    if (this.#queue.ended) return;
    if (!this.#line.severed) this.#line.record({ verb: 'cut', object: this.#object });
    this.#queue.end();
  }

  /** Ends the stream with an error from the server; events in flight do not arrive. */
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

  /**
   * Holds back the events that have not arrived yet. Returns a function that releases this hold; several holds can
   * overlap.
   */
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

  /** Calls `land` now, or as soon as no hold is left. */
  #free(land: () => void): Promise<void> | undefined {
    if (this.#holds.size === 0) return void land();
    return new Promise<void>((resolve) => {
      this.#letThrough.push(resolve);
    }).then(() => this.#free(land));
  }

  #deliver(event: WatchEvent): void {
    if (this.#queue.ended || this.#failed || this.#line.severed) return;
    const told = described(event, this.#object);
    this.#line.record({ verb: event.type, ...told });
    this.#revision = told.revision ?? this.#revision;
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
