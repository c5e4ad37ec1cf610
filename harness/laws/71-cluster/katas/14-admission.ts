import * as admissionLaws from '../../14-admission/laws/index.ts';
import { leftOut } from './left-out.ts';

/** Kata 14: its oracle knows the plan of each request. */
export const admission = leftOut(
  '14-admission',
  admissionLaws,
  'the oracle derives the right answer from the plan of a request and of its webhooks, and the requests of a cluster have no plan',
);
