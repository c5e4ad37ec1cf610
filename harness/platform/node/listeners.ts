import { setMaxListeners } from 'node:events';
import type { Listeners } from '../types.ts';

export const allowManyListeners: Listeners['allowManyListeners'] = (signal) => setMaxListeners(0, signal);
