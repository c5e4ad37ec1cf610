import type { OptionalSteps } from '#given/11-apply';
import { elementOrder, retainedKeys } from './order.ts';
import { prune } from './prune.ts';
import { applyOnServer } from './server-side.ts';

export const optionalSteps: OptionalSteps = {
  elementOrder,
  retainedKeys,
  applyOnServer,
  prune,
};
