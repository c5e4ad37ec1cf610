/** Mistakes of level 8 · Affinity and anti-affinity to pods. */
import type { Mistake } from '#harness/testing';

/** Level 8 · Affinity and anti-affinity to pods. */
export const level8: readonly Mistake[] = [
  {
    id: 'any-term-will-do',
    why: 'A pod that matches only one of the affinity terms satisfies that term.',
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
    why: 'The first pod of a group with affinity to itself finds no other pod, so that the group never starts.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      ['isFirst: affinity.size === 0 && matchesItself,', 'isFirst: affinity.size < 0 && matchesItself,'],
    ],
  },
  {
    id: 'every-pod-is-first',
    why: 'If no pod matches the affinity, the pod may run anywhere, although it does not match the affinity itself.',
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
    why: 'The first pod of a group is scheduled to a node without the label, where no other pod can join it.',
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
    why: 'For a missing affinity, it claims that the removal of other pods could help.',
    origin: 'common',
    law: 'Explains affinity',
    edits: [['const tooFar = framework.unresolvable(', 'const tooFar = framework.unschedulable(']],
  },
  {
    id: 'one-sided-dislike',
    why: 'The anti-affinity of existing pods is ignored: only the terms of the new pod count.',
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
    why: 'A pod without terms is skipped, even if existing pods have anti-affinity to it.',
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
    why: 'A term matches pods of all namespaces, not only those that it names.',
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
    why: 'A node without the label counts as being in every domain.',
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
    why: 'Matching pods on a node that lacks the label of one term do not count for the other term, and a second group starts.',
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
    why: 'Pods on a node whose label is empty do not count in any domain.',
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
    why: 'A pod without labels is exempt from the anti-affinity of existing pods, although an empty selector matches it.',
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
    why: 'The count of existing anti-affinity is cached by namespace alone: a pod with other labels gets the count of the previous one.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [['textOf(namespaceOf(pod), pod.metadata.labels)', 'textOf(namespaceOf(pod))']],
  },
  {
    id: 'one-count-for-all-namespaces',
    why: 'The count of existing anti-affinity is cached by labels alone: a pod of another namespace gets the count of the previous one.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [['textOf(namespaceOf(pod), pod.metadata.labels)', 'textOf(pod.metadata.labels)']],
  },
  {
    id: 'one-count-for-like-and-dislike',
    why: 'The counts for all terms and for one term are cached under the same key: the second query gets the result of the first.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [
      ['match all of ', 'match '],
      ['match one of ', 'match '],
      ['pod.spec.affinity?.podAffinity)', 'requiredOf(pod.spec.affinity?.podAffinity))'],
      ['pod.spec.affinity?.podAntiAffinity)', 'requiredOf(pod.spec.affinity?.podAntiAffinity))'],
      [
        '/** Returns the key of a cached count. */',
        'const requiredOf = (affinity?: { requiredDuringSchedulingIgnoredDuringExecution?: unknown }) =>\n  affinity?.requiredDuringSchedulingIgnoredDuringExecution;\n',
      ],
    ],
  },
  {
    id: 'kept-for-the-pod',
    why: 'The count of existing anti-affinity is cached for the pod: at a retry, the other pods have changed, but the count has not.',
    origin: 'common',
    law: 'Keeps pods apart',
    edits: [
      [
        'const existingAntiAffinity = existingAntiAffinityCounts(pod, snapshot);',
        'const existingAntiAffinity = keptFor.get(pod) ?? existingAntiAffinityCounts(pod, snapshot);\n    keptFor.set(pod, existingAntiAffinity);',
      ],
      [
        '/** Returns the key of a cached count. */',
        'const keptFor = new WeakMap<Pod, framework.TopologyCounts>();\n\n/** Returns the key of a cached count. */',
      ],
    ],
  },
  {
    id: 'named-and-selected',
    why: 'A term with a list of namespaces and a selector of namespaces requires both, although one suffices.',
    origin: 'common',
    law: 'Keeps company',
    edits: [
      [
        '(named.has(namespace) || namespaceSelector.matches(namespaces.get(namespace))) &&',
        '(named.size === 0 || named.has(namespace)) &&\n    (named.size > 0 || namespaceSelector.matches(namespaces.get(namespace))) &&',
      ],
    ],
  },
  {
    id: 'avoids-as-if-unlabelled',
    why: 'Anti-affinity also counts pods whose namespace would match without its labels: a NotIn selector matches every namespace.',
    origin: 'k#141526',
    law: 'Keeps company',
    edits: [
      [
        'count(pods, (other) => termMatches(term, other, snapshot.namespaces)),',
        'count(\n        pods,\n        (other) => termMatches(term, other, snapshot.namespaces) || termMatches(term, other, new Map()),\n      ),',
      ],
    ],
  },
  {
    id: 'joins-as-if-unlabelled',
    why: 'Affinity also counts pods whose namespace would match without its labels: a NotIn selector matches every namespace.',
    origin: 'k#141526',
    law: 'Keeps company',
    edits: [
      [
        'const here = count(pods, (other) => podMatchesAllAffinityTerms(terms, other, snapshot.namespaces));',
        'const here = count(\n      pods,\n      (other) =>\n        podMatchesAllAffinityTerms(terms, other, snapshot.namespaces) ||\n        podMatchesAllAffinityTerms(terms, other, new Map()),\n    );',
      ],
    ],
  },
];
