import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Allocates a block of pod addresses to each node. */
export const nodeIpamController: Part<Component> = {
  kata: '56-node-ipam',
  subject: 'nodeIpamController',
  process: {
    name: 'node-ipam-controller',
    once: 'cluster',
    word: 'ipam',
    user: 'system:serviceaccount:kube-system:node-controller',
    optional: true,
  },
};
