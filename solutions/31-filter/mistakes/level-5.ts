/** Mistakes of level 5 · Resources. */
import type { Mistake } from '#harness/testing';

/** Level 5 · Resources. */
export const level5: readonly Mistake[] = [
  {
    id: 'init-containers-add-up',
    why: 'Init containers run before the others and not beside them: what they ask for is not asked for twice.',
    origin: 'common',
    law: 'Level 5',
    edits: [['framework.maxResources(starting, running),', 'framework.addResources(starting, running),']],
  },
  {
    id: 'sidecars-are-gone',
    why: 'A sidecar is counted while it starts, and not beside the containers that it serves.',
    origin: 'k#127868',
    law: 'Level 5',
    edits: [['let running = sidecars;', 'let running = framework.noResources;']],
  },
  {
    id: 'the-whole-does-not-count',
    why: 'A pod that says what it asks for as a whole is given only what its containers ask for.',
    origin: 'common',
    law: 'Level 5',
    edits: [['    spec.resources?.requests,\n', '    undefined,\n']],
  },
  {
    id: 'the-whole-is-added',
    why: 'What the pod asks for as a whole is there for its containers, and here it is counted beside what they ask for.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['const most = framework.overrideResources(', 'const most = framework.addResources('],
      ['    spec.resources?.requests,\n', '    framework.parseResources(spec.resources?.requests),\n'],
    ],
  },
  {
    id: 'overhead-is-free',
    why: 'What it costs to run a pod in a virtual machine is not counted.',
    origin: 'common',
    law: 'Level 5',
    edits: [['framework.parseResources(spec.overhead as framework.ResourceList)', 'framework.noResources']],
  },
  {
    id: 'never-quite-full',
    why: 'The last core of a node is never given away.',
    origin: 'common',
    law: 'Level 5',
    edits: [['requested <= capacity - used) return short;', 'requested < capacity - used) return short;']],
  },
  {
    id: 'amounts-as-text',
    why: 'It compares amounts as they are written, and a node with 10 of something has less than one with 9.',
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
    why: 'On a node that has more on it than room, not even a pod that asks for nothing fits.',
    origin: 'k#116408',
    law: 'Level 5',
    edits: [['if (requested === 0 || requested <= capacity - used)', 'if (requested <= capacity - used)']],
  },
  {
    id: 'pods-are-not-counted',
    why: 'A node takes a number of pods, too, because it has so many addresses for them.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [['if (pods.length >= allocatable.allowedPodNumber) short', 'if (pods.length > 1e9) short']],
  },
  {
    id: 'one-pod-too-many',
    why: 'The pod itself is forgotten in the count.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      ['if (pods.length >= allocatable.allowedPodNumber)', 'if (pods.length > allocatable.allowedPodNumber)'],
    ],
  },
  {
    id: 'devices-are-not-counted',
    why: 'cpu and memory are compared, and graphics cards are given away twice.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      ['if (requests.scalar.size === 0) return short;', 'if (requests.scalar.size >= 0) return short;'],
    ],
  },
  {
    id: 'one-reason-is-enough',
    why: 'A user who has made the memory smaller is told next time that the cpu is too much as well.',
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
    why: 'A pod that asks for more than the node has at all is said to fit if others went.',
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
    why: 'To ask whether there is room already takes it: the same question gets another answer the next time.',
    origin: 'common',
    law: 'Looks only',
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
    why: 'What the pod asks for stands in a variable of the module, and the next pod finds it there.',
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
