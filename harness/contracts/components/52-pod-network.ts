import type { NodeComponent } from '../component-context.ts';
import type { CniPlugin } from '../node/index.ts';
import type { Part } from './part.ts';

/** The network plugin `bridge`, which connects pods to their node. */
export const podNetwork: Part<CniPlugin> = {
  kata: '52-pod-network',
  subject: 'bridge',
};

/** Maintains the routes of its node to the pods of other nodes. */
export const routeController: Part<NodeComponent> = {
  kata: '52-pod-network',
  subject: 'routeController',
  process: {
    name: 'kube-flannel',
    once: 'node',
    word: 'flannel',
    user: 'system:serviceaccount:kube-flannel:flannel',
    optional: true,
  },
};
