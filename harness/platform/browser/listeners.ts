import type { Listeners } from '../types.ts';

/** A browser never warns. */
export const allowManyListeners: Listeners['allowManyListeners'] = () => undefined;
