import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request, ready to be sent. */
export interface LoadRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server that is put under load, over HTTPS. */
export interface LoadTarget {
  readonly url: string;
  /** The certificate of its authority, in PEM. */
  readonly ca: string;
}

/** What to send. */
export interface LoadJob extends LoadTarget {
  /** One after the other, over as many connections as are free. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Sent once over each connection, before the time is taken. */
  readonly warmUp: LoadRequest;
  /** Streams that are open before the first request is sent. The job is done when each has got its events. */
  readonly streams?: {
    readonly count: number;
    readonly request: LoadRequest;
    /** A text that stands once in each event, and nowhere else. */
    readonly event: string;
    readonly events: number;
  };
}

/** What the process says: all is connected; all is done; or what went wrong. */
export type LoadReport = 'connected' | 'done' | { readonly failed: string };

/**
 * Clients in a process of their own, so that they share no event loop with the server. Connects, opens the streams, and
 * waits.
 *
 * @returns sends the requests, and resolves when all is answered and every event has come
 * @throws Error for an answer that is no success
 */
export async function prepareLoad(job: LoadJob): Promise<() => Promise<void>> {
  const clients = fork(fileURLToPath(new URL('./load-process.fixture.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  clients.send(job);
  await reported(clients);
  return async () => {
    clients.send('go');
    await reported(clients);
    clients.kill();
  };
}

async function reported(clients: ChildProcess): Promise<void> {
  const [report] = (await once(clients, 'message')) as [LoadReport];
  if (typeof report === 'object') throw new Error(`Failed to put a server under load: ${report.failed}`);
}
