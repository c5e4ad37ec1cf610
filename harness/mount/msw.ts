import type { Transformer } from 'node:stream/web';
import { type HttpHandler, http } from 'msw';
import { cutBy, type FetchHandler } from './fetch.ts';

/**
 * Returns handlers for msw's `setupServer`: `handler` answers all requests of this process to `baseUrl`, from `fetch`
 * or `node:http`.
 *
 * @param baseUrl without a trailing slash
 */
export function mswHandlers(baseUrl: string, handler: FetchHandler): readonly HttpHandler[] {
  return [
    http.all(`${baseUrl}/*`, async ({ request }) =>
      // Without this, msw keeps reading a body after the client has aborted the request.
      cutBy(request.signal, await handler(request), flushingHeaders),
    ),
  ];
}

/** msw holds back the headers of a response to `node:http` until the first chunk. An empty chunk sends them. */
const flushingHeaders: Transformer<Uint8Array, Uint8Array> = {
  start: (controller) => controller.enqueue(new Uint8Array()),
};
