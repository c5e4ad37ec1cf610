import { wrap } from 'comlink';
import type { TraceWorker } from './worker.ts';

const worker = wrap<TraceWorker>(
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'traces' }),
);

/** A page for a test: shows the hashes of the scenarios in its address, as JSON. `#["3 replicas"]` */
const names: readonly string[] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const output = document.querySelector('output') as HTMLOutputElement;
output.value = JSON.stringify(await worker.traceHashes(names));
