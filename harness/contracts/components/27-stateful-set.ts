import { statefulSets } from '../../api/plain-resources.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Gives the pods of each StatefulSet stable names and claims, and starts and stops them in order. */
export const statefulSetController: Part<Component> = {
  kata: '27-stateful-set',
  subject: 'statefulSetController',
  process: {
    name: 'statefulset-controller',
    once: 'cluster',
    word: 'statefulset',
    optional: true,
    startsWith: [statefulSets],
  },
};
