import { type HttpHandler, http } from 'msw';
import { cutBy, type FetchHandler } from './fetch.ts';

/**
 * Handlers for msw's `setupServer`: whatever in this process asks for `baseUrl`, by `fetch` or by `node:http`,
 * is answered by `handler`.
 *
 * @param baseUrl without a slash at the end
 */
export function mswHandlers(baseUrl: string, handler: FetchHandler): readonly HttpHandler[] {
  // By itself, msw goes on with a body that is not read any more.
  return [http.all(`${baseUrl}/*`, async ({ request }) => cutBy(request.signal, await handler(request)))];
}
