/** Mistakes of level 7 · Spread. */
import type { Mistake } from '#harness/testing';

/** Level 7 · Spread. */
export const level7: readonly Mistake[] = [
  {
    id: 'the-dying-are-counted',
    why: 'In a rolling update the new pods are kept away from where the old ones are about to leave.',
    origin: 'k#87621',
    law: 'Level 7',
    edits: [
      [
        'return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector',
        "return deletionTimestamp !== '' && namespaceOf(pod) === namespace && selector",
      ],
    ],
  },
  {
    id: 'strangers-are-counted',
    why: 'Pods of another namespace that happen to have the same labels are counted.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector',
        "return deletionTimestamp === undefined && typeof namespace === 'string' && selector",
      ],
    ],
  },
  {
    id: 'an-empty-zone-is-no-zone',
    why: 'A zone without a pod of the kind is not counted, and the first three pods run in one zone, because it is the only one.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        'counts.set(domain, (counts.get(domain) ?? 0) + here);',
        'if (here > 0) counts.set(domain, (counts.get(domain) ?? 0) + here);',
      ],
    ],
  },
  {
    id: 'the-last-node-of-a-zone',
    why: 'A zone has as many pods as the node of it that is looked at last.',
    origin: 'common',
    law: 'Level 7',
    edits: [['counts.set(domain, (counts.get(domain) ?? 0) + here);', 'counts.set(domain, here);']],
  },
  {
    id: 'forgets-itself',
    why: 'The pod that comes is not counted, so that a skew of one becomes one of two.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'const itself = selector.matches(pod.metadata.labels) ? 1 : 0;',
        'const itself = selector.empty ? 1 : 0;',
      ],
    ],
  },
  {
    id: 'always-counts-itself',
    why: 'A pod that the selector does not match is counted with those that it matches.',
    origin: 'common',
    law: 'Level 7',
    edits: [['const itself = selector.matches(pod.metadata.labels) ? 1 : 0;', 'const itself = 1;']],
  },
  {
    id: 'few-zones-are-enough',
    why: 'With fewer zones than minDomains the emptiest counts as empty, so that an autoscaler is asked for another zone.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      ['if (counts.size < minDomains) return 0;', 'if (counts.size === 0 || minDomains < 0) return 0;'],
    ],
  },
  {
    id: 'counts-where-it-cannot-go',
    why: 'A zone that the pod does not ask for is the emptiest for ever, and keeps it out of all others.',
    origin: 'k#80921: which nodes are in the scope',
    law: 'Level 7',
    edits: [
      [
        "if (nodeAffinityPolicy === 'Honor' && !requiredNodeAffinityMatches(pod, node)) return false;",
        'void [nodeAffinityPolicy, requiredNodeAffinityMatches];',
      ],
    ],
  },
  {
    id: 'taints-count-unasked',
    why: 'Nodes with taints are left out of the count, although the pod does not say so.',
    origin: 'common',
    law: 'Level 7',
    edits: [["nodeTaintsPolicy === 'Ignore' ||", 'nodeTaintsPolicy === undefined ||']],
  },
  {
    id: 'label-might-come',
    why: 'A node without the label is said to be one where it could help if other pods went.',
    origin: 'common',
    law: 'Says why not there',
    edits: [['const inNoDomain = framework.unresolvable(', 'const inNoDomain = framework.unschedulable(']],
  },
  {
    id: 'half-a-place-counts',
    why: 'Pods on a node that is no place for one of the constraints are counted for the other.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'if (!constraints.every(({ topologyKey }) => framework.labelOf(node, topologyKey) !== undefined)) continue;',
        '',
      ],
      [
        'if (!matchesNodeInclusionPolicies(constraint, pod, node)) continue;',
        'if (!matchesNodeInclusionPolicies(constraint, pod, node) || framework.labelOf(node, constraint.topologyKey) === undefined) continue;',
      ],
    ],
  },
  {
    id: 'moves-in-when-asked',
    why: 'It counts the pod in each place that it finds good enough, before one is chosen.',
    origin: 'common',
    law: 'Still, with spread',
    edits: [
      [
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;',
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;\n      (counts as Map<string, number>).set(domain, (counts.get(domain) ?? 0) + 1);',
      ],
    ],
  },
  {
    id: 'empty-is-absent',
    why: 'A label may be empty, and then it is there: its nodes are a zone like any other.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        'if (!constraints.every(({ topologyKey }) => framework.labelOf(node, topologyKey) !== undefined)) continue;',
        'if (!constraints.every(({ topologyKey }) => framework.labelOf(node, topologyKey))) continue;',
      ],
      ['if (domain === undefined) return inNoDomain;', 'if (!domain) return inNoDomain;'],
    ],
  },
  {
    id: 'cordon-does-not-count',
    why: 'With nodeTaintsPolicy Honor it leaves out cordoned nodes, although the taint decides that and not the field.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        "nodeTaintsPolicy === 'Ignore' || !findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations)",
        "nodeTaintsPolicy === 'Ignore' ||\n    !(node.spec.unschedulable || findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations))",
      ],
    ],
  },
  {
    id: 'one-count-for-two',
    why: 'Two constraints of the same topologyKey share a map, and each counts the pods of the other.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'An apiserver refuses a second constraint of the same topologyKey that says DoNotSchedule, too.',
    edits: [
      [
        'const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));',
        'const byKey = new Map(constraints.map(({ topologyKey }) => [topologyKey, new Map<string, number>()]));\n  const counted = constraints.map((constraint) => ({ constraint, counts: byKey.get(constraint.topologyKey) as Map<string, number> }));',
      ],
    ],
  },
];
