import type { KubeObject } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Watch } from '../../contracts/client.ts';
import { encodeObject } from './encode.ts';
import { encodeProtobufEvent } from './encode-protobuf.ts';
import { statusOf } from './respond.ts';
import type { TransformEvent } from './transform.ts';

/** A chunk ends with the event that reaches this length, in characters or bytes. */
const CHUNK_LENGTH_MAX = 64 * 1024;

/** The encoding of a stream of events. */
interface Encoding {
  readonly contentType: string;
  encodeEvent(event: WatchEvent): string | Uint8Array;
}

const encodings = {
  'application/json': {
    contentType: 'application/json',
    encodeEvent: ({ type, object }) => `{"type":"${type}","object":${encodeObject(object)}}\n`,
  },
  // This stream may contain only frames.
  'application/vnd.kubernetes.protobuf': {
    contentType: 'application/vnd.kubernetes.protobuf;stream=watch',
    encodeEvent: encodeProtobufEvent,
  },
} as const satisfies Readonly<Record<string, Encoding>>;

interface WatchResponseOptions {
  /** @defaultValue `application/json` */
  readonly mediaType?: keyof typeof encodings;
  /** Converts the objects. @defaultValue objects stay unchanged and are encoded once for all watches */
  readonly transform?: TransformEvent;
}

/**
 * Streams the events of `watch`. The watch stops and the stream ends when the reader cancels or `signal`, the signal of
 * the request, aborts. The transport must report an error to the aborting client.
 *
 * A watch as a Response: one JSON object per line, or a sequence of protobuf frames, until either side ends it.
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
  { encodeEvent }: Encoding,
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
    },
    // The stream pulls one chunk at a time, so the events for a slow reader stay in the watch.
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
        // A chunk costs more than an event, so buffered events go out together.
      } while (!over && watch.buffered && length < CHUNK_LENGTH_MAX);
      if (chunk.length > 0) controller.enqueue(joined(chunk));
      if (over) controller.close();
    },
    cancel: finish,
  });
}

/** Returns the next event. If a watch breaks, returns an error event, because the headers are already sent. */
async function nextEvent(events: AsyncIterator<WatchEvent>): Promise<IteratorResult<WatchEvent, unknown>> {
  try {
    return await events.next();
  } catch (error) {
    return { done: false, value: { type: 'ERROR', object: statusOf(error) } };
  }
}

const encoder = new TextEncoder();

/** Joins texts or bytes in memory of their own, because a transport may transfer it. */
function joined(chunk: readonly (string | Uint8Array)[]): Uint8Array {
  return typeof chunk[0] === 'string'
    ? encoder.encode(chunk.join(''))
    : Uint8Array.from(Buffer.concat(chunk as readonly Uint8Array[]));
}
