import { expose } from 'comlink';
import { traceHashes } from './scenarios.ts';

/** The functions of a worker for a test. */
const worker = { traceHashes };

export type TraceWorker = typeof worker;

expose(worker);
