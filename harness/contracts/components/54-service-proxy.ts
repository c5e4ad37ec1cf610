import type { NodeComponent } from '../component-context.ts';
import type { Part } from './part.ts';

/** Maintains the rules of its node that forward Services to pods. */
export const serviceProxy: Part<NodeComponent> = {
  kata: '54-service-proxy',
  subject: 'serviceProxy',
  process: {
    name: 'kube-proxy',
    once: 'node',
    word: 'proxy',
    user: 'system:serviceaccount:kube-system:kube-proxy',
    optional: true,
  },
};
