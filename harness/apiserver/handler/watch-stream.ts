import type { KubeObject } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Watch } from '../../contracts/client.ts';
import { encodeObject } from './encode.ts';
import { statusOf } from './respond.ts';
import type { TransformEvent } from './transform.ts';

/** A chunk ends with the event that makes it so long, in characters. */
const CHUNK_LENGTH_MAX = 64 * 1024;

/**
 * Streams the events of `watch`. The watch is stopped and the stream over as soon as the reader cancels or
 * `signal`, that of the request, is aborted. To let a client that aborts see an error is the transport's part.
 *
 * A watch as a Response: one JSON object a line, for as long as either side likes.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/watch.go WatchServer.HandleHTTP
 *
 * @param transform what the objects become; without it they stay what they are, and are encoded once for all watches
 */
export function watchResponse(
  watch: Watch<KubeObject>,
  signal: AbortSignal,
  transform?: TransformEvent,
): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };
  return new Response(watchStream(watch, signal, transform), { headers });
}

function watchStream(
  watch: Watch<KubeObject>,
  signal: AbortSignal,
  transform: TransformEvent = ({ object }) => object,
): ReadableStream<Uint8Array> {
  const events = watch[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
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
      // Some transports hold the headers back until there is something to send with them.
      controller.enqueue(encoder.encode('\n'));
    },
    // Asked a chunk at a time: a reader that is slow leaves the rest with the watch.
    async pull(controller) {
      let text = '';
      do {
        const { done, value } = await nextEvent(events);
        if (over) return;
        const line = done ? '' : encodeEvent(value, transform);
        if (line) text += line;
        else finish();
        // A chunk costs more than an event: what has happened already goes out in one.
      } while (!over && watch.buffered && text.length < CHUNK_LENGTH_MAX);
      if (text) controller.enqueue(encoder.encode(text));
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

/** One line; nothing for an event whose object cannot be had as it was asked for. */
function encodeEvent(event: WatchEvent, transform: TransformEvent): string {
  const object = transform(event);
  return object ? `{"type":"${event.type}","object":${encodeObject(object)}}\n` : '';
}
