import type { Mistake } from '#harness/testing';

/** Mistakes of Level 7 ★ · Spread. */
export const level7: readonly Mistake[] = [
  {
    id: 'hosts-by-label',
    why: 'Identifies hosts by their label, like all other domains: nodes with the same value count as one.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (topologyKey === LABEL_HOSTNAME) {', "if (topologyKey === '') {"]],
  },
  {
    id: 'lacking-label-is-empty',
    why: 'Nodes without the topology key score like the emptiest domain, and attract pods.',
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
    why: 'One more pod in one of two zones counts as much as one more pod on one of a thousand hosts.',
    origin: 'common',
    law: 'Level 7',
    edits: [['return Math.log(size + 2);', 'return size > 0 ? 1 : 0;']],
  },
  {
    id: 'counts-on-the-feasible-alone',
    why: 'Ignores the pods on full nodes: a crowded zone looks empty because of its one new node.',
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
    why: "Counts pods on nodes that the pod's affinity excludes, so that their domains look crowded.",
    origin: 'common',
    law: 'Level 7',
    edits: [["      if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;\n", '']],
  },
  {
    id: 'least-crowded-is-not-best',
    why: 'Scores the distance to 0 instead of to the minimum: only an empty node gets 100.',
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
    why: 'Counts pods on infeasible nodes that lack the key of another constraint.',
    origin: 'common',
    law: 'Level 7',
    edits: [['    if (!hasKeys(node, constraints)) continue;\n', '']],
  },
  {
    id: 'empty-label-is-none',
    why: 'Treats an empty label as missing: nodes with it are in no domain.',
    origin: 'common',
    law: 'Level 7',
    edits: [['labelOf(node, topologyKey) !== undefined);', 'Boolean(labelOf(node, topologyKey)));']],
  },
  {
    id: 'rounds-each-constraint',
    why: 'Rounds the score of each constraint before the sum: two lost halves are a whole pod.',
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
    why: 'Nodes that are left out count as 0 in the minimum: all others look worse than they are.',
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
    why: 'Leaves out nodes, or their pods, that lack the key of a constraint that the filter enforces.',
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
    why: 'Counts pods on nodes with a NoExecute taint, where this pod cannot run.',
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
    why: 'Leaves out pods on nodes with a PreferNoSchedule taint, where this pod can run.',
    origin: 'common',
    law: 'Spreads',
    edits: [["(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&", "taint.effect !== '' &&"]],
  },
  {
    id: 'the-affinity-always-counts',
    why: "Leaves out pods on nodes that the pod's affinity excludes, although nodeAffinityPolicy is Ignore.",
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
    why: 'Counts domains without a feasible node: each pod has too much weight.',
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
