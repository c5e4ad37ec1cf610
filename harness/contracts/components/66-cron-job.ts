import { cronJobs } from '../../api/plain-resources.ts';
import type { Component } from '../component-context.ts';
import type { Part } from './part.ts';

/** Creates a Job at each scheduled time of a CronJob. */
export const cronJobController: Part<Component> = {
  kata: '66-cron-job',
  subject: 'cronJobController',
  process: {
    name: 'cronjob-controller',
    once: 'cluster',
    word: 'cronjob',
    optional: true,
    startsWith: [cronJobs],
  },
};
