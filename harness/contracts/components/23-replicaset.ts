import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Keeps the number of pods of each ReplicaSet at its `spec.replicas`. */
export const replicaSetController: Part<Component> = {
  kata: '23-replicaset',
  subject: 'replicaSetController',
  process: { name: 'replicaset-controller', once: 'cluster', word: 'replicaset' },
};
