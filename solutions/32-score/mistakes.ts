/**
 * Scores that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * everybody takes who builds them. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · How full a node is
  {
    id: 'percent-of-a-fraction',
    why: 'Takes the percent of a fraction: 1 - 8/10 is a little less than 0.2, and a node with a fifth free has 19.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);',
        'return Math.trunc((1 - requested / capacity) * MAX_NODE_SCORE);',
      ],
    ],
  },
  {
    id: 'rounds-to-the-nearest',
    why: 'Rounds up what is more than half, where whole numbers are divided.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.round((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'divides-by-nothing',
    why: 'Of a resource that the node does not have, so much is free as nothing divided by nothing.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (requested > capacity) return 0;']],
  },
  {
    id: 'overfull-below-nothing',
    why: 'A node that is asked for more than it has gets less than 0, which drowns what all others say.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (capacity === 0) return 0;']],
  },
  {
    id: 'overfull-above-all',
    why: 'A node that is asked for more than it has gets more than 100.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.trunc((requested * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'overfull-looks-empty',
    why: 'What is free falls below 0, is taken for a very large number and cut off at 100: all go to the fullest node.',
    origin: 'common',
    law: 'Load counts',
    edits: [
      [
        'if (capacity === 0 || requested > capacity) return 0;',
        'if (capacity === 0) return 0;\n  if (requested > capacity) return MAX_NODE_SCORE;',
      ],
    ],
  },
  {
    id: 'least-is-most',
    why: 'Takes the two strategies for each other: who wants to spread packs.',
    origin: 'common',
    law: 'Load counts',
    edits: [
      [
        'const strategies = { LeastAllocated: leastAllocatedScore, MostAllocated: mostAllocatedScore } as const;',
        'const strategies = { LeastAllocated: mostAllocatedScore, MostAllocated: leastAllocatedScore } as const;',
      ],
    ],
  },
  {
    id: 'says-nothing-wants-nothing',
    why: 'Pods that do not say what they want weigh nothing, and pile up on the node that is emptiest at first.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'requestedResources(resources, podInfoOf(pod).nonZeroRequests)',
        'requestedResources(resources, podInfoOf(pod).requests)',
      ],
      ['amountOf(nonZeroRequested, name) + amount', 'amountOf(requested, name) + amount'],
      [
        'score(state, _pod, { allocatable, nonZeroRequested }) {',
        'score(state, _pod, { allocatable, requested }) {',
      ],
    ],
  },
  {
    id: 'forgets-the-pod-itself',
    why: 'Looks at how full a node is, and not at how full it would be.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'scoreOf(amountOf(nonZeroRequested, name) + amount, capacity)',
        'scoreOf(amountOf(nonZeroRequested, name), capacity)',
      ],
    ],
  },
  {
    id: 'lacking-counts-as-full',
    why: 'A node is punished for not having a resource that it need not have.',
    origin: 'common',
    law: 'Level 1',
    edits: [['        if (capacity === 0) continue;\n', '']],
  },
  {
    id: 'unwanted-devices-count',
    why: 'How many of its GPUs are in use decides about a pod that wants none: nodes with GPUs fill up with others.',
    origin: 'common',
    law: 'Level 1',
    edits: [['    .filter(({ name, amount }) => native.has(name) || amount > 0);', ';']],
  },
  {
    id: 'devices-asked-as-zero-count',
    why: 'A pod that says that it wants 0 GPUs is taken to want some: where they are free looks better to it.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '.filter(({ name, amount }) => native.has(name) || amount > 0);',
        '.filter(({ name }) => native.has(name) || requests.scalar.has(name));',
      ],
    ],
  },

  // Level 2 · Balance
  {
    id: 'sample-deviation',
    why: 'Takes the deviation of a sample, divided by one less than there are.',
    origin: 'common',
    law: 'Level 2',
    edits: [['(fraction - mean), 0) / count);', '(fraction - mean), 0) / (count - 1));']],
  },
  {
    id: 'fractions-of-a-score',
    why: 'Gives what it has computed, with all its digits.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [
      [
        'return Math.trunc((1 - deviationOf(fractions)) * MAX_NODE_SCORE);',
        'return (1 - deviationOf(fractions)) * MAX_NODE_SCORE;',
      ],
    ],
  },
  {
    id: 'overfull-is-uneven',
    why: 'What is overfull counts as that much further away from the others.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2',
        'Math.abs((fractions[0] ?? 0) - (fractions[1] ?? 0)) / 2',
      ],
    ],
  },
  {
    id: 'balances-best-effort',
    why: 'Pods that ask for nothing all go to the node that happens to be balanced.',
    origin: 'k#129138',
    law: 'Level 2',
    edits: [['      if (requested.every(({ amount }) => amount === 0)) return skip;\n', '']],
  },
  {
    id: 'balances-what-is-assumed',
    why: 'Counts what is assumed for pods that do not say, as how full a node is does.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        '(amountOf(nodeInfo.requested, name) + amount) / capacity',
        '(amountOf(nodeInfo.nonZeroRequested, name) + amount) / capacity',
      ],
    ],
  },
  {
    id: 'root-of-two',
    why: 'Takes the root also for two, which is not quite half their distance: one point more here, one less there.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;\n',
        '',
      ],
    ],
  },

  // Level 3 · Preferred node affinity
  {
    id: 'share-of-a-fraction',
    why: 'Divides first and multiplies then: 29 of 100 become 28.',
    origin: 'common',
    law: 'Level 3',
    edits: [['Math.trunc((maxPriority * score) / highest)', 'Math.trunc(maxPriority * (score / highest))']],
  },
  {
    id: 'reverses-before-rounding',
    why: 'Rounds what is left to the best, and not what it is away from it.',
    origin: 'common',
    law: 'Keeps the order',
    edits: [
      [
        'return { name, score: reverse ? maxPriority - part : part };',
        'return { name, score: reverse && highest > 0 ? Math.trunc((maxPriority * (highest - score)) / highest) : reverse ? maxPriority : part };',
      ],
    ],
  },
  {
    id: 'all-zero-reversed-is-zero',
    why: 'Where no node has anything against the pod, none gets anything for it.',
    origin: 'common',
    law: 'Keeps the order',
    edits: [
      [
        'return { name, score: reverse ? maxPriority - part : part };',
        'return { name, score: reverse && highest > 0 ? maxPriority - part : part };',
      ],
    ],
  },
  {
    id: 'stretches-to-the-lowest',
    why: 'Makes the lowest 0 as well, so that a little less becomes nothing at all.',
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
    why: 'Stops at the first preference that a node meets, as for what is required.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;',
        'for (const { weight, matches } of state.read(preferredTerms)) if (sum === 0 && matches(node)) sum += weight;',
      ],
    ],
  },
  {
    id: 'lightest-first',
    why: 'Takes weights for priorities of which 1 is the highest.',
    origin: 'common',
    law: 'More weight',
    edits: [['if (matches(node)) sum += weight;', 'if (matches(node)) sum += 101 - weight;']],
  },
  {
    id: 'remembers-the-last-pod',
    why: 'Keeps what preScore has worked out in the plugin: of two pods at a time, the first is scored by what the second wants.',
    origin: 'common',
    law: 'Asked twice',
    edits: [
      [
        "const preferredTerms = stateKey<readonly PreferredTerm[]>('PreScoreNodeAffinity');",
        'let preferredTerms: readonly PreferredTerm[] = [];',
      ],
      [
        'state.write(\n      preferredTerms,\n      terms.map(({ weight, preference }) => ({ weight, matches: nodeSelectorTermMatcher(preference) })),\n    );',
        'preferredTerms = terms.map(({ weight, preference }) => ({ weight, matches: nodeSelectorTermMatcher(preference) }));',
      ],
      ['of state.read(preferredTerms))', 'of preferredTerms)'],
    ],
  },

  // Level 4 · Taints that would rather not
  {
    id: 'hard-taints-count',
    why: 'Taints that the filter has dealt with count once more.',
    origin: 'common',
    law: 'Level 4',
    edits: [["    if (taint.effect !== 'PreferNoSchedule') continue;\n", '']],
  },
  {
    id: 'effect-must-be-said',
    why: 'A toleration of every effect does not count for this one.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'if (!tolerations?.some((toleration) => toleratesTaint(toleration, taint))) count++;',
        'if (!tolerations?.some((toleration) => toleration.effect && toleratesTaint(toleration, taint))) count++;',
      ],
    ],
  },
  {
    id: 'more-taints-are-better',
    why: 'Forgets to turn the scores over: pods go where they are wanted least.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'defaultNormalizeScore(MAX_NODE_SCORE, true, scores)',
        'defaultNormalizeScore(MAX_NODE_SCORE, false, scores)',
      ],
    ],
  },

  // Level 5 · Images that are there already
  {
    id: 'port-is-a-tag',
    why: 'Takes the port of a registry for a tag, and finds no untagged image of that registry.',
    origin: 'common',
    law: 'Level 5',
    edits: [["name.lastIndexOf(':') <= name.lastIndexOf('/')", "!name.includes(':')"]],
  },
  {
    id: 'untagged-is-unknown',
    why: 'Looks for images by the name that the pod says, which on the node has a tag.',
    origin: 'common',
    law: 'By the book',
    edits: [['const name = normalizedImageName(image);', 'const name = image;']],
  },
  {
    id: 'one-threshold-for-all',
    why: 'However many containers a pod has, 1000 MiB are all that counts: where one large image is, others are not worth anything.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 5',
    edits: [
      [
        'const max = MAX_CONTAINER_THRESHOLD_BYTES * numContainers;',
        'const max = MAX_CONTAINER_THRESHOLD_BYTES;',
      ],
    ],
  },
  {
    id: 'init-images-are-free',
    why: 'Images of init containers are pulled as well.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 5',
    edits: [
      [
        'const containers = [...(spec.initContainers ?? []), ...spec.containers];',
        'const { containers } = spec;',
      ],
    ],
  },
  {
    id: 'heats-one-node',
    why: 'An image that is on one node is worth all of its size: all pods with it go there, and no other node ever gets it.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'return Math.trunc(sizeBytes * (numNodes / totalNumNodes));',
        'return numNodes > totalNumNodes ? 0 : sizeBytes;',
      ],
    ],
  },
  {
    id: 'cluster-of-the-feasible',
    why: 'Counts the nodes that are left, and not those of the cluster: an image may be on more nodes than there are.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['preScore(state, { spec }, _feasible, snapshot) {', 'preScore(state, { spec }, feasible, snapshot) {'],
      ['totalNumNodes: snapshot.nodeInfos.length,', 'totalNumNodes: feasible.length,'],
    ],
  },
  {
    id: 'multiplies-first',
    why: 'Multiplies first and divides then, where the share of the nodes is a fraction: 62 become 63.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'return Math.trunc(sizeBytes * (numNodes / totalNumNodes));',
        'return Math.trunc((sizeBytes * numNodes) / totalNumNodes);',
      ],
    ],
  },
  {
    id: 'rounds-images-at-last',
    why: 'Adds up parts of bytes, so that two halves are a byte more.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'sum += scaledImageScore(sizeBytes, numNodes, totalNumNodes);',
        'sum += sizeBytes * (numNodes / totalNumNodes);',
      ],
    ],
  },

  // Level 6 · Spread
  {
    id: 'musts-are-wishes',
    why: 'Constraints that the filter enforces count as wishes once more.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ["({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',", '({ maxSkew }) => maxSkew > 0,'],
    ],
  },
  {
    id: 'counts-the-dying',
    why: 'Pods that are being deleted hold their place: what replaces them goes elsewhere, and is not spread.',
    origin: 'k#87621',
    law: 'Level 6',
    edits: [
      [
        'if (metadata.deletionTimestamp === undefined && metadata.namespace === namespace) {',
        'if (metadata.namespace === namespace) {',
      ],
    ],
  },
  {
    id: 'counts-strangers',
    why: 'Pods of other namespaces that happen to have the same labels count as one of its own.',
    origin: 'common',
    law: 'By the book',
    edits: [
      [
        'if (metadata.deletionTimestamp === undefined && metadata.namespace === namespace) {',
        "if (metadata.deletionTimestamp === undefined && namespace !== '') {",
      ],
    ],
  },
  {
    id: 'empty-selector-means-all',
    why: 'A constraint that selects everything counts everything, where upstream counts nothing.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  if (selector.empty) return 0;\n', '']],
  },
  {
    id: 'hosts-by-label',
    why: 'Looks hosts up by their label, like all other places: nodes that say the same are taken for one.',
    origin: 'common',
    law: 'Level 6',
    edits: [['if (topologyKey === LABEL_HOSTNAME) {', "if (topologyKey === '') {"]],
  },
  {
    id: 'lacking-label-is-empty',
    why: 'Nodes that are in no place at all look like the emptiest: pods that are to be spread go there.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));',
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints) && constraints.length > 2);',
      ],
    ],
  },
  {
    id: 'all-places-weigh-alike',
    why: 'A pod more in one of two zones counts as much as a pod more on one of a thousand hosts.',
    origin: 'common',
    law: 'Level 6',
    edits: [['return Math.log(size + 2);', 'return size > 0 ? 1 : 0;']],
  },
  {
    id: 'counts-on-the-feasible-alone',
    why: 'Nodes that are full have pods, too: a zone that is crowded looks empty because of its one new node.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'countAll(spreads, pod, snapshot);',
        'countAll(spreads, pod, { nodeInfos: complete } as typeof snapshot);',
      ],
    ],
  },
  {
    id: 'counts-where-it-cannot-go',
    why: 'Counts pods on nodes that this pod does not want: they make places look crowded that are not for it.',
    origin: 'common',
    law: 'Level 6',
    edits: [["      if (constraint.nodeAffinityPolicy === 'Honor' && !meetsAffinity(node)) continue;\n", '']],
  },
  {
    id: 'least-crowded-is-not-best',
    why: 'Forgets what all places have in common: no node gets 100 but an empty one.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'Math.trunc((MAX_NODE_SCORE * (most + least - score)) / most)',
        'Math.trunc((MAX_NODE_SCORE * (most - score)) / most)',
      ],
    ],
  },
  {
    id: 'half-a-place-counts',
    why: 'Counts pods on nodes that lack the key of another constraint, when they are not feasible.',
    origin: 'common',
    law: 'Level 6',
    edits: [['    if (!hasKeys(node, constraints)) continue;\n', '']],
  },
  {
    id: 'empty-label-is-none',
    why: 'Takes a label that is empty for one that is not there: nodes that have it are in no place.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'labelOf(metadata.labels, topologyKey) !== undefined);',
        'Boolean(labelOf(metadata.labels, topologyKey)));',
      ],
    ],
  },
  {
    id: 'rounds-each-constraint',
    why: 'Rounds what each constraint says, and then adds: two halves that are lost are a whole pod.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'score += scoreForCount(count, maxSkew, weight);',
        'score += Math.round(scoreForCount(count, maxSkew, weight));',
      ],
    ],
  },
  {
    id: 'left-out-are-least',
    why: 'Nodes that are left out have 0, and so they are the least: all others look worse than they are.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '      if (leftOut.has(name)) continue;\n      least = Math.min(least, score);',
        '      least = Math.min(least, leftOut.has(name) ? 0 : score);',
      ],
    ],
  },
  {
    id: 'musts-leave-out',
    why: 'Leaves a node out, or its pods, because it lacks the key of a constraint that the filter enforces.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, constraints));',
        'const lacking = feasible.filter(({ node }) => !hasKeys(node, (pod.spec.topologySpreadConstraints ?? []) as unknown as SoftConstraint[]));',
      ],
    ],
  },

  // Level 7 · Affinity to pods
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

  // Level 8 · The sum, and who wins
  {
    id: 'weighs-before-normalising',
    why: 'Normalising takes the weights away again: all plugins that normalise count the same.',
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
    why: 'Adds up what plugins say, as if all counted alike.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'name: plugin.name, score: valid * weight };',
        'name: plugin.name, score: valid * Math.min(weight, 1) };',
      ],
    ],
  },
  {
    id: 'takes-no-for-an-answer',
    why: 'A plugin that turns a pod away where it may not is not noticed, and is asked for scores that it has not prepared.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (status && framework.isRejected(status)) {',
        'if (status && framework.isRejected(status) && status.reasons.length === 0) {',
      ],
    ],
  },
  {
    id: 'plugin-by-plugin',
    why: 'Asks a plugin for its scores before the next has prepared its own: nobody can rely on what others have noted.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        "    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);\n",
        "    if (status?.code === 'Skip') state.skipScorePlugins.add(plugin.name);\n    else for (const info of feasible) plugin.score(state, pod, info);\n",
      ],
    ],
  },
  {
    id: 'asks-the-silent',
    why: 'Asks plugins that have nothing to say, and have prepared nothing.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'const asked = plugins.filter(({ plugin }) => !state.skipScorePlugins.has(plugin.name));',
        'const asked = plugins;',
      ],
    ],
  },
  {
    id: 'trusts-every-score',
    why: 'A plugin that counts in other units than the others decides alone.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (Number.isInteger(score) && score !== undefined && score >= 0 && score <= MAX_NODE_SCORE) return score;',
        'if (score !== undefined) return score;',
      ],
    ],
  },
  {
    id: 'position-breaks-ties',
    why: 'Adds a little for who comes first, so that there are no equals: the same nodes always win.',
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
    why: 'Puts the nodes into the order of their names, in the list that belongs to whoever asked.',
    origin: 'common',
    law: 'Hands off',
    edits: [
      [
        '  for (const { plugin } of plugins) {\n    const status',
        '  (feasible as framework.NodeInfo[]).sort((a, b) => (a.name < b.name ? 1 : -1));\n  for (const { plugin } of plugins) {\n    const status',
      ],
    ],
  },
  {
    id: 'first-of-equals',
    why: 'Of equals the first wins always: in an empty cluster all pods go to one node.',
    origin: 'common',
    law: 'The best wins',
    edits: [
      ['if (random.int(equals) === 0) selected = each;', 'if (random.int(equals) < 0) selected = each;'],
    ],
  },
  {
    id: 'last-equal-is-favoured',
    why: 'Throws a coin for each of the equals: the last has it as often as all the others together.',
    origin: 'common',
    law: 'Level 8',
    edits: [['if (random.int(equals) === 0) selected = each;', 'if (random.int(2) === 0) selected = each;']],
  },
  {
    id: 'equals-of-before',
    why: 'Does not begin to count anew when a better one comes: it is as likely as if all the lesser were its equals.',
    origin: 'common',
    law: 'Level 8',
    edits: [['      selected = each;\n      equals = 1;', '      selected = each;\n      equals++;']],
  },
];
