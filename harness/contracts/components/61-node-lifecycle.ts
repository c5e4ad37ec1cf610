import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Marks silent nodes and their pods as not ready, and taints nodes by their conditions. */
export const nodeLifecycleController: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'nodeLifecycleController',
};

/** Deletes the pods that do not tolerate the `NoExecute` taints of their node. */
export const taintEvictionController: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'taintEvictionController',
};

/** Deletes the pods whose kubelet will never delete them, such as those of a deleted Node. */
export const podGarbageCollector: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'podGarbageCollector',
};
