import { wrap } from 'comlink';
import type { TraceWorker } from './worker.ts';

const worker = wrap<TraceWorker>(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'traces' }),
);

/** A page for a test: shows the hash of each scenario as JSON. */
const output = document.querySelector('output') as HTMLOutputElement;
output.value = JSON.stringify(await worker.traceHashes());
