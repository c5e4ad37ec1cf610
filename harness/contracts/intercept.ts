import type { Client } from './client.ts';
import type { ApiAnswer, ApiRequest, Send } from './request.ts';
import { RequestClient, sendTo } from './request-client.ts';

/**
 * Stands between a caller and a client: it sees each request, and answers it.
 *
 * @param request as the caller made it; `request.verb` narrows it
 * @param send asks the client: for this request, for another one, several times or not at all
 * @returns the answer of the request's verb, which is what the caller gets; a rejection is the caller's, too
 */
type Interceptor = (request: ApiRequest, send: Send) => Promise<ApiAnswer>;

/**
 * A client whose requests all go through `interceptor`, in the order in which they are made.
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
