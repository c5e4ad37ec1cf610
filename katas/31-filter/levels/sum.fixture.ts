import { framework, type Pod } from '#harness';
import { filtering } from '#kata/31-filter/filter';

/** What a plugin says of a node that could do later. */
export const full = framework.unschedulable('full');

/** What a plugin says of a node that can never do. */
export const never = framework.unresolvable('never here');

/** Something that must not be asked. */
export const silent = (why: string) => (): never => {
  throw new Error(why);
};

/** A table of who said what of which node, for the message of a red test; without scores, which are kata 32. */
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
        selectHost: silent('No host is asked for here.'),
      },
    },
    of,
    snapshot,
  )}\nthe sentence`;

/** What the sum comes to. */
export type Found = framework.NodesThatFit;

/** The names of the nodes that it found. */
export const namesOf = ({ feasible }: Found): string[] => feasible.map(({ name }) => name);
