/** Mistakes of level 7 · Spread. */
import type { Mistake } from '#harness/testing';

/** Level 7 · Spread. */
export const level7: readonly Mistake[] = [
  {
    id: 'the-dying-are-counted',
    why: 'Terminating pods count: in a rolling update they keep the new pods away.',
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
    why: 'Pods of other namespaces with the same labels count.',
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
    why: 'A zone without matching pods does not count, so that the first three pods run in the only known zone.',
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
    why: 'The count of a zone is that of its last node.',
    origin: 'common',
    law: 'Level 7',
    edits: [['counts.set(domain, (counts.get(domain) ?? 0) + here);', 'counts.set(domain, here);']],
  },
  {
    id: 'forgets-itself',
    why: 'The new pod itself does not count, so that a maxSkew of 1 becomes 2.',
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
    why: 'A pod that its own selector does not match counts itself.',
    origin: 'common',
    law: 'Level 7',
    edits: [['const itself = selector.matches(pod.metadata.labels) ? 1 : 0;', 'const itself = 1;']],
  },
  {
    id: 'few-zones-are-enough',
    why: 'minDomains is ignored: with fewer domains the minimum must be 0, so that an autoscaler adds another zone.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      ['if (counts.size < minDomains) return 0;', 'if (counts.size === 0 || minDomains < 0) return 0;'],
    ],
  },
  {
    id: 'counts-where-it-cannot-go',
    why: "A zone that the pod's affinity excludes counts as the emptiest, so that the pod fits nowhere.",
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
    why: 'Tainted nodes are left out of the count, although the constraint does not request it.',
    origin: 'common',
    law: 'Level 7',
    edits: [["nodeTaintsPolicy === 'Ignore' ||", 'nodeTaintsPolicy === undefined ||']],
  },
  {
    id: 'label-might-come',
    why: 'For a node without the label, it claims that the removal of other pods could help.',
    origin: 'common',
    law: 'Explains spread',
    edits: [['const inNoDomain = framework.unresolvable(', 'const inNoDomain = framework.unschedulable(']],
  },
  {
    id: 'half-a-place-counts',
    why: 'Pods on a node that lacks the label of one constraint still count for the other constraint.',
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
    why: 'It counts the pod in each acceptable domain, before one is chosen.',
    origin: 'common',
    law: 'Core with spread',
    edits: [
      [
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;',
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;\n      (counts as Map<string, number>).set(domain, (counts.get(domain) ?? 0) + 1);',
      ],
    ],
  },
  {
    id: 'empty-is-absent',
    why: 'A label with an empty value counts as missing, although its nodes are a domain like any other.',
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
    why: 'With nodeTaintsPolicy Honor it leaves out cordoned nodes by their field, although only the taint counts.',
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
    why: 'Two constraints with the same topologyKey share a map, and each counts the pods of the other.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The apiserver rejects a second DoNotSchedule constraint with the same topologyKey.',
    edits: [
      [
        'const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));',
        'const byKey = new Map(constraints.map(({ topologyKey }) => [topologyKey, new Map<string, number>()]));\n  const counted = constraints.map((constraint) => ({ constraint, counts: byKey.get(constraint.topologyKey) as Map<string, number> }));',
      ],
    ],
  },
  {
    id: 'as-many-as-wanted-are-too-few',
    why: 'A constraint that finds exactly minDomains domains counts them as too few, so that the minimum is 0.',
    origin: 'common',
    law: 'Spreads',
    edits: [
      [
        'if (counts.size < minDomains) return 0;',
        'if (minDomains > 1 && counts.size <= minDomains) return 0;',
      ],
    ],
  },
];
