import { deepFreeze } from '../api/freeze.ts';
import type { KubeObject } from '../api/objects.ts';
import { genericServerResponse } from '../api/server-response.ts';
import type { Status } from '../api/status.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from '../contracts/client.ts';
import { linesOf } from './json-lines.ts';

/**
 * A watch over HTTP, one event per line. It reads only as fast as the caller iterates.
 *
 * A broken connection ends it like an end from the server: the client resumes either way. A line that cannot be decoded
 * becomes an `ERROR` event.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/watch/streamwatcher.go StreamWatcher
 */
export class HttpWatch<T extends KubeObject> implements Watch<T> {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #close: () => void;
  #stopped = false;

  /** @param close closes the connection; called once */
  constructor(body: ReadableStream<Uint8Array>, close: () => void) {
    this.#reader = body.getReader();
    this.#close = close;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    // Ends a pending read, and notifies the other end if the transport can. Cancelling a broken stream fails, which is
    // harmless here.
    this.#reader.cancel().catch(() => {});
    this.#close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void, undefined> {
    try {
      for await (const lines of linesOf(this.#reader)) {
        for (const line of lines) {
          if (this.#stopped) return;
          const event = decodeEvent<T>(line);
          yield event;
          if (event.type === 'ERROR') return;
        }
      }
    } catch {
      // Only the transport throws here; an error in the body of the caller's loop does not.
    } finally {
      this.stop();
    }
  }
}

function decodeEvent<T extends KubeObject>(line: string): WatchEvent<T> {
  let event: { type?: unknown; object?: unknown };
  try {
    event = JSON.parse(line);
  } catch (error) {
    return undecodable(error instanceof Error ? error.message : String(error));
  }
  const { type, object } = event;
  if (typeof object !== 'object' || object === null) return undecodable('the event has no object');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
    case 'ERROR':
      return deepFreeze(event) as WatchEvent<T>;
    default:
      return undecodable(`got invalid watch event type: ${String(type)}`);
  }
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/errors/errors.go NewClientErrorReporter */
function undecodable(why: string): WatchEvent<never> {
  const message = `unable to decode an event from the watch stream: ${why}`;
  const { status } = genericServerResponse({ code: 500, serverMessage: message, unexpected: true });
  const causes = [...(status.details?.causes ?? []), { reason: 'ClientWatchDecoding', message }];
  const object: Status = { ...status, details: { ...status.details, causes } };
  return { type: 'ERROR', object };
}
