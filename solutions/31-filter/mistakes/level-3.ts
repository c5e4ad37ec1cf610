/** Mistakes of level 3 · Node selector and node affinity. */
import type { Mistake } from '#harness/testing';

/** Level 3 · Node selector and node affinity. */
export const level3: readonly Mistake[] = [
  {
    id: 'empty-term-takes-all',
    why: 'An empty term matches every node, like an empty label selector.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      ['matchFields.length === 0) return () => false;', 'matchFields.length === 0) return () => true;'],
    ],
  },
  {
    id: 'all-terms-must-match',
    why: 'A node must match all terms, although they are alternatives.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(!terms || terms.some((term)', '(!terms || terms.every((term)']],
  },
  {
    id: 'nonsense-excludes-no-node',
    why: 'NotIn with an invalid label value matches every node; in upstream it matches none.',
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
    why: 'matchFields is ignored. A DaemonSet uses it to bind each pod to its node, so its pods run anywhere.',
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
    why: 'A pod with a node selector and a node affinity needs both, but here the affinity is enough.',
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
    why: 'Names that exclude each other are detected node by node, so that the message counts nodes instead.',
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
