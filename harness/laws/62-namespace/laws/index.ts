export { calm, goesOn, gone, quiet, truthful } from './liveness.ts';
export { graceful, onlyDeleted, outlived, ownFinalizer, podsFirst, timed, waits } from './safety.ts';
