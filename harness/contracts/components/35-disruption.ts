import { podDisruptionBudgets } from '../../api/resource.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Computes the number of pods that each PodDisruptionBudget allows to evict. */
export const disruptionController: Part<Component> = {
  kata: '35-disruption',
  subject: 'disruptionController',
  process: {
    name: 'disruption-controller',
    once: 'cluster',
    word: 'disruption',
    optional: true,
    startsWith: [podDisruptionBudgets],
  },
};
