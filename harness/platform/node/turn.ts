import { setImmediate } from 'node:timers';
import type { Turns } from '../types.ts';

// The function of node:timers: tests wrap the global one, which costs more than a whole turn.
export const afterMicrotasks: Turns['afterMicrotasks'] = setImmediate;
