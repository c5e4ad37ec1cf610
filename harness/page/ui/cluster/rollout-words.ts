import type { DeploymentView } from '../../protocol/view.ts';
import { texts } from '../texts.ts';

const words = texts.workloads;

/** Returns the state of a roll-out in words. */
export function rolloutWords(deployment: DeploymentView): string {
  const { isPaused, isComplete, stuck, updated, available, desired, replicaSets } = deployment;
  if (stuck !== undefined) return words.stuck(stuck);
  if (isPaused) return words.paused;
  if (isComplete) return words.complete;
  if (updated < desired) return words.rollsOut(updated, desired);
  const old = replicaSets.slice(1).reduce((sum, { current }) => sum + current, 0);
  return old > 0 ? words.oldPods(old) : words.available(available, desired);
}
