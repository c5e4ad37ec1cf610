/** Mistakes of level 6 · The sum. */
import type { Mistake } from '#harness/testing';

/** Level 6 · The sum. */
export const level6: readonly Mistake[] = [
  {
    id: 'half-of-a-few',
    why: 'Also in a small cluster it is content with half of the nodes, and finds none where the good ones come last.',
    origin: 'common',
    law: 'Growing takes nothing away',
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
    why: 'It takes the first node that can do, as upstream does where nothing is scored, and the best is never found.',
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
    why: 'Every pod begins with the first node, so that in a large cluster the last ones are never looked at.',
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
    why: 'It looks at all 5,000 nodes for every pod.',
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
    why: 'It asks all plugins and tells what the last had to say, so that the reason is another than the one that users know.',
    origin: 'common',
    law: 'The diagnosis is whole',
    edits: [['      fits = false;\n      break;', '      fits = false;']],
  },
  {
    id: 'no-plugin-is-named',
    why: 'The plugin that turned the pod away is not written down, and no event wakes it.',
    origin: 'common',
    law: 'The diagnosis is whole',
    edits: [['      unschedulablePlugins.add(plugin.name);\n', '']],
  },
  {
    id: 'largest-number-first',
    why: 'The reasons are sorted by number, and the same failure reads otherwise from one event to the next.',
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
    why: 'A plugin that has nothing to say of this pod is asked about every node, and finds nothing in the state.',
    origin: 'common',
    law: 'Asks every plugin',
    edits: [
      [
        "if (status.code === 'Skip') state.skipFilterPlugins.add(plugin.name);",
        "if (status.code === 'Skip') state.skipFilterPlugins.add('');",
      ],
    ],
  },
  {
    id: 'room-beats-hopeless',
    why: 'Of two plugins that turn a pod away from every node, the one counts that hopes, although the other knows better.',
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
