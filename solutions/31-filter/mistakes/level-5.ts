/** Mistakes of level 5 · Resources. */
import type { Mistake } from '#harness/testing';

/** Level 5 · Resources. */
export const level5: readonly Mistake[] = [
  {
    id: 'init-containers-add-up',
    why: 'The requests of init containers are added to those of the containers, although they do not run at the same time.',
    origin: 'common',
    law: 'Level 5',
    edits: [['framework.maxResources(starting, running),', 'framework.addResources(starting, running),']],
  },
  {
    id: 'sidecars-are-gone',
    why: 'A sidecar counts while the pod starts, but not next to the main containers.',
    origin: 'k#127868',
    law: 'Level 5',
    edits: [['let running = sidecars;', 'let running = framework.noResources;']],
  },
  {
    id: 'the-whole-does-not-count',
    why: 'The pod-level requests are ignored, and only those of the containers count.',
    origin: 'common',
    law: 'Level 5',
    edits: [['    spec.resources?.requests,\n', '    undefined,\n']],
  },
  {
    id: 'the-whole-is-added',
    why: 'The pod-level requests are added to those of the containers, although they include them.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['const most = framework.overrideResources(', 'const most = framework.addResources('],
      ['    spec.resources?.requests,\n', '    framework.parseResources(spec.resources?.requests),\n'],
    ],
  },
  {
    id: 'overhead-is-free',
    why: 'The pod overhead, such as that of a virtual machine, does not count.',
    origin: 'common',
    law: 'Level 5',
    edits: [['framework.parseResources(spec.overhead as framework.ResourceList)', 'framework.noResources']],
  },
  {
    id: 'never-quite-full',
    why: 'The last core of a node is never allocated.',
    origin: 'common',
    law: 'Level 5',
    edits: [['requested <= capacity - used) return short;', 'requested < capacity - used) return short;']],
  },
  {
    id: 'amounts-as-text',
    why: 'Amounts are compared as text: a node with 10 units has less than one with 9.',
    origin: 'common',
    law: 'More room still fits',
    edits: [
      [
        'requested <= capacity - used) return short;',
        'String(requested) <= String(capacity - used)) return short;',
      ],
    ],
  },
  {
    id: 'nothing-does-not-fit',
    why: 'On an overcommitted node, not even a pod without requests fits.',
    origin: 'k#116408',
    law: 'Level 5',
    edits: [['if (requested === 0 || requested <= capacity - used)', 'if (requested <= capacity - used)']],
  },
  {
    id: 'pods-are-not-counted',
    why: 'The pod limit of a node is ignored.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [['if (pods.length >= allocatable.allowedPodNumber) short', 'if (pods.length > 1e9) short']],
  },
  {
    id: 'one-pod-too-many',
    why: 'The new pod itself does not count.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      ['if (pods.length >= allocatable.allowedPodNumber)', 'if (pods.length > allocatable.allowedPodNumber)'],
    ],
  },
  {
    id: 'devices-are-not-counted',
    why: 'Only cpu and memory are compared: graphics cards are allocated twice.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      ['if (requests.scalar.size === 0) return short;', 'if (requests.scalar.size >= 0) return short;'],
    ],
  },
  {
    id: 'one-reason-is-enough',
    why: 'It reports only the first insufficient resource: a user fixes the memory, and then gets a message about the cpu.',
    origin: 'common',
    law: 'Names its reason',
    edits: [
      [
        'const reasons = short.map(({ reason }) => reason);',
        'const reasons = short.slice(0, 1).map(({ reason }) => reason);',
      ],
    ],
  },
  {
    id: 'too-much-for-now',
    why: "For a request above the node's capacity, it claims that the removal of other pods could help.",
    origin: 'Kubernetes before 1.34',
    law: 'Stays unresolvable',
    edits: [
      [
        'return isHopeless ? framework.unresolvable',
        'return isHopeless && short.length < 0 ? framework.unresolvable',
      ],
    ],
  },
  {
    id: 'takes-the-room-when-asked',
    why: 'A query allocates the resources: the same query has another result the next time.',
    origin: 'common',
    law: 'Pure',
    edits: [
      [
        "const requestsKey = framework.stateKey<framework.Resources>('PreFilterNodeResourcesFit');",
        "const requestsKey = framework.stateKey<framework.Resources>('PreFilterNodeResourcesFit');\nconst taken = new WeakSet<framework.NodeInfo>();",
      ],
      [
        '    if (short.length === 0) return framework.success;',
        "    if (short.length === 0 && taken.has(nodeInfo)) return framework.unschedulable('Insufficient cpu');\n    taken.add(nodeInfo);\n    if (short.length === 0) return framework.success;",
      ],
    ],
  },
  {
    id: 'remembers-the-last-pod',
    why: 'The requests are stored in a module variable, which the next pod reads.',
    origin: 'common',
    law: 'Keeps cycles apart',
    edits: [
      [
        "const requestsKey = framework.stateKey<framework.Resources>('PreFilterNodeResourcesFit');",
        'let requestsOfPod = framework.noResources;',
      ],
      [
        '  preFilter(state, pod) {\n    state.write(requestsKey, podRequests(pod));',
        '  preFilter(_state, pod) {\n    requestsOfPod = podRequests(pod);',
      ],
      [
        '  filter(state, _pod, nodeInfo) {\n    const short = insufficientResources(state.read(requestsKey), nodeInfo);',
        '  filter(_state, _pod, nodeInfo) {\n    const short = insufficientResources(requestsOfPod, nodeInfo);',
      ],
    ],
  },
];
