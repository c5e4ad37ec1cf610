import { proxy, type Remote, wrap } from 'comlink';
import { OWN_FILES_URL, OWN_SAVED, type OwnFile } from '../protocol/own.ts';
import type { Frame, RunService } from '../protocol/run-service.ts';

/** The interval of the questions whether the worker still answers, in real ms. */
const PING_MS = 2_000;
/** The worker counts as stuck after this number of unanswered questions. A busy worker answers between two tasks. */
const PINGS_MISSED = 4;

/** Listeners of a {@link Connection}. */
interface Listeners {
  readonly onFrame: (frame: Frame) => void;
  /** Called when the worker does not answer: the learner's code may never return. Restart the connection then. */
  readonly onStuck: () => void;
  /** Called with each file that the learner has saved, and with the error if it cannot be loaded. */
  readonly onSaved: (file: OwnFile, error: string | undefined) => void;
}

/** The page's connection to its worker, which runs the cluster. */
export interface Connection {
  readonly service: Remote<RunService>;
  /** Ends the worker, whatever it does. The connection is dead then: connect again. */
  close(): void;
}

/** Starts a worker, and offers it the learner's files if a development server serves the page. */
export async function connect({ onFrame, onStuck, onSaved }: Listeners): Promise<Connection> {
  const worker = new Worker(new URL('../worker.ts', import.meta.url), { type: 'module', name: 'cluster' });
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('message', () => resolve(), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
  });
  const service = wrap<RunService>(worker);
  let missed = 0;
  const pings = setInterval(() => {
    if (++missed === PINGS_MISSED) onStuck();
    void service.ownKatas().then(() => {
      missed = 0;
    });
  }, PING_MS);
  const saved = (file: OwnFile): void => {
    service.reload(file).then(
      () => onSaved(file, undefined),
      (error: Error) => onSaved(file, error.message),
    );
  };
  import.meta.hot?.on(OWN_SAVED, saved);
  await service.onFrame(proxy(onFrame));
  if (import.meta.hot) await service.offer((await (await fetch(OWN_FILES_URL)).json()) as OwnFile[]);
  return {
    service,
    close() {
      clearInterval(pings);
      import.meta.hot?.off(OWN_SAVED, saved);
      worker.terminate();
    },
  };
}
