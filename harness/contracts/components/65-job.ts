import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/**
 * Counts the keys of ConfigMaps. AUTHOR: its task. Give it a `process`, and every whole cluster runs it:
 * `{ name: 'job-controller', once: 'cluster', word: 'job', optional: true }`.
 */
export const jobController: Part<Component> = {
  kata: '65-job',
  subject: 'jobController',
};
