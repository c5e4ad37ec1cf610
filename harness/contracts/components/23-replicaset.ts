import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Keeps as many pods as each ReplicaSet asks for. */
export const replicaSetController: Part<Component> = {
  kata: '23-replicaset',
  subject: 'replicaSetController',
  process: { name: 'replicaset-controller', once: 'cluster', word: 'replicaset' },
};
