import type { Mistake } from '#harness/testing';

/** Mistakes of Level 7 · Affinity to pods. */
export const level7: readonly Mistake[] = [
  {
    id: 'counts-from-nothing',
    why: 'Measures from 0 and not from the least: what all nodes have in common makes their differences small.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 7',
    edits: [
      [
        '    let least = Number.POSITIVE_INFINITY;\n    let most = Number.NEGATIVE_INFINITY;',
        '    let least = 0;\n    let most = 0;',
      ],
    ],
  },
  {
    id: 'asks-only-the-newcomer',
    why: 'What those wish who are there already is not asked: they were first, and they do not count.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        '        for (const term of other.preferredAffinityTerms) process(term, pod, node, term.weight);\n        for (const term of other.preferredAntiAffinityTerms) process(term, pod, node, -term.weight);\n',
        '',
      ],
    ],
  },
  {
    id: 'required-counts-most',
    why: 'That one is required by others counts as much as the strongest wish.',
    origin: 'common',
    law: 'Level 7',
    edits: [['export const HARD_POD_AFFINITY_WEIGHT = 1;', 'export const HARD_POD_AFFINITY_WEIGHT = 100;']],
  },
  {
    id: 'fled-from-is-sought',
    why: 'Adds what is to be taken away: pods go to those whom they do not like.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'for (const term of preferredAntiAffinityTerms) process(term, other.pod, node, -term.weight);',
        'for (const term of preferredAntiAffinityTerms) process(term, other.pod, node, term.weight);',
      ],
    ],
  },
  {
    id: 'no-label-is-a-place',
    why: 'Nodes without the label are taken to be in one place, of no name.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'const place = labelOf(node.metadata.labels, term.topologyKey);\n      if (place === undefined || !termMatches(term, met, namespaces)) return;',
        "const place = labelOf(node.metadata.labels, term.topologyKey) ?? '';\n      if (!termMatches(term, met, namespaces)) return;",
      ],
      [
        'const place = labelOf(node.metadata.labels, key);\n      if (place !== undefined) sum += places.get(place) ?? 0;',
        "sum += places.get(labelOf(node.metadata.labels, key) ?? '') ?? 0;",
      ],
    ],
  },
  {
    id: 'looks-at-the-fond-alone',
    why: 'Looks only at pods that have wishes, also for a pod that has wishes of its own.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'for (const other of hasWishes ? info.pods : info.podsWithAffinity) {',
        'for (const other of info.podsWithAffinity) {',
      ],
    ],
  },
  {
    id: 'empty-label-is-no-place',
    why: 'Takes a label that is empty for one that is not there: who is liked there is not found.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'if (place === undefined || !termMatches(term, met, namespaces)) return;',
        'if (!place || !termMatches(term, met, namespaces)) return;',
      ],
    ],
  },
  {
    id: 'wishes-silence-others',
    why: 'A pod that has wishes of its own does not ask whether it is needed by those who are there.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'for (const term of other.requiredAffinityTerms) process(',
        'if (!hasWishes) for (const term of other.requiredAffinityTerms) process(',
      ],
    ],
  },
];
