import type { Mistake } from '#harness/testing';

/** Mistakes of Level 8 ★ · Affinity to pods. */
export const level8: readonly Mistake[] = [
  {
    id: 'counts-from-nothing',
    why: 'Scales from 0 instead of from the minimum: a common offset makes the differences small.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 8',
    edits: [
      [
        '    let least = Number.POSITIVE_INFINITY;\n    let most = Number.NEGATIVE_INFINITY;',
        '    let least = 0;\n    let most = 0;',
      ],
    ],
  },
  {
    id: 'asks-only-the-newcomer',
    why: 'Ignores the preferences of the existing pods.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      [
        '        ...other.preferredAffinityTerms.flatMap((term) => shares(term, pod, term.weight)),\n        ...other.preferredAntiAffinityTerms.flatMap((term) => shares(term, pod, -term.weight)),\n',
        '',
      ],
    ],
  },
  {
    id: 'required-counts-most',
    why: 'A required affinity of an existing pod has the weight of the strongest preference.',
    origin: 'common',
    law: 'Level 8',
    edits: [['export const HARD_POD_AFFINITY_WEIGHT = 1;', 'export const HARD_POD_AFFINITY_WEIGHT = 100;']],
  },
  {
    id: 'fled-from-is-sought',
    why: 'Adds the weights of anti-affinity: pods go to those that they should avoid.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      [
        '...preferredAntiAffinityTerms.flatMap((term) => shares(term, other.pod, -term.weight)),',
        '...preferredAntiAffinityTerms.flatMap((term) => shares(term, other.pod, term.weight)),',
      ],
    ],
  },
  {
    id: 'no-label-is-a-place',
    why: 'Nodes without the label count as one domain without a name.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'const gained = snapshot.countByTopology(what, sharesOf);',
        "const gained = new Map<string, Map<string, number>>();\n    for (const info of snapshot.nodeInfos)\n      for (const [key, amount] of sharesOf(info)) {\n        const place = labelOf(info.node, key) ?? '';\n        const places = gained.get(key) ?? new Map<string, number>();\n        gained.set(key, places.set(place, (places.get(place) ?? 0) + amount));\n      }",
      ],
      [
        'const place = labelOf(node, key);\n      if (place !== undefined) sum += places.get(place) ?? 0;',
        "sum += places.get(labelOf(node, key) ?? '') ?? 0;",
      ],
    ],
  },
  {
    id: 'looks-at-the-fond-alone',
    why: 'Checks only pods with preferences, even if the new pod has preferences itself.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '(hasWishes ? pods : podsWithAffinity).flatMap(',
        '(hasWishes && pods.length < 0 ? pods : podsWithAffinity).flatMap(',
      ],
    ],
  },
  {
    id: 'empty-label-is-no-place',
    why: 'Treats an empty label as missing: preferred pods in that domain are not found.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (place !== undefined) sum += places.get(place) ?? 0;',
        'if (place) sum += places.get(place) ?? 0;',
      ],
    ],
  },
  {
    id: 'wishes-silence-others',
    why: 'If the new pod has preferences, those of the existing pods are ignored.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '...other.requiredAffinityTerms.flatMap(',
        '...(hasWishes ? [] : other.requiredAffinityTerms).flatMap(',
      ],
    ],
  },
  {
    id: 'one-count-for-all-labels',
    why: 'The sums are cached by preferences and namespace alone: a pod with other labels gets the sums of the previous one.',
    origin: 'common',
    law: 'Core with affinity',
    edits: [['[metadata.namespace, metadata.labels, spec.affinity]', '[metadata.namespace, spec.affinity]']],
  },
  {
    id: 'one-count-for-all-namespaces',
    why: 'The sums are cached by preferences and labels alone: a pod of another namespace gets the sums of the previous one.',
    origin: 'common',
    law: 'Core with affinity',
    edits: [['[metadata.namespace, metadata.labels, spec.affinity]', '[metadata.labels, spec.affinity]']],
  },
  {
    id: 'only-likes-are-wishes',
    why: 'Checks only pods with preferences if the new pod has no preferred affinity, even if it has preferred anti-affinity.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      [
        'const hasWishes = preferredAffinityTerms.length + preferredAntiAffinityTerms.length > 0;',
        'const hasWishes = preferredAffinityTerms.length > 0;',
      ],
    ],
  },
  {
    id: 'kept-for-the-pod',
    why: 'The sums are cached for the pod: at a retry, the other pods have changed, but the sums have not.',
    origin: 'common',
    law: 'Core with affinity',
    edits: [
      [
        'const gained = snapshot.countByTopology(what, sharesOf);',
        'const gained = keptFor.get(pod) ?? snapshot.countByTopology(what, sharesOf);\n    keptFor.set(pod, gained);',
      ],
      [
        '/** The sum of weights in each topology domain. */',
        'const keptFor = new WeakMap<Pod, framework.TopologyCounts>();\n\n/** The sum of weights in each topology domain. */',
      ],
    ],
  },
];
