/** Correct filters with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'a table of rules that read the whole snapshot each time; only one preFilter, and none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'a sidecar counts while the pod starts, but not while it runs',
        law: 'Agrees',
        edits: [['moments.push([...staying, ...spec.containers]);', 'moments.push(spec.containers);']],
      },
      {
        why: 'a request above the capacity of the node counts as one that could fit later',
        law: 'Stays unresolvable',
        edits: [
          [
            "short.some(({ name, asks }) => asks > has(name)) ? 'never' : 'not now'",
            "short.length > 99 ? 'never' : 'not now'",
          ],
        ],
      },
      {
        why: 'registers only for new nodes',
        law: 'Wakes the pods it helps',
        edits: [
          ["...each('Node', 'UpdateNodeLabel', 'UpdateNodeTaint', 'UpdateNodeAllocatable', 'Delete'),\n", ''],
        ],
      },
      {
        why: 'every search starts at the first node',
        law: 'Stops at enough',
        edits: [
          [
            'const at = (startIndex + looked) % nodeInfos.length;',
            'const at = (startIndex * 0 + looked) % nodeInfos.length;',
          ],
        ],
      },
      {
        why: 'pods that are being deleted count for the spread',
        law: 'Spreads',
        edits: [['!metadata.deletionTimestamp &&', 'metadata.name !== undefined &&']],
      },
      {
        why: 'anti-affinity applies only to the pod that has the term, not to the pods that it excludes',
        law: 'Keeps company',
        edits: [
          [
            'info.pods.some(({ pod: other }) => avoids(other, info.node, pod, node)),',
            'info.pods.length < 0,',
          ],
        ],
      },
    ],
  },
  {
    id: 'without-optional-parts',
    why: 'leaves out the optional plugins, marked ★',
    core: true,
    edits: [
      [
        '  nodeResourcesFit,\n  podTopologySpread,\n  interPodAffinity,\n];',
        '  nodeResourcesFit,\n];\nvoid [podTopologySpread, interPodAffinity];',
      ],
    ],
  },
  {
    id: 'understands-each-time',
    why: 'parses selectors and adds up requests again for every node, without preparation',
    edits: [
      [
        '  let predicate = predicates.get(pod);\n  if (!predicate) {\n    predicate = predicateOfPod(pod);\n    predicates.set(pod, predicate);\n  }\n  return predicate(node);',
        '  void predicates;\n  return predicateOfPod(pod)(node);',
      ],
      [
        '  preFilter(state, pod) {\n    state.write(requestsKey, podRequests(pod));\n    return framework.success;\n  },\n  filter(state, _pod, nodeInfo) {\n    const short = insufficientResources(state.read(requestsKey), nodeInfo);',
        '  filter(_state, pod, nodeInfo) {\n    void requestsKey;\n    const short = insufficientResources(podRequests(pod), nodeInfo);',
      ],
      [
        '    return framework.podInfoOf(pod).hostPorts.length === 0 ? framework.skip : framework.success;',
        '    return framework.podInfoOf(pod).hostPorts.length === 0 ? framework.skip : { code: "Success", reasons: [] };',
      ],
    ],
  },
  {
    id: 'counts-when-asked',
    why: 'preFilter keeps the snapshot, and the pods are counted at the first node',
    edits: [
      [
        'const neighboursKey = framework.stateKey<Neighbours>',
        'const neighboursKey = framework.stateKey<() => Neighbours>',
      ],
      [
        '    const affinity = affinityCounts(pod, snapshot);\n    const matchesItself = podMatchesAllAffinityTerms(requiredAffinityTerms, pod, snapshot.namespaces);\n    state.write(neighboursKey, {\n      affinity,\n      antiAffinity: antiAffinityCounts(pod, snapshot),\n      existingAntiAffinity,\n      isFirst: affinity.size === 0 && matchesItself,\n    });',
        '    let counted: Neighbours | undefined;\n    state.write(neighboursKey, () => {\n      if (counted) return counted;\n      const affinity = affinityCounts(pod, snapshot);\n      const matchesItself = podMatchesAllAffinityTerms(requiredAffinityTerms, pod, snapshot.namespaces);\n      counted = {\n        affinity,\n        antiAffinity: antiAffinityCounts(pod, snapshot),\n        existingAntiAffinity,\n        isFirst: affinity.size === 0 && matchesItself,\n      };\n      return counted;\n    });',
      ],
      [
        'const { affinity, antiAffinity, existingAntiAffinity, isFirst } = state.read(neighboursKey);',
        'const { affinity, antiAffinity, existingAntiAffinity, isFirst } = state.read(neighboursKey)();',
      ],
    ],
  },
  {
    id: 'looks-at-all-pods',
    why: 'reads all pods instead of only those with terms, and never skips itself',
    edits: [
      [
        'snapshot.countByTopology(what, ({ podsWithRequiredAntiAffinity }) =>\n    podsWithRequiredAntiAffinity\n',
        'snapshot.countByTopology(what, ({ pods }) =>\n    pods.toReversed()\n',
      ],
      ['    if (!hasTerms && existingAntiAffinity.size === 0) return framework.skip;\n', ''],
    ],
  },
  {
    id: 'node-by-node-and-then-the-sum',
    why: 'computes one status for each node first, and combines them afterwards',
    edits: [
      [
        '    let fits = true;\n    for (const plugin of asked) {\n      const status = plugin.filter(state, pod, nodeInfo);\n      if (!framework.isRejected(status)) continue;\n      nodeToStatus.set(nodeInfo.name, status);\n      unschedulablePlugins.add(plugin.name);\n      fits = false;\n      break;\n    }\n    if (fits) feasible.push(nodeInfo);',
        '    const verdict = asked.reduce<{ readonly plugin: string; readonly status: framework.Status } | undefined>(\n      (before, plugin) => before ?? rejectionOf(plugin.name, plugin.filter(state, pod, nodeInfo)),\n      undefined,\n    );\n    if (!verdict) feasible.push(nodeInfo);\n    else {\n      nodeToStatus.set(nodeInfo.name, { ...verdict.status });\n      unschedulablePlugins.add(verdict.plugin);\n    }',
      ],
      [
        '/** A plugin that rejects the pod on every node. */',
        'function rejectionOf(plugin: string, status: framework.Status): { readonly plugin: string; readonly status: framework.Status } | undefined {\n  return framework.isRejected(status) ? { plugin, status } : undefined;\n}\n\n/** A plugin that rejects the pod on every node. */',
      ],
    ],
  },
  {
    id: 'others-in-any-order',
    why: 'lists the other insufficient resources in reverse; upstream lists them in any order',
    edits: [
      [
        'of requests.scalar) {\n    short = orShort(',
        'of [...requests.scalar].reverse()) {\n    short = orShort(',
      ],
    ],
  },
];
