/** Mistakes of level 6 · The sum. */
import type { Mistake } from '#harness/testing';

/** Level 6 · The sum. */
export const level6: readonly Mistake[] = [
  {
    id: 'half-of-a-few',
    why: 'Even in a small cluster it checks only half of the nodes, and finds none if the feasible ones come last.',
    origin: 'common',
    law: 'Growth changes nothing',
    edits: [
      ['if (numAllNodes < MIN_FEASIBLE_NODES_TO_FIND) return numAllNodes;', ''],
      [
        'return Math.max(enough, MIN_FEASIBLE_NODES_TO_FIND);',
        'return Math.max(enough, MIN_FEASIBLE_NODES_TO_FIND / 100);',
      ],
    ],
  },
  {
    id: 'the-first-will-do',
    why: 'It takes the first feasible node, as upstream does without scoring, and never finds the best one.',
    origin: 'common',
    law: 'Order does not matter',
    edits: [
      [
        'const enough = numFeasibleNodesToFind(percentageOfNodesToScore, nodeInfos.length);',
        'const enough = Math.min(1, numFeasibleNodesToFind(percentageOfNodesToScore, nodeInfos.length));',
      ],
    ],
  },
  {
    id: 'begins-at-the-beginning',
    why: 'Every search starts at the first node, so that in a large cluster the last ones are never checked.',
    origin: 'k#66627: why the search goes round',
    law: 'Stops at enough',
    edits: [
      [
        'let next = nodeInfos.length === 0 ? 0 : startIndex % nodeInfos.length;',
        'let next = nodeInfos.length === 0 ? 0 : Math.min(startIndex, 0);',
      ],
    ],
  },
  {
    id: 'looks-at-all',
    why: 'It checks all 5,000 nodes for every pod.',
    origin: 'k#66733',
    law: 'Stops at enough',
    edits: [
      [
        'looked < nodeInfos.length && feasible.length < enough; looked++',
        'looked < nodeInfos.length && enough > 0; looked++',
      ],
    ],
  },
  {
    id: 'the-last-word-counts',
    why: "It runs all plugins and reports the last rejection, so that the reason differs from upstream's.",
    origin: 'common',
    law: 'Complete diagnosis',
    edits: [['      fits = false;\n      break;', '      fits = false;']],
  },
  {
    id: 'no-plugin-is-named',
    why: 'The rejecting plugin is not recorded, and no event wakes the pod.',
    origin: 'common',
    law: 'Complete diagnosis',
    edits: [['      unschedulablePlugins.add(plugin.name);\n', '']],
  },
  {
    id: 'largest-number-first',
    why: 'The reasons are sorted by count, so that the message of the same failure changes between events.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '    .sort()\n    .join',
        '    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))\n    .join',
      ],
    ],
  },
  {
    id: 'asks-plugins-that-skipped',
    why: 'A plugin that skipped this pod still runs on every node, and finds no data in the state.',
    origin: 'common',
    law: 'Calls every plugin',
    edits: [
      [
        "if (status.code === 'Skip') state.skipFilterPlugins.add(plugin.name);",
        "if (status.code === 'Skip') state.skipFilterPlugins.add('');",
      ],
    ],
  },
  {
    id: 'room-beats-hopeless',
    why: 'If one plugin rejects the pod on every node as unschedulable and another as unresolvable, the first counts.',
    origin: 'k#119770: why the others are asked as well',
    law: 'Level 6',
    edits: [
      [
        "if (status.code === 'UnschedulableAndUnresolvable') break;",
        "if (status.code === 'Unschedulable') break;",
      ],
    ],
  },
];
