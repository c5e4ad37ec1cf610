/** Mistakes of level 8 · Affinity and anti-affinity to pods. */
import type { Mistake } from '#harness/testing';

/** Level 8 · Affinity and anti-affinity to pods. */
export const level8: readonly Mistake[] = [
  {
    id: 'any-term-will-do',
    why: 'A pod that matches one of the terms is company for that term.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'terms.length > 0 && terms.every((term) => termMatches(',
        'terms.length > 0 && terms.some((term) => termMatches(',
      ],
    ],
  },
  {
    id: 'the-first-waits-for-ever',
    why: 'The first of a group that wants to be together finds no pod, and no other can come before it.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      ['isFirst: affinity.size === 0 && matchesItself,', 'isFirst: affinity.size < 0 && matchesItself,'],
    ],
  },
  {
    id: 'every-pod-is-first',
    why: 'Where none of the pods is that the pod wants to be with, it may go anywhere, although it is not one of them.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'isFirst: affinity.size === 0 && matchesItself,',
        'isFirst: affinity.size === 0 && (matchesItself || true),',
      ],
    ],
  },
  {
    id: 'first-into-nowhere',
    why: 'The first of a group is put on a node without the label, where no pod can ever join it.',
    origin: 'k#129319: what the first must have',
    law: 'Level 8',
    edits: [
      ['if (place === undefined) return tooFar;', 'if (place === undefined && !isFirst) return tooFar;'],
      [
        '!affinity.get(topologyKey)?.has(place)) return tooFar;',
        "!affinity.get(topologyKey)?.has(place ?? '')) return tooFar;",
      ],
    ],
  },
  {
    id: 'affinity-might-help',
    why: 'It says that it could help if other pods went, where others are missing.',
    origin: 'common',
    law: 'Says why not together',
    edits: [['const tooFar = framework.unresolvable(', 'const tooFar = framework.unschedulable(']],
  },
  {
    id: 'one-sided-dislike',
    why: 'A pod may move in with one that wants to be alone: only its own wishes count.',
    origin: 'k#28874',
    law: 'Keeps company',
    edits: [
      [
        'return isIn(node, existingAntiAffinity) ? unwelcome',
        'return isIn(node, existingAntiAffinity) && node === undefined ? unwelcome',
      ],
    ],
  },
  {
    id: 'no-terms-no-question',
    why: 'A pod that has no terms of its own is not asked about, even if other pods want to be away from it.',
    origin: 'k#28874',
    law: 'Level 8',
    edits: [
      [
        'if (!hasTerms && existingAntiAffinity.size === 0) return framework.skip;',
        'if (!hasTerms) return framework.skip;',
      ],
    ],
  },
  {
    id: 'namespaces-do-not-matter',
    why: 'A term speaks of pods of all namespaces, and not of those that it names.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '(named.has(namespace) || namespaceSelector.matches(namespaces.get(namespace))) &&',
        '(named.size >= 0 || namespaceSelector.matches(namespaces.get(namespace))) &&',
      ],
    ],
  },
  {
    id: 'near-without-a-label',
    why: 'A node without the label is near to no pod, and here it is near to every pod.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (place !== undefined && places.has(place)) return true;',
        'if (place === undefined || places.has(place)) return true;',
      ],
    ],
  },
  {
    id: 'company-in-every-place',
    why: 'Company on a node without the label of one term is not counted for the other, and a second group begins.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      [
        'return snapshot.countByTopology(what, ({ pods }) => {',
        'return snapshot.countByTopology(what, ({ node, pods }) => {\n    const isPlace = terms.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);',
      ],
      [
        'return terms.map(({ topologyKey }) => [topologyKey, here]);',
        'return (isPlace ? terms : []).map(({ topologyKey }) => [topologyKey, here]);',
      ],
    ],
  },
  {
    id: 'empty-place-is-nowhere',
    why: 'Pods on a node whose label is empty are counted nowhere: no pod is near them, and none is kept away.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (!isFirst && !affinity.get(topologyKey)?.has(place)) return tooFar;',
        'if (!isFirst && !(place && affinity.get(topologyKey)?.has(place))) return tooFar;',
      ],
      [
        'if (place !== undefined && places.has(place)) return true;',
        'if (place && places.has(place)) return true;',
      ],
    ],
  },
  {
    id: 'no-pod-avoids-one-without-labels',
    why: 'A pod without labels goes where another pod wants to be alone: an empty selector matches it, too.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {\n',
        'export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {\n  if (Object.keys(pod.metadata.labels ?? {}).length === 0) return none;\n',
      ],
    ],
  },
  {
    id: 'one-count-for-all-labels',
    why: 'Keeps the pods that avoid a pod under its namespace alone: a pod with other labels gets the count of the one before.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [['textOf(namespaceOf(pod), pod.metadata.labels)', 'textOf(namespaceOf(pod))']],
  },
  {
    id: 'one-count-for-all-namespaces',
    why: 'Keeps the pods that avoid a pod under its labels alone: a pod of another namespace gets the count of the one before.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [['textOf(namespaceOf(pod), pod.metadata.labels)', 'textOf(pod.metadata.labels)']],
  },
  {
    id: 'one-count-for-like-and-dislike',
    why: 'Keeps the pods that match all terms and those that match one under the same text: the second to ask gets the count of the first.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [
      ['match all of ', 'match '],
      ['match one of ', 'match '],
      ['pod.spec.affinity?.podAffinity)', 'requiredOf(pod.spec.affinity?.podAffinity))'],
      ['pod.spec.affinity?.podAntiAffinity)', 'requiredOf(pod.spec.affinity?.podAntiAffinity))'],
      [
        '/** What a count goes by, for counts that are kept. */',
        'const requiredOf = (affinity?: { requiredDuringSchedulingIgnoredDuringExecution?: unknown }) =>\n  affinity?.requiredDuringSchedulingIgnoredDuringExecution;\n',
      ],
    ],
  },
  {
    id: 'kept-for-the-pod',
    why: 'Keeps which pods avoid a pod for that pod: when it is tried again, the others have moved, and it does not know.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [
      [
        'const existingAntiAffinity = existingAntiAffinityCounts(pod, snapshot);',
        'const existingAntiAffinity = keptFor.get(pod) ?? existingAntiAffinityCounts(pod, snapshot);\n    keptFor.set(pod, existingAntiAffinity);',
      ],
      [
        '/** What a count goes by, for counts that are kept. */',
        'const keptFor = new WeakMap<Pod, framework.TopologyCounts>();\n\n/** What a count goes by, for counts that are kept. */',
      ],
    ],
  },
];
