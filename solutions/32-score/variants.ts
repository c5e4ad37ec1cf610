/** Scores that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'each plugin works out all of its scores in preScore, normalised already; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'what is free of a resource is rounded with the others, and not by itself',
        law: 'By its formula',
        edits: [
          [
            'return share(Math.max(0, left), allocatable[resource]);',
            'return (Math.max(0, left) * BEST) / allocatable[resource];',
          ],
        ],
      },
      {
        why: 'the use of a node is what it is without the pod',
        law: 'By its formula',
        edits: [
          [
            'evenness(info.requests) - evenness({ milliCPU: 0, memory: 0 })',
            'evenness({ milliCPU: 0, memory: 0 }) - evenness(info.requests)',
          ],
        ],
      },
      {
        why: 'taints count as much as preferences',
        law: 'Adds up',
        edits: [
          [
            "{ plugin: plugin('TaintToleration', taints), weight: 3 }",
            "{ plugin: plugin('TaintToleration', taints), weight: 2 }",
          ],
        ],
      },
      {
        why: 'a plugin that skips is asked all the same',
        law: 'Asks every plugin',
        edits: [["return status.code !== 'Skip';", "return status.code !== 'Skip' || feasible.length > 1;"]],
      },
      {
        why: 'compares totals as text, so that 9 is more than 10',
        law: 'The best wins',
        edits: [['b.totalScore - a.totalScore', 'String(a.totalScore) < String(b.totalScore) ? 1 : -1']],
      },
      {
        why: 'the share of nodes that have an image is of those that are left',
        law: 'Counts images',
        edits: [
          [
            '(snapshot.imageNodes.get(image) ?? 0) / snapshot.nodeInfos.length',
            '(snapshot.imageNodes.get(image) ?? 0) / feasible.length',
          ],
        ],
      },
      {
        why: 'taints of nodes make no difference where they are to be honoured',
        law: 'Spreads',
        edits: [
          [
            "(nodeTaintsPolicy === 'Ignore' || isAllowed(each))",
            "(nodeTaintsPolicy !== 'Ignore' || isAllowed(each))",
          ],
        ],
      },
      {
        why: 'what pods require that are there counts like a wish against',
        law: 'Keeps company',
        edits: [['gain(term, pod, 1);', 'gain(term, pod, -1);']],
      },
    ],
  },
  {
    id: 'without-optional-parts',
    why: 'leaves out what is marked ★',
    core: true,
    edits: [
      ['  { plugin: podTopologySpread, weight: 2 },\n  { plugin: interPodAffinity, weight: 2 },\n', ''],
      [
        '  { plugin: imageLocality, weight: 1 },\n];',
        '];\nvoid [podTopologySpread, interPodAffinity, imageLocality];',
      ],
    ],
  },
  {
    id: 'first-of-equals',
    why: 'takes the first of the best, and asks chance for nothing: any of them is right',
    edits: [
      ['if (random.int(equals) === 0) selected = each;', 'if (random.int(equals) < 0) selected = each;'],
    ],
  },
  {
    id: 'last-of-equals',
    why: 'takes the last of the best',
    edits: [
      ['if (random.int(equals) === 0) selected = each;', 'if (random.int(equals) >= 0) selected = each;'],
    ],
  },
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
    id: 'looks-at-all-pods',
    why: 'asks all pods on all nodes what they think, also when only those with wishes could say anything',
    edits: [
      ['(hasWishes ? pods : podsWithAffinity).flatMap(', '(hasWishes ? pods.toReversed() : pods).flatMap('],
    ],
  },
  {
    id: 'works-it-out-for-each-node',
    why: 'reads preferences and images anew for each node, and prepares only the answer whether there are any',
    edits: [
      [
        '    state.write(\n      preferredTerms,\n      terms.map(({ weight, preference }) => ({\n        weight,\n        matches: filters.nodeSelectorTermMatcher(preference),\n      })),\n    );\n',
        '    state.write(preferredTerms, []);\n',
      ],
      [
        'score(state, _pod, { node }) {\n    let sum = 0;\n    for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;',
        'score(_state, { spec }, { node }) {\n    let sum = 0;\n    const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];\n    for (const { weight, preference } of terms) if (filters.nodeSelectorTermMatcher(preference)(node)) sum += weight;',
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
