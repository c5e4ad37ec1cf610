import type { Outcome } from './run.ts';

/**
 * Behaviours that our own cluster does not have, with the reason. docs/limits.md names each difference. A behaviour
 * that holds after all must leave this list.
 */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  [
    'A pod waits five minutes before it leaves a node that is not ready',
    'no admission adds the default tolerations',
  ],
  [
    'A ReplicaSet whose pods cannot be created reports a failure',
    'no admission looks up the PriorityClass of a pod',
  ],
  [
    'A pod that has ended stays in the slice, and is not ready',
    'the controller drops the endpoint of a pod that has ended',
  ],
]);

/** Judges an outcome of our own cluster: a known difference is expected, and must still exist. */
export function withKnown(outcome: Outcome): Outcome {
  const { behaviour, result } = outcome;
  const reason = knownDifferences.get(behaviour.name);
  if (reason === undefined) return outcome;
  if (result === 'different' || result === 'undecided') return { behaviour, result: 'known' };
  if (result !== 'same') return outcome;
  const subject = `known-differences.ts still lists this behaviour: ${reason}`;
  return { behaviour, result: 'different', subject };
}
