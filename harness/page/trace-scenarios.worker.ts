import { traceHash } from './trace-scenarios.ts';

/** A worker for a test: answers the name of a scenario with the hash of its trace. */
addEventListener('message', ({ data }: MessageEvent<string>) => {
  traceHash(data).then(postMessage, (error: Error) => postMessage({ error: error.stack }));
});
