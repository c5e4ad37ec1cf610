import { framework, type Pod } from '#harness';
import { filtering } from '#kata/31-filter/filter';

/** The status of a node that preemption could help. */
export const full = framework.unschedulable('full');

/** The status of a node that preemption cannot help. */
export const never = framework.unresolvable('never here');

/** A function that must not be called. */
export const silent = (why: string) => (): never => {
  throw new Error(why);
};

/** A table of what each plugin said of each node, for the message of a red test; without scores, which are kata 32. */
export const explained = (
  plugins: readonly framework.FilterPlugin[],
  of: Pod,
  snapshot: framework.Snapshot,
): string =>
  `${framework.explain(
    {
      filtering: { ...filtering, plugins },
      scoring: {
        plugins: [],
        prioritizeNodes: ({ feasible }) => feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
        selectHost: silent('selectHost is not asked here.'),
      },
    },
    of,
    snapshot,
  )}\nthe sentence`;

/** Returns the result of findNodesThatFit. */
export type Found = framework.NodesThatFit;

/** The names of the nodes that it found. */
export const namesOf = ({ feasible }: Found): string[] => feasible.map(({ name }) => name);
