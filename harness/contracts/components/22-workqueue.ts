import type { NewWorkQueue, RunWorkers } from '../work-queue.ts';
import type { Part } from './part.ts';

/** Creates the queues of controllers. */
export const workQueue: Part<NewWorkQueue> = {
  kata: '22-workqueue',
  subject: 'newWorkQueue',
};

/** Runs the workers of a queue. */
export const workers: Part<RunWorkers> = {
  kata: '22-workqueue',
  subject: 'runWorkers',
};
