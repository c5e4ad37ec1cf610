/** `#given/67-ttl-after-finished`: the parts of the harness that only this solution uses. */
export { finishedCondition } from '../../contracts/job/facts.ts';
