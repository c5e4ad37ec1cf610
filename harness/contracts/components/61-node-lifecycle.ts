import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/core.go newTaintEvictionController */
const NODE_CONTROLLER = 'system:serviceaccount:kube-system:node-controller';

/** Marks silent nodes and their pods as not ready, and taints nodes by their conditions. */
export const nodeLifecycleController: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'nodeLifecycleController',
  process: {
    name: 'node-lifecycle-controller',
    once: 'cluster',
    eventSource: 'node-controller',
    word: 'nodes',
    user: NODE_CONTROLLER,
    optional: true,
  },
};

/** Deletes the pods that do not tolerate the `NoExecute` taints of their node. */
export const taintEvictionController: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'taintEvictionController',
  process: {
    name: 'taint-eviction-controller',
    once: 'cluster',
    word: 'eviction',
    user: NODE_CONTROLLER,
    optional: true,
  },
};

/** Deletes the pods whose kubelet will never delete them, such as those of a deleted Node. */
export const podGarbageCollector: Part<Component> = {
  kata: '61-node-lifecycle',
  subject: 'podGarbageCollector',
  process: {
    name: 'pod-garbage-collector-controller',
    once: 'cluster',
    word: 'podgc',
    user: 'system:serviceaccount:kube-system:pod-garbage-collector',
    optional: true,
  },
};
