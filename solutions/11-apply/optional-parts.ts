import type { OptionalParts } from '#given/11-apply';
import { elementOrder, retainedKeys } from './order.ts';
import { prune } from './prune.ts';
import { applyOnServer } from './server-side.ts';

export const optionalParts: OptionalParts = { elementOrder, retainedKeys, applyOnServer, prune };
