/** Scores that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'draws-lots',
    why: 'finds the best first, asks once for one of them, and asks also when there is but one',
    edits: [
      [
        '  let selected: framework.NodePluginScores | undefined;\n  let equals = 0;',
        '  const most = Math.max(...scores.map(({ totalScore }) => totalScore));\n  const best = scores.filter(({ totalScore }) => totalScore === most);\n  let selected = best.length > 0 ? best[random.int(best.length)] : undefined;\n  let equals = 0;',
      ],
      [
        'if (selected === undefined || each.totalScore > selected.totalScore) {',
        'if (selected === undefined) {',
      ],
      ['} else if (each.totalScore === selected.totalScore) {', '} else if (each.totalScore > most) {'],
    ],
  },
  {
    id: 'counts-what-is-missing',
    why: 'takes from 100 what is in use, rounded up, which is the same as what is free, rounded down',
    edits: [
      [
        'return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);',
        'return MAX_NODE_SCORE - Math.ceil((requested * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'looks-at-everybody',
    why: 'asks all pods on all nodes what they think, also when only those with wishes could say anything',
    edits: [
      ['(hasWishes ? pods : podsWithAffinity).flatMap(', '(hasWishes ? pods.toReversed() : pods).flatMap('],
    ],
  },
  {
    id: 'works-it-out-for-each-node',
    why: 'reads preferences and images anew for each node, and prepares nothing but the answer whether there are any',
    edits: [
      [
        '    state.write(\n      preferredTerms,\n      terms.map(({ weight, preference }) => ({ weight, matches: nodeSelectorTermMatcher(preference) })),\n    );\n',
        '    state.write(preferredTerms, []);\n',
      ],
      [
        'score(state, _pod, { node }) {\n    let sum = 0;\n    for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;',
        'score(_state, { spec }, { node }) {\n    let sum = 0;\n    const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];\n    for (const { weight, preference } of terms) if (nodeSelectorTermMatcher(preference)(node)) sum += weight;',
      ],
    ],
  },
  {
    id: 'node-by-node',
    why: 'asks all plugins about one node before it looks at the next, and the last node first',
    edits: [
      [
        '  const columns = asked.map((each) => weighedScores(each, request));\n',
        `  const raw = asked.map(() => new Map<string, number>());
  for (const info of feasible.toReversed()) {
    for (const [i, { plugin }] of asked.entries()) raw[i]?.set(info.name, plugin.score(state, pod, info));
  }
  const columns = asked.map(({ plugin, weight }, i) =>
    weighedScores(
      { plugin: { ...plugin, score: (_state, _pod, { name }) => raw[i]?.get(name) ?? 0 }, weight },
      request,
    ),
  );
`,
      ],
    ],
  },
];
