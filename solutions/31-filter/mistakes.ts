/**
 * Filters that are wrong, each by a change or two of the reference: what was really shipped, and the wrong turns that
 * everybody takes who builds them. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · Name, and whether the node takes anybody
  {
    id: 'name-is-no-demand',
    why: 'A pod that names its node is sent anywhere.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return spec.nodeName && spec.nodeName !== nodeInfo.name ? otherName',
        "return spec.nodeName === '' ? otherName",
      ],
    ],
  },
  {
    id: 'cordon-for-everybody',
    why: 'A cordoned node takes nobody, not even those that say that they do not mind, such as the pods of a DaemonSet.',
    origin: 'common',
    law: 'Level 1',
    edits: [['node.spec.unschedulable && !toleratesCordon(pod) ?', 'node.spec.unschedulable && pod ?']],
  },
  {
    id: 'cordon-is-a-taint',
    why: 'It looks at the taint that a controller sets some time after the node was cordoned, and not at the field.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return node.spec.unschedulable && !toleratesCordon(pod)',
        'return node.spec.taints?.some(({ key }) => key === cordoned.key) && !toleratesCordon(pod)',
      ],
    ],
  },
  {
    id: 'effect-must-be-said',
    why: 'A toleration without an effect is for every effect, and here it is for none.',
    origin: 'common',
    law: 'Agrees',
    edits: [['if (effect && effect !== taint.effect)', 'if (effect !== taint.effect)']],
  },
  {
    id: 'key-must-be-said',
    why: 'A toleration without a key tolerates everything, and here it tolerates nothing.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (key && key !== taint.key)', 'if (key !== taint.key)']],
  },
  {
    id: 'exists-unless-told',
    why: 'A toleration without an operator compares values, and here it does not.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      ["if (operator === 'Exists') return true;", "if (!operator || operator === 'Exists') return true;"],
    ],
  },
  {
    id: 'exists-wants-no-value',
    why: 'Exists means every value, also where the toleration names one, and here it means the one named.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        "if (operator === 'Exists') return true;",
        "if (operator === 'Exists') return value === '' || value === taint.value;",
      ],
    ],
  },
  {
    id: 'no-key-wants-exists',
    why: 'A toleration without a key is for every key. The server wants Exists with it, and a filter does not ask.',
    origin: 'common',
    law: 'Level 1',
    edits: [['if (key && key !== taint.key)', "if (key ? key !== taint.key : operator !== 'Exists')"]],
  },

  // Level 2 · Taints
  {
    id: 'preference-keeps-out',
    why: 'PreferNoSchedule is a wish: whoever has nowhere else to go, may come.',
    origin: 'common',
    law: 'Wishes decide nothing',
    edits: [["(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&", "taint.effect !== '' &&"]],
  },
  {
    id: 'no-execute-is-not-for-us',
    why: 'What is thrown off a node as soon as it runs should not be sent there.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        "(taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&",
        "taint.effect === 'NoSchedule' &&",
      ],
    ],
  },
  {
    id: 'names-the-last-taint',
    why: 'Of several taints that keep a pod away it names the last, so that the sentence for users counts otherwise.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['return taints?.find(', 'return taints?.findLast(']],
  },
  {
    id: 'taints-might-go',
    why: 'It says that it could help if other pods went, and preemption evicts them for nothing.',
    origin: 'common',
    law: 'Means never',
    edits: [
      [
        'return framework.unresolvable(`node(s) had untolerated',
        'return framework.unschedulable(`node(s) had untolerated',
      ],
    ],
  },

  // Level 3 · Node selector and node affinity
  {
    id: 'empty-term-takes-all',
    why: 'A term that asks for nothing matches every node, as an empty label selector would.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      ['matchFields.length === 0) return () => false;', 'matchFields.length === 0) return () => true;'],
    ],
  },
  {
    id: 'all-terms-must-match',
    why: 'Terms are alternatives, and here a node must match all of them.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(!terms || terms.some((term)', '(!terms || terms.every((term)']],
  },
  {
    id: 'nonsense-excludes-nobody',
    why: 'NotIn with a value that no label can have is taken to hold everywhere; upstream takes it to hold nowhere.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'if (error instanceof labels.SelectorError) return () => false;',
        'if (error instanceof labels.SelectorError) return () => true;',
      ],
    ],
  },
  {
    id: 'fields-are-forgotten',
    why: 'A DaemonSet names the node of each of its pods in matchFields: without them they all run anywhere.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'selector.matches(node.metadata.labels) && fields.every((field) => field(node));',
        'fields.length >= 0 && selector.matches(node.metadata.labels);',
      ],
    ],
  },
  {
    id: 'selector-is-overruled',
    why: 'A pod with a node selector and a node affinity must have both, and here the affinity is enough.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'selector.matches(node.metadata.labels) && (!terms || terms.some((term) => term(node)));',
        'terms ? terms.some((term) => term(node)) : selector.matches(node.metadata.labels);',
      ],
    ],
  },
  {
    id: 'conflict-goes-unseen',
    why: 'Names that exclude each other are found out node by node, and the user is told of each node instead.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'return required && areContradictory(',
        'return required && required.nodeSelectorTerms.length < 0 && areContradictory(',
      ],
    ],
  },
  {
    id: 'any-field-is-a-name',
    why: 'Values of another field are taken for names, and a pod that no node fulfils is said to contradict itself.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "key === 'metadata.name' && operator === 'In' ? [values] : [],",
        "key !== '' && operator === 'In' ? [values] : [],",
      ],
    ],
  },

  // Level 4 · Ports of the node
  {
    id: 'every-address-is-an-address',
    why: 'A port on 0.0.0.0 is taken on every address, and here on that one only.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        '(a.hostIP === b.hostIP || a.hostIP === EVERY_ADDRESS || b.hostIP === EVERY_ADDRESS)',
        'a.hostIP === b.hostIP && EVERY_ADDRESS.length > 0',
      ],
    ],
  },
  {
    id: 'protocols-collide',
    why: 'DNS wants port 53 by TCP and by UDP, of one node and from two pods.',
    origin: 'k#5874',
    law: 'Level 4',
    edits: [['    a.protocol === b.protocol &&\n', '']],
  },
  {
    id: 'ports-for-ever',
    why: 'It says that it would not help if others went, and the pod that has the port is never preempted.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['const portTaken = framework.unschedulable(', 'const portTaken = framework.unresolvable(']],
  },
  {
    id: 'sidecars-have-no-ports',
    why: 'A sidecar stays, and has its port for good: two of them with the same port are sent to one node.',
    origin: 'k#132037',
    law: 'Level 4',
    edits: [
      [
        'const wanted = framework.podInfoOf(pod).hostPorts;\n    const isTaken',
        'const own = new Set(pod.spec.containers.flatMap(({ ports = [] }) => ports.map(({ hostPort }) => hostPort)));\n    const wanted = framework.podInfoOf(pod).hostPorts.filter(({ hostPort }) => own.has(hostPort));\n    const isTaken',
      ],
    ],
  },
  {
    id: 'first-port-decides',
    why: 'Of several ports that a pod wants it looks at the first.',
    origin: 'common',
    law: 'Level 4',
    edits: [['const isTaken = wanted.some((port)', 'const isTaken = wanted.slice(0, 1).some((port)']],
  },

  // Level 5 · Resources
  {
    id: 'init-containers-add-up',
    why: 'Init containers run before the others and not beside them: what they ask for is not asked for twice.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const most = framework.maxResources(starting, running);',
        'const most = framework.addResources(starting, running);',
      ],
    ],
  },
  {
    id: 'sidecars-are-gone',
    why: 'A sidecar is counted while it starts, and not beside the containers that it serves.',
    origin: 'k#127868',
    law: 'Level 5',
    edits: [['let running = sidecars;', 'let running = framework.noResources;']],
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
    law: 'More is never less',
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
    law: 'Means never',
    edits: [
      [
        'return isHopeless ? framework.unresolvable',
        'return isHopeless && short.length < 0 ? framework.unresolvable',
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

  // Level 6 · Spread
  {
    id: 'the-dying-are-counted',
    why: 'In a rolling update the new pods are kept away from where the old ones are about to leave.',
    origin: 'k#87621',
    law: 'Level 6',
    edits: [
      [
        'return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector',
        "return deletionTimestamp !== '' && namespaceOf(pod) === namespace && selector",
      ],
    ],
  },
  {
    id: 'strangers-are-counted',
    why: 'Pods of another namespace that happen to have the same labels are counted.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'return deletionTimestamp === undefined && namespaceOf(pod) === namespace && selector',
        "return deletionTimestamp === undefined && typeof namespace === 'string' && selector",
      ],
    ],
  },
  {
    id: 'an-empty-zone-is-no-zone',
    why: 'A zone without a pod of the kind is not counted, and the first three pods run in one zone, because it is the only one.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'counts.set(domain, (counts.get(domain) ?? 0) + here);',
        'if (here > 0) counts.set(domain, (counts.get(domain) ?? 0) + here);',
      ],
    ],
  },
  {
    id: 'the-last-node-of-a-zone',
    why: 'A zone has as many pods as the node of it that is looked at last.',
    origin: 'common',
    law: 'Level 6',
    edits: [['counts.set(domain, (counts.get(domain) ?? 0) + here);', 'counts.set(domain, here);']],
  },
  {
    id: 'forgets-itself',
    why: 'The pod that comes is not counted, so that a skew of one becomes one of two.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const itself = selector.matches(pod.metadata.labels) ? 1 : 0;',
        'const itself = selector.empty ? 1 : 0;',
      ],
    ],
  },
  {
    id: 'always-counts-itself',
    why: 'A pod that the selector does not match is counted with those that it matches.',
    origin: 'common',
    law: 'Level 6',
    edits: [['const itself = selector.matches(pod.metadata.labels) ? 1 : 0;', 'const itself = 1;']],
  },
  {
    id: 'few-zones-are-enough',
    why: 'With fewer zones than minDomains the emptiest counts as empty, so that an autoscaler is asked for another zone.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ['if (counts.size < minDomains) return 0;', 'if (counts.size === 0 || minDomains < 0) return 0;'],
    ],
  },
  {
    id: 'counts-where-it-cannot-go',
    why: 'A zone that the pod does not ask for is the emptiest for ever, and keeps it out of all others.',
    origin: 'k#80921: which nodes are in the scope',
    law: 'Level 6',
    edits: [
      [
        "nodeAffinityPolicy: constraint.nodeAffinityPolicy === 'Ignore' ? 'Ignore' : 'Honor',",
        "nodeAffinityPolicy: constraint.nodeAffinityPolicy === 'Honor' ? 'Honor' : 'Ignore',",
      ],
    ],
  },
  {
    id: 'taints-count-unasked',
    why: 'Nodes with taints are left out of the count, although the pod does not say so.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "nodeTaintsPolicy: constraint.nodeTaintsPolicy === 'Honor' ? 'Honor' : 'Ignore',",
        "nodeTaintsPolicy: constraint.nodeTaintsPolicy === 'Ignore' ? 'Ignore' : 'Honor',",
      ],
    ],
  },
  {
    id: 'label-might-come',
    why: 'A node without the label is said to be one where it could help if other pods went.',
    origin: 'common',
    law: 'Names its reason',
    edits: [['const inNoDomain = framework.unresolvable(', 'const inNoDomain = framework.unschedulable(']],
  },
  {
    id: 'half-a-place-counts',
    why: 'Pods on a node that is no place for one of the constraints are counted for the other.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'if (!constraints.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined)) continue;',
        '',
      ],
      [
        'if (!matchesNodeInclusionPolicies(constraint, pod, node)) continue;',
        'if (!matchesNodeInclusionPolicies(constraint, pod, node) || labelOf(node, constraint.topologyKey) === undefined) continue;',
      ],
    ],
  },
  {
    id: 'moves-in-when-asked',
    why: 'It counts the pod in each place that it finds good enough, before anybody has chosen one.',
    origin: 'common',
    law: 'Looks only',
    edits: [
      [
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;',
        'if ((counts.get(domain) ?? 0) > countMax) return tooFarAhead;\n      (counts as Map<string, number>).set(domain, (counts.get(domain) ?? 0) + 1);',
      ],
    ],
  },
  {
    id: 'lacks-the-key-as-well',
    why: 'A label of matchLabelKeys that the pod lacks says nothing of others, and here they must lack it, too.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'return value === undefined ? [] : [',
        "return value === undefined ? [labels.newRequirement(key, '!', [])] : [",
      ],
    ],
  },
  {
    id: 'empty-is-absent',
    why: 'A label may be empty, and then it is there: its nodes are a zone like any other.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      [
        'return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;',
        'return (labels && Object.hasOwn(labels, key) && labels[key]) || undefined;',
      ],
    ],
  },
  {
    id: 'cordon-does-not-count',
    why: 'With nodeTaintsPolicy Honor it leaves out cordoned nodes, although the taint decides that and not the field.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "nodeTaintsPolicy === 'Ignore' || !findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations)",
        "nodeTaintsPolicy === 'Ignore' ||\n    !(node.spec.unschedulable || findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations))",
      ],
    ],
  },
  {
    id: 'one-count-for-two',
    why: 'Two constraints of the same topologyKey share a map, and each counts the pods of the other.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const counted = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));',
        'const byKey = new Map(constraints.map(({ topologyKey }) => [topologyKey, new Map<string, number>()]));\n  const counted = constraints.map((constraint) => ({ constraint, counts: byKey.get(constraint.topologyKey) as Map<string, number> }));',
      ],
    ],
  },

  // Level 7 · Affinity and anti-affinity to pods
  {
    id: 'any-term-will-do',
    why: 'A pod that matches one of the terms is company for that term.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'terms.length > 0 && terms.every((term) => termMatches(',
        'terms.length > 0 && terms.some((term) => termMatches(',
      ],
    ],
  },
  {
    id: 'the-first-waits-for-ever',
    why: 'The first of a group that wants to be together finds nobody, and no other can come before it.',
    origin: 'common',
    law: 'Agrees',
    edits: [
      ['isFirst: affinity.size === 0 && matchesItself,', 'isFirst: affinity.size < 0 && matchesItself,'],
    ],
  },
  {
    id: 'everybody-is-first',
    why: 'Where nobody is whom the pod wants to be with, it may go anywhere, although it is not one of them.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'isFirst: affinity.size === 0 && matchesItself,',
        'isFirst: affinity.size === 0 && (matchesItself || true),',
      ],
    ],
  },
  {
    id: 'first-into-nowhere',
    why: 'The first of a group is put on a node without the label, where nobody can ever join it.',
    origin: 'k#129319: what the first must have',
    law: 'Level 7',
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
    law: 'Names its reason',
    edits: [['const tooFar = framework.unresolvable(', 'const tooFar = framework.unschedulable(']],
  },
  {
    id: 'one-sided-dislike',
    why: 'A pod may move in with one that wants to be alone: only its own wishes count.',
    origin: 'k#28874',
    law: 'Agrees',
    edits: [
      [
        'return isIn(node, existingAntiAffinity) ? unwelcome',
        'return isIn(node, existingAntiAffinity) && node === undefined ? unwelcome',
      ],
    ],
  },
  {
    id: 'no-terms-no-question',
    why: 'A pod that has no terms of its own is not asked about, whoever wants to be away from it.',
    origin: 'k#28874',
    law: 'Level 7',
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
    law: 'Level 7',
    edits: [
      [
        '(named.has(namespace) || namespaceSelector.matches(namespaces.get(namespace))) &&',
        '(named.size >= 0 || namespaceSelector.matches(namespaces.get(namespace))) &&',
      ],
    ],
  },
  {
    id: 'nobody-without-a-place',
    why: 'A node without the label is near to nobody, and here it is near to everybody.',
    origin: 'common',
    law: 'Level 7',
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
    law: 'Agrees',
    edits: [
      [
        'for (const { topologyKey } of terms) addAt(counts, topologyKey, node, here);',
        'const isPlace = terms.every(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);\n    for (const { topologyKey } of isPlace ? terms : []) addAt(counts, topologyKey, node, here);',
      ],
    ],
  },
  {
    id: 'empty-place-is-nowhere',
    why: 'Pods on a node whose label is empty are counted nowhere: nobody is near them, and nobody is kept away.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (n === 0 || place === undefined) return;', 'if (n === 0 || !place) return;']],
  },
  {
    id: 'nobody-avoids-the-nameless',
    why: 'A pod without labels goes where somebody wants to be alone: an empty selector matches it, too.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {\n',
        'export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {\n  if (Object.keys(pod.metadata.labels ?? {}).length === 0) return nobody;\n',
      ],
    ],
  },

  // Level 8 · The sum
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
    law: 'Enough is enough',
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
    law: 'Enough is enough',
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
    id: 'nobody-is-to-blame',
    why: 'Who turned the pod away is not written down, and no event wakes it.',
    origin: 'common',
    law: 'The diagnosis is whole',
    edits: [['      unschedulablePlugins.add(plugin.name);\n', '']],
  },
  {
    id: 'largest-number-first',
    why: 'The reasons are sorted by number, and the same failure reads otherwise from one event to the next.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '    .sort()\n    .join',
        '    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))\n    .join',
      ],
    ],
  },
  {
    id: 'asks-those-who-passed',
    why: 'A plugin that has nothing to say of this pod is asked about every node, and finds nothing in the state.',
    origin: 'common',
    law: 'Agrees in the sum',
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
    law: 'Level 8',
    edits: [
      [
        "if (status.code === 'UnschedulableAndUnresolvable') break;",
        "if (status.code === 'Unschedulable') break;",
      ],
    ],
  },

  // What wakes a pod
  {
    id: 'forgets-who-avoids-it',
    why: 'The one goes that did not want the pod near it, and the pod goes on waiting: it was asked only whom the pod avoids.',
    origin: 'k#134393',
    law: 'Wakes whom it helps',
    edits: [['const avoidedIt = before && !after ?', 'const avoidedIt = before && !before ?']],
  },
  {
    id: 'one-term-wakes-nobody',
    why: 'One of two anti-affinity terms keeps a pod away as well as both do, but only when both match it wakes.',
    origin: 'k#139161',
    law: 'Wakes whom it helps',
    edits: [
      [
        'requiredAntiAffinityTerms.some((term) => couldMatch(term, before)',
        'requiredAntiAffinityTerms.some((term) => requiredAntiAffinityTerms.every((each) => couldMatch(each, before))',
      ],
    ],
  },
  {
    id: 'the-last-goes-unheard',
    why: 'A node is drained, and the only pod of a group goes: the one that replaces it may begin anew, and is not told.',
    origin: 'k#141354',
    law: 'Wakes whom it helps',
    edits: [
      [
        'if (isSought(before) && !isSought(after) && isSought(pod))',
        'if (isSought(before) && !isSought(before) && isSought(pod))',
      ],
    ],
  },
];
