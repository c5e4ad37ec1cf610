import type { Components } from '#harness';

export { components as reference } from './components.ts';

/** A learner's finished components, by their kata. The tests of the references have none. */
export const own: ReadonlyMap<string, Partial<Components>> = new Map();
