import type { Mistake } from '#harness/testing';

/** Mistakes of Level 7 ★ · Spread. */
export const level7: readonly Mistake[] = [
  {
    id: 'hosts-by-label',
    why: 'Looks hosts up by their label, like all other places: nodes that say the same are taken for one.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (topologyKey === LABEL_HOSTNAME) {', "if (topologyKey === '') {"]],
  },
  {
    id: 'lacking-label-is-empty',
    why: 'Nodes that are in no place at all look like the emptiest: pods that are to be spread go there.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));',
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints) && constraints.length > 2);',
      ],
    ],
  },
  {
    id: 'all-places-weigh-alike',
    why: 'A pod more in one of two zones counts as much as a pod more on one of a thousand hosts.',
    origin: 'common',
    law: 'Level 7',
    edits: [['return Math.log(size + 2);', 'return size > 0 ? 1 : 0;']],
  },
  {
    id: 'counts-on-the-feasible-alone',
    why: 'Nodes that are full have pods, too: a zone that is crowded looks empty because of its one new node.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'countAll(spreads, pod, snapshot);',
        'countAll(spreads, pod, { nodeInfos: complete } as typeof snapshot);',
      ],
    ],
  },
  {
    id: 'counts-where-it-cannot-go',
    why: 'Counts pods on nodes that this pod does not want: they make places look crowded that are not for it.',
    origin: 'common',
    law: 'Level 7',
    edits: [["      if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;\n", '']],
  },
  {
    id: 'least-crowded-is-not-best',
    why: 'Forgets what all places have in common: no node gets 100 but an empty one.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'Math.trunc((MAX_NODE_SCORE * (most + least - score)) / most)',
        'Math.trunc((MAX_NODE_SCORE * (most - score)) / most)',
      ],
    ],
  },
  {
    id: 'half-a-place-counts',
    why: 'Counts pods on nodes that lack the key of another constraint, when they are not feasible.',
    origin: 'common',
    law: 'Level 7',
    edits: [['    if (!hasKeys(node, constraints)) continue;\n', '']],
  },
  {
    id: 'empty-label-is-none',
    why: 'Takes a label that is empty for one that is not there: nodes that have it are in no place.',
    origin: 'common',
    law: 'Level 7',
    edits: [['labelOf(node, topologyKey) !== undefined);', 'Boolean(labelOf(node, topologyKey)));']],
  },
  {
    id: 'rounds-each-constraint',
    why: 'Rounds what each constraint says, and then adds: two halves that are lost are a whole pod.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'score += scoreForCount(count, maxSkew, weight);',
        'score += Math.round(scoreForCount(count, maxSkew, weight));',
      ],
    ],
  },
  {
    id: 'left-out-are-least',
    why: 'Nodes that are left out have 0, and so they are the least: all others look worse than they are.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        '      if (leftOut.has(name)) continue;\n      least = Math.min(least, score);',
        '      least = Math.min(least, leftOut.has(name) ? 0 : score);',
      ],
    ],
  },
  {
    id: 'musts-leave-out',
    why: 'Leaves a node out, or its pods, because it lacks the key of a constraint that the filter enforces.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));',
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, (pod.spec.topologySpreadConstraints ?? []) as unknown as framework.SpreadConstraint[]));',
      ],
    ],
  },
  {
    id: 'only-one-effect-keeps-away',
    why: 'Counts pods on nodes with a taint NoExecute, where this pod cannot run.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        "(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&",
        "taint.effect === 'NoSchedule' &&",
      ],
    ],
  },
  {
    id: 'soft-taints-keep-away',
    why: 'Leaves out pods on nodes that would rather not have this pod, where it can run.',
    origin: 'common',
    law: 'Spreads',
    edits: [["(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&", "taint.effect !== '' &&"]],
  },
  {
    id: 'the-affinity-always-counts',
    why: 'Leaves out the pods of nodes that the pod does not want, although the constraint says Ignore.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        "if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;",
        'if (!meetsAffinity(node)) continue;',
      ],
    ],
  },
  {
    id: 'places-where-it-cannot-go',
    why: 'Counts places that no feasible node is in: each pod weighs more than it should.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        'const spreads = constraints.map((constraint) => placesOf(constraint, complete));',
        'const spreads = constraints.map((constraint) => placesOf(constraint, snapshot.nodeInfos.filter(({ node }) => hasKeys(node, constraints))));',
      ],
    ],
  },
];
