import type { Mistake } from '#harness/testing';

/** Mistakes of Level 8 ★ · Affinity to pods. */
export const level8: readonly Mistake[] = [
  {
    id: 'counts-from-nothing',
    why: 'Measures from 0 and not from the least: what all nodes have in common makes their differences small.',
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
    why: 'Does not ask what the pods wish that are there already: they were first, and they do not count.',
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
    why: 'That one is required by others counts as much as the strongest wish.',
    origin: 'common',
    law: 'Level 8',
    edits: [['export const HARD_POD_AFFINITY_WEIGHT = 1;', 'export const HARD_POD_AFFINITY_WEIGHT = 100;']],
  },
  {
    id: 'fled-from-is-sought',
    why: 'Adds what is to be taken away: pods go to those that they do not like.',
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
    why: 'Nodes without the label are taken to be in one place, of no name.',
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
    why: 'Looks only at pods that have wishes, also for a pod that has wishes of its own.',
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
    why: 'Takes a label that is empty for one that is not there: a pod that is liked there is not found.',
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
    why: 'A pod that has wishes of its own does not ask whether the pods that are there need it.',
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
    why: 'Keeps what places have gained under wishes and namespace alone: a pod with other labels gets the count of the one before.',
    origin: 'common',
    law: 'Still, with company',
    edits: [['[metadata.namespace, metadata.labels, spec.affinity]', '[metadata.namespace, spec.affinity]']],
  },
  {
    id: 'one-count-for-all-namespaces',
    why: 'Keeps what places have gained under wishes and labels alone: a pod of another namespace gets the count of the one before.',
    origin: 'common',
    law: 'Still, with company',
    edits: [['[metadata.namespace, metadata.labels, spec.affinity]', '[metadata.labels, spec.affinity]']],
  },
  {
    id: 'only-likes-are-wishes',
    why: 'Looks only at pods that have wishes if the pod likes none, although it dislikes some.',
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
    why: 'Keeps what places have gained for a pod: when it is tried again, the others have moved, and it does not know.',
    origin: 'common',
    law: 'Still, with company',
    edits: [
      [
        'const gained = snapshot.countByTopology(what, sharesOf);',
        'const gained = keptFor.get(pod) ?? snapshot.countByTopology(what, sharesOf);\n    keptFor.set(pod, gained);',
      ],
      [
        '/** What places have gained and lost. */',
        'const keptFor = new WeakMap<Pod, framework.TopologyCounts>();\n\n/** What places have gained and lost. */',
      ],
    ],
  },
];
