import type { RunService } from '../protocol/run-service.ts';
import type { Connection } from './connection.ts';

/**
 * Returns a service that can be called before its worker is ready: each call waits for the connection. The connection
 * may be replaced by another one: later calls go there.
 *
 * @param connection returns the present connection
 */
export function liveService(connection: () => Promise<Connection>): RunService {
  return new Proxy({} as RunService, {
    get:
      (_, name: keyof RunService) =>
      async (...values: readonly unknown[]) => {
        const { service } = await connection();
        const call = service[name] as unknown as (...values: readonly unknown[]) => Promise<unknown>;
        return call(...values);
      },
  });
}
