import * as re2js from 're2js';
import type { Expressions } from '../types.ts';

/**
 * A browser loads modules only asynchronously, and a server validates an object within one step of the simulation. So
 * the engine is part of the worker.
 */
export const re2: Expressions['re2'] = () => re2js;
