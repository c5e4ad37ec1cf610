import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Gives each node a block of pod addresses. */
export const nodeIpamController: Part<Component> = {
  kata: '56-node-ipam',
  subject: 'nodeIpamController',
  process: { name: 'node-ipam-controller', once: 'cluster', word: 'ipam', optional: true },
};
