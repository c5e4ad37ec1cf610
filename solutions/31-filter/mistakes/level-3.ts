/** Mistakes of level 3 · Node selector and node affinity. */
import type { Mistake } from '#harness/testing';

/** Level 3 · Node selector and node affinity. */
export const level3: readonly Mistake[] = [
  {
    id: 'empty-term-takes-all',
    why: 'A term that asks for nothing matches every node, as an empty label selector would.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      ['matchFields.length === 0) return () => false;', 'matchFields.length === 0) return () => true;'],
    ],
  },
  {
    id: 'all-terms-must-match',
    why: 'Terms are alternatives, and here a node must match all of them.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(!terms || terms.some((term)', '(!terms || terms.every((term)']],
  },
  {
    id: 'nonsense-excludes-no-node',
    why: 'NotIn with a value that no label can have is taken to hold everywhere; upstream takes it to hold nowhere.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'if (error instanceof labels.SelectorError) return () => false;',
        'if (error instanceof labels.SelectorError) return () => true;',
      ],
    ],
  },
  {
    id: 'fields-are-forgotten',
    why: 'A DaemonSet names the node of each of its pods in matchFields: without them they all run anywhere.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'selector.matches(node.metadata.labels) && fields.every((field) => field(node));',
        'fields.length >= 0 && selector.matches(node.metadata.labels);',
      ],
    ],
  },
  {
    id: 'selector-is-overruled',
    why: 'A pod with a node selector and a node affinity must have both, and here the affinity is enough.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'selector.matches(node.metadata.labels) && (!terms || terms.some((term) => term(node)));',
        'terms ? terms.some((term) => term(node)) : selector.matches(node.metadata.labels);',
      ],
    ],
  },
  {
    id: 'conflict-goes-unseen',
    why: 'Names that exclude each other are found out node by node, and the user is told of each node instead.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'return required && framework.namesConflict(',
        'return required && required.nodeSelectorTerms.length < 0 && framework.namesConflict(',
      ],
    ],
  },
];
