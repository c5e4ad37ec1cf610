import type { Subject } from '../../protocol/details.ts';
import { isSameSubject } from './format.ts';

/** The number of subjects that the way back shows. */
const TRAIL_MAX = 6;

/**
 * Returns the way to a subject: a subject that is already on the way ends it, and another one is added.
 *
 * @param trail the subjects that were looked into before, oldest first
 */
export function follow(trail: readonly Subject[], subject: Subject): readonly Subject[] {
  const at = trail.findIndex((each) => isSameSubject(each, subject));
  if (at >= 0) return at === trail.length - 1 ? trail : trail.slice(0, at + 1);
  return [...trail, subject].slice(-TRAIL_MAX);
}
