import type { Apply } from '../apply/index.ts';
import type { Part } from './part.ts';

/** `kubectl apply`: decides on the requests that make a cluster match the objects of some manifests. */
export const apply: Part<Apply> = {
  kata: '11-apply',
  subject: 'apply',
};
