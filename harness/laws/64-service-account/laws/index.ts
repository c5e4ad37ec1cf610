export { completes, givesUp, prompt, quiet, valid } from './liveness.ts';
export { itsOwn, kept, modest, spared } from './safety.ts';
