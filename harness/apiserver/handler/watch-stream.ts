import type { KubeObject } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Watch } from '../../contracts/client.ts';
import { encodeObject } from './encode.ts';
import { encodeProtobufEvent } from './encode-protobuf.ts';
import { statusOf } from './respond.ts';
import type { TransformEvent } from './transform.ts';

/** A chunk ends with the event that makes it so long, in characters or bytes. */
const CHUNK_LENGTH_MAX = 64 * 1024;

/** How events are written one after the other. */
interface Encoding {
  readonly contentType: string;
  /** What stands before the first event: some transports hold the headers back until there is something. */
  readonly opening: string;
  encodeEvent(event: WatchEvent): string | Uint8Array;
}

const encodings = {
  'application/json': {
    contentType: 'application/json',
    opening: '\n',
    encodeEvent: ({ type, object }) => `{"type":"${type}","object":${encodeObject(object)}}\n`,
  },
  // Nothing but frames may stand in it.
  'application/vnd.kubernetes.protobuf': {
    contentType: 'application/vnd.kubernetes.protobuf;stream=watch',
    opening: '',
    encodeEvent: encodeProtobufEvent,
  },
} as const satisfies Readonly<Record<string, Encoding>>;

interface WatchResponseOptions {
  /** @defaultValue `application/json` */
  readonly mediaType?: keyof typeof encodings;
  /** What the objects become. @defaultValue they stay what they are, and are encoded once for all watches */
  readonly transform?: TransformEvent;
}

/**
 * Streams the events of `watch`. The watch is stopped and the stream over as soon as the reader cancels or
 * `signal`, that of the request, is aborted. To let a client that aborts see an error is the transport's part.
 *
 * A watch as a Response: one JSON object a line, or one frame of protobuf after the other, for as long as either side
 * likes.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/watch.go WatchServer.HandleHTTP
 */
export function watchResponse(
  watch: Watch<KubeObject>,
  signal: AbortSignal,
  { mediaType = 'application/json', transform }: WatchResponseOptions = {},
): Response {
  const encoding = encodings[mediaType];
  const headers = { 'Content-Type': encoding.contentType, 'Cache-Control': 'no-cache, private' };
  return new Response(watchStream(watch, signal, encoding, transform), { headers });
}

function watchStream(
  watch: Watch<KubeObject>,
  signal: AbortSignal,
  { opening, encodeEvent }: Encoding,
  transform: TransformEvent = ({ object }) => object,
): ReadableStream<Uint8Array> {
  const events = watch[Symbol.asyncIterator]();
  let over = false;
  const finish = (): void => {
    over = true;
    signal.removeEventListener('abort', abort);
    watch.stop();
  };
  let abort = (): void => {};

  return new ReadableStream<Uint8Array>({
    start(controller) {
      abort = () => {
        if (over) return;
        finish();
        controller.close();
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      if (opening) controller.enqueue(encoder.encode(opening));
    },
    // Asked a chunk at a time: a reader that is slow leaves the rest with the watch.
    async pull(controller) {
      const chunk: (string | Uint8Array)[] = [];
      let length = 0;
      do {
        const { done, value } = await nextEvent(events);
        if (over) return;
        const object = done ? undefined : transform(value);
        if (done || !object) finish();
        else {
          const event = encodeEvent({ ...value, object } as WatchEvent);
          chunk.push(event);
          length += event.length;
        }
        // A chunk costs more than an event: what has happened already goes out in one.
      } while (!over && watch.buffered && length < CHUNK_LENGTH_MAX);
      if (chunk.length > 0) controller.enqueue(joined(chunk));
      if (over) controller.close();
    },
    cancel: finish,
  });
}

/** A watch that breaks says why in the stream, for the headers have left long ago. */
async function nextEvent(events: AsyncIterator<WatchEvent>): Promise<IteratorResult<WatchEvent, unknown>> {
  try {
    return await events.next();
  } catch (error) {
    return { done: false, value: { type: 'ERROR', object: statusOf(error) } };
  }
}

const encoder = new TextEncoder();

/** Texts, or bytes, in one: in memory that is theirs alone, for a transport may take it away. */
function joined(chunk: readonly (string | Uint8Array)[]): Uint8Array {
  return typeof chunk[0] === 'string'
    ? encoder.encode(chunk.join(''))
    : Uint8Array.from(Buffer.concat(chunk as readonly Uint8Array[]));
}
