import type { Client } from './client.ts';
import type { ApiAnswer, ApiRequest, Send } from './request.ts';
import { RequestClient, sendTo } from './request-client.ts';

/**
 * A function between a caller and a client, which sees each request and answers it.
 *
 * @param request the request of the caller; `request.verb` narrows its type
 * @param send sends a request to the client: this one or another, any number of times
 * @returns the answer for the verb of the request; the caller receives it. A rejection also reaches the caller
 */
type Interceptor = (request: ApiRequest, send: Send) => Promise<ApiAnswer>;

/**
 * Returns a client whose requests all pass through `interceptor`, in the order in which they are made.
 *
 * @example
 * const asked: string[] = [];
 * const listened = intercept(client, (request, send) => {
 *   asked.push(`${request.verb} ${request.resource.plural}`);
 *   return send(request);
 * });
 */
export function intercept(client: Client, interceptor: Interceptor): Client {
  const send = sendTo(client);
  return new RequestClient((request) => interceptor(request, send));
}
