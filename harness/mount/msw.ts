import { type HttpHandler, http } from 'msw';
import { cutBy, type FetchHandler } from './fetch.ts';

/**
 * Returns handlers for msw's `setupServer`: `handler` answers all requests of this process to `baseUrl`, from `fetch`
 * or `node:http`.
 *
 * @param baseUrl without a trailing slash
 */
export function mswHandlers(baseUrl: string, handler: FetchHandler): readonly HttpHandler[] {
  // Without this, msw keeps reading a body after the client has aborted the request.
  return [http.all(`${baseUrl}/*`, async ({ request }) => cutBy(request.signal, await handler(request)))];
}
