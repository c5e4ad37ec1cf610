/** Properties of Jobs that several controllers read. */
export { finishedCondition } from './job/facts.ts';
