/** Correct scores with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'each plugin computes all of its normalized scores in preScore; none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'the free amounts of all resources are rounded together, not one by one',
        law: 'By formula',
        edits: [
          [
            'return share(Math.max(0, left), allocatable[resource]);',
            'return (Math.max(0, left) * BEST) / allocatable[resource];',
          ],
        ],
      },
      {
        why: 'the utilization of a node does not include the pod',
        law: 'By formula',
        edits: [
          [
            'evenness(info.requests) - evenness({ milliCPU: 0, memory: 0 })',
            'evenness({ milliCPU: 0, memory: 0 }) - evenness(info.requests)',
          ],
        ],
      },
      {
        why: 'taints have the same weight as preferences',
        law: 'Adds up',
        edits: [
          [
            "{ plugin: plugin('TaintToleration', taints), weight: 3 }",
            "{ plugin: plugin('TaintToleration', taints), weight: 2 }",
          ],
        ],
      },
      {
        why: 'a plugin that skips is still called',
        law: 'Calls every plugin',
        edits: [["return status.code !== 'Skip';", "return status.code !== 'Skip' || feasible.length > 1;"]],
      },
      {
        why: 'compares totals as text, so that 9 is more than 10',
        law: 'The best wins',
        edits: [['b.totalScore - a.totalScore', 'String(a.totalScore) < String(b.totalScore) ? 1 : -1']],
      },
      {
        why: 'the share of nodes with an image is computed over the feasible nodes',
        law: 'Counts images',
        edits: [
          [
            '(snapshot.imageNodes.get(image) ?? 0) / snapshot.nodeInfos.length',
            '(snapshot.imageNodes.get(image) ?? 0) / feasible.length',
          ],
        ],
      },
      {
        why: 'ignores taints where nodeTaintsPolicy is Honor',
        law: 'Spreads',
        edits: [
          [
            "(nodeTaintsPolicy === 'Ignore' || isAllowed(each))",
            "(nodeTaintsPolicy !== 'Ignore' || isAllowed(each))",
          ],
        ],
      },
      {
        why: 'a required affinity of an existing pod has a negative weight',
        law: 'Keeps company',
        edits: [['gain(term, pod, 1);', 'gain(term, pod, -1);']],
      },
    ],
  },
  {
    id: 'without-optional-parts',
    why: 'leaves out the optional plugins, marked ★',
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
    why: 'always takes the first of the best nodes, without a random number: any of them is right',
    edits: [
      ['if (random.int(equals) === 0) selected = each;', 'if (random.int(equals) < 0) selected = each;'],
    ],
  },
  {
    id: 'last-of-equals',
    why: 'takes the last of the best nodes',
    edits: [
      ['if (random.int(equals) === 0) selected = each;', 'if (random.int(equals) >= 0) selected = each;'],
    ],
  },
  {
    id: 'draws-lots',
    why: 'finds the best nodes first and draws one random number, even if there is only one',
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
    why: 'subtracts the used share, rounded up, from 100, which equals the free share, rounded down',
    edits: [
      [
        'return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);',
        'return MAX_NODE_SCORE - Math.ceil((requested * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'looks-at-all-pods',
    why: 'checks all pods on all nodes, even if only those with preferences matter',
    edits: [
      ['(hasWishes ? pods : podsWithAffinity).flatMap(', '(hasWishes ? pods.toReversed() : pods).flatMap('],
    ],
  },
  {
    id: 'works-it-out-for-each-node',
    why: 'parses preferences and images again for each node; preScore only checks whether there are any',
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
    why: 'calls all plugins for one node before the next, starting with the last node',
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
