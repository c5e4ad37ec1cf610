import { jobs } from '../../api/plain-resources.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Runs pods for each Job until enough of them have succeeded. */
export const jobController: Part<Component> = {
  kata: '65-job',
  subject: 'jobController',
  process: { name: 'job-controller', once: 'cluster', word: 'job', optional: true, startsWith: [jobs] },
};
