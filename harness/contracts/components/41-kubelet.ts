import type { NodeComponent } from '../component-context.ts';
import type { Part } from './part.ts';

/** Runs the pods of its node. */
export const kubelet: Part<NodeComponent> = {
  kata: '41-kubelet',
  subject: 'kubelet',
  process: { name: 'kubelet', once: 'node', word: 'kubelet', user: 'system:node:NODE' },
};
