/** The part of the harness that the katas of the fixtures use. Their runs load it from the bundle, as katas load theirs. */

export { noteCaught } from '../contracts/caught.ts';
export { ConnectionError } from '../contracts/connection-error.ts';
export { NotImplemented, todo } from '../contracts/todo.ts';
export { Simulation } from '../sim/index.ts';
export { holds, lawAbout, remembering } from '../testing/holds.ts';
export { noteTimeline } from '../testing/property.ts';
