import { expect } from 'vitest';
import { namespaces } from '../../api/resource.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';

/** The origin of all requests. */
export const host = 'http://apiserver.test';

/** `/api/v1/namespaces/default/pods` */
export const podsPath = '/api/v1/namespaces/default/pods';

/** Creates a handler for an apiserver with the namespace `default`. */
export async function served() {
  const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const handler = createHandler(server);
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const typed = { 'Content-Type': 'application/json', ...headers };
    return handler(
      new Request(`${host}${path}`, {
        method,
        headers: typed,
        ...(text === undefined ? {} : { body: text }),
      }),
    );
  };
  /** Sends a request and returns the code, reason and message of its failure. */
  const refused = async (...request: Parameters<typeof send>): Promise<[number, string, string]> => {
    const response = await send(...request);
    const { kind, status, code, reason, message } = (await response.json()) as Record<
      string,
      string | number
    >;
    expect([kind, status, code]).toEqual(['Status', 'Failure', response.status]);
    return [response.status, String(reason), String(message)];
  };
  return { handler, send, refused };
}
