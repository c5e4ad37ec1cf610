import type { Mistake } from '#harness/testing';

/** Mistakes of Level 5 · The sum. */
export const level5: readonly Mistake[] = [
  {
    id: 'weighs-before-normalising',
    why: 'Applies the weights before the normalization, which removes them: all plugins with normalizeScore count the same.',
    origin: 'common',
    law: 'Adds up',
    edits: [
      ['name: plugin.name, score: valid * weight };', 'name: plugin.name, score: valid };'],
      ['const valid = checked(plugin, score);', 'const valid = score ?? checked(plugin, score);'],
      ['score: plugin.score(state, pod, info) }));', 'score: plugin.score(state, pod, info) * weight }));'],
      ['weighed(plugin.score(state, pod, info)));', 'weighed(plugin.score(state, pod, info) * weight));'],
    ],
  },
  {
    id: 'weights-count-once',
    why: 'Adds the scores without their weights.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'name: plugin.name, score: valid * weight };',
        'name: plugin.name, score: valid * Math.min(weight, 1) };',
      ],
    ],
  },
  {
    id: 'takes-no-for-an-answer',
    why: 'A plugin that returns Unschedulable in preScore is not detected, and must score without its prepared data.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'if (status && framework.isRejected(status)) {',
        'if (status && framework.isRejected(status) && status.reasons.length === 0) {',
      ],
    ],
  },
  {
    id: 'plugin-by-plugin',
    why: 'Calls score of one plugin before preScore of the next: no plugin can rely on the data of others.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        "    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);\n",
        "    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);\n    else for (const info of feasible) plugin.score(state, pod, info);\n",
      ],
    ],
  },
  {
    id: 'asks-the-silent',
    why: 'Calls plugins that skipped, and so have prepared no data.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const asked = plugins.filter(({ plugin }) => !state.skipScorePlugins.has(plugin.name));',
        'const asked = plugins;',
      ],
    ],
  },
  {
    id: 'trusts-every-score',
    why: 'A plugin with another scale determines the result alone.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'if (Number.isInteger(score) && score !== undefined && score >= 0 && score <= MAX_NODE_SCORE) return score;',
        'if (score !== undefined) return score;',
      ],
    ],
  },
  {
    id: 'position-breaks-ties',
    why: 'Adds a little for earlier nodes, so that totals never tie: the same nodes always win.',
    origin: 'common',
    law: 'Any order',
    edits: [
      [
        'totalScore: scores.reduce((sum, { score }) => sum + score, 0) };',
        'totalScore: scores.reduce((sum, { score }) => sum + score, 0) - row / 1_000 };',
      ],
    ],
  },
  {
    id: 'sorts-the-nodes',
    why: "Sorts the caller's list of nodes by name.",
    origin: 'common',
    law: 'Changes nothing',
    edits: [
      [
        '  for (const { plugin } of plugins) {\n    const status',
        '  (feasible as framework.NodeInfo[]).sort((a, b) => (a.name < b.name ? 1 : -1));\n  for (const { plugin } of plugins) {\n    const status',
      ],
    ],
  },
  {
    id: 'compares-as-text',
    why: 'Compares totals as text: 95 is more than 463.',
    origin: 'common',
    law: 'The best wins',
    edits: [
      ['each.totalScore > selected.totalScore)', 'String(each.totalScore) > String(selected.totalScore))'],
    ],
  },
  {
    id: 'weighs-what-it-likes',
    why: 'Gives taints the weight of preferences: a node with a PreferNoSchedule taint wins if the pod prefers it.',
    origin: 'common',
    law: 'Adds up',
    edits: [['{ plugin: taintToleration, weight: 3 },', '{ plugin: taintToleration, weight: 2 },']],
  },
  {
    id: 'no-plugin-no-worth',
    why: 'Without plugins every node has a total of 0; in upstream it is 1.',
    origin: 'common',
    law: 'Calls every plugin',
    edits: [['scores: [], totalScore: 1 }', 'scores: [], totalScore: 0 }']],
  },
  {
    id: 'normalises-after-the-check',
    why: 'Checks the result of score, not that of normalizeScore: counts above 100 are rejected.',
    origin: 'common',
    law: 'Calls every plugin',
    edits: [
      [
        'const scores = feasible.map((info) => ({ name: info.name, score: plugin.score(state, pod, info) }));',
        'const scores = feasible.map((info) => ({ name: info.name, score: checked(plugin, plugin.score(state, pod, info)) }));',
      ],
    ],
  },
  {
    id: 'none-is-a-node-without-a-name',
    why: 'If there are no nodes, it selects one without a name, and the pod is bound to it.',
    origin: 'common',
    law: 'The best wins',
    edits: [["throw new Error('Failed to select a host: there is no node to select from.');", "return '';"]],
  },
];
