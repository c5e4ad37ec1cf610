import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request to send. */
export interface LoadRequest {
  readonly method: string;
  /** The path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The server to put under load, over HTTPS. */
export interface LoadTarget {
  readonly url: string;
  /** The certificate of its authority, in PEM. */
  readonly ca: string;
}

/** The requests and streams of a load test. */
export interface LoadJob extends LoadTarget {
  /** Sent in order, each over the next free connection. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Sent once over each connection, before the measurement. */
  readonly warmUp: LoadRequest;
  /** Streams opened before the first request. The job ends when each has received its events. */
  readonly streams?: {
    readonly count: number;
    readonly request: LoadRequest;
    /** A text that occurs exactly once in each event. */
    readonly event: string;
    readonly events: number;
  };
}

/** A report of the process: connected, done, or an error. */
export type LoadReport = 'connected' | 'done' | { readonly failed: string };

/**
 * Starts clients in a separate process, so that they share no event loop with the server. It connects, opens the
 * streams, and waits.
 *
 * @returns a function that sends the requests, and resolves when all responses and events have arrived
 * @throws Error when a response is not successful
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
