import { createHash as create, createHmac as createMac } from 'node:crypto';
import type { Hashing } from '../types.ts';

export const createHash: Hashing['createHash'] = create;
export const createHmac: Hashing['createHmac'] = createMac;
