import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3 · Preferred node affinity. */
export const level3: readonly Mistake[] = [
  {
    id: 'share-of-a-fraction',
    why: 'Divides before it multiplies: 29 of 100 become 28.',
    origin: 'common',
    law: 'Level 3',
    edits: [['Math.trunc((maxPriority * score) / highest)', 'Math.trunc(maxPriority * (score / highest))']],
  },
  {
    id: 'reverses-before-rounding',
    why: 'Reverses before it rounds, so that the distance to the best is rounded the wrong way.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'return { name, score: reverse ? maxPriority - part : part };',
        'return { name, score: reverse && highest > 0 ? Math.trunc((maxPriority * (highest - score)) / highest) : reverse ? maxPriority : part };',
      ],
    ],
  },
  {
    id: 'all-zero-reversed-is-zero',
    why: 'If all scores are 0, reversed scores are 0, too, instead of 100.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'return { name, score: reverse ? maxPriority - part : part };',
        'return { name, score: reverse && highest > 0 ? maxPriority - part : part };',
      ],
    ],
  },
  {
    id: 'stretches-to-the-lowest',
    why: 'Also scales the lowest score to 0, so that a slightly lower node gets 0.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'const part = highest === 0 ? 0 : Math.trunc((maxPriority * score) / highest);',
        'const lowest = Math.min(...scores.map((each) => each.score));\n    const part = highest === lowest ? maxPriority * Math.sign(highest) : Math.trunc((maxPriority * (score - lowest)) / (highest - lowest));',
      ],
    ],
  },
  {
    id: 'first-term-alone',
    why: 'Stops at the first preference that a node matches, as for required terms.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;',
        'for (const { weight, matches } of state.read(preferredTerms)) if (sum === 0 && matches(node)) sum += weight;',
      ],
    ],
  },
  {
    id: 'lightest-first',
    why: 'Treats weights as priorities with 1 as the highest.',
    origin: 'common',
    law: 'More weight',
    edits: [['if (matches(node)) sum += weight;', 'if (matches(node)) sum += 101 - weight;']],
  },
  {
    id: 'remembers-the-last-pod',
    why: 'Stores the result of preScore in the plugin: of two pods at a time, the first is scored with the preferences of the second.',
    origin: 'common',
    law: 'Repeatable',
    edits: [
      [
        "const preferredTerms = stateKey<readonly PreferredTerm[]>('PreScoreNodeAffinity');",
        'let preferredTerms: readonly PreferredTerm[] = [];',
      ],
      [
        'state.write(\n      preferredTerms,\n      terms.map(({ weight, preference }) => ({\n        weight,\n        matches: filters.nodeSelectorTermMatcher(preference),\n      })),\n    );',
        'preferredTerms = terms.map(({ weight, preference }) => ({ weight, matches: filters.nodeSelectorTermMatcher(preference) }));',
      ],
      ['of state.read(preferredTerms))', 'of preferredTerms)'],
    ],
  },
  {
    id: 'takes-sums-for-scores',
    why: 'Returns a sum of weights below 100 without normalization: the best node scores 100 only by chance.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'for (const { score } of scores) highest = Math.max(highest, score);',
        'for (const { score } of scores) highest = Math.max(highest, score, maxPriority);',
      ],
    ],
  },
  {
    id: 'score-by-pod-and-node',
    why: 'Keeps the score of a node by pod and name: after the labels of the node have changed, a retry gets the old score.',
    origin: 'common',
    law: 'Repeatable',
    edits: [
      [
        'const preferredTerms = stateKey<readonly PreferredTerm[]>(',
        'const scoresOf = new WeakMap<object, Map<string, number>>();\n\nconst preferredTerms = stateKey<readonly PreferredTerm[]>(',
      ],
      [
        '  score(state, _pod, { node }) {\n    let sum = 0;\n    for (const { weight, matches } of state.read(preferredTerms))',
        '  score(state, pod, { name, node }) {\n    const known = scoresOf.get(pod) ?? new Map<string, number>();\n    scoresOf.set(pod, known);\n    const before = known.get(name);\n    if (before !== undefined) return before;\n    let sum = 0;\n    for (const { weight, matches } of state.read(preferredTerms))',
      ],
      [
        'if (matches(node)) sum += weight;\n    return sum;',
        'if (matches(node)) sum += weight;\n    known.set(name, sum);\n    return sum;',
      ],
    ],
  },
];
