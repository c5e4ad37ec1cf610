/** Errors that only a life in a cluster shows. `k#` is an issue or pull request of kubernetes/kubernetes. */
import type { Mistake } from '#harness/testing';

export const laws: readonly Mistake[] = [
  {
    id: 'a-restart-knows-the-past',
    why: 'A restarted controller takes each node for silent since its creation, and judges all of them at once.',
    misconception: 'You seem to believe that a node that you have not heard of has been silent.',
    origin: 'common',
    law: 'Patient',
    edits: [
      [
        'const isUnheard = !saved && heartbeatTime === undefined && renewTime === undefined;',
        'const isUnheard = !saved;',
      ],
    ],
  },
  {
    id: 'verdict-over-a-report',
    why: 'The verdict is a patch without a version, and overwrites the report of a kubelet that is back.',
    misconception: 'You seem to believe that nobody writes between your read and your write.',
    origin: 'k#84931',
    law: 'Patient',
    edits: [
      [
        'context.client.updateStatus(nodes, { ...current, status });',
        "context.client.patch(nodes, { name: current.metadata.name }, { type: 'merge', body: { status } }, { subresource: 'status' });",
      ],
    ],
  },
  {
    id: 'a-mute-node-has-no-conditions',
    why: 'A Node without conditions gets none, so that the pods of a kubelet that never starts wait for ever.',
    origin: 'common',
    law: 'Verdict in time',
    edits: [['    ...missing.map((type) => ({', '    ...missing.slice(missing.length).map((type) => ({']],
  },
  {
    id: 'transition-time-stays',
    why: 'Nobody can see since when a node is silent: the verdict has the time of the last change of the kubelet.',
    origin: 'common',
    law: 'Complete verdict',
    edits: [
      [
        "reason: 'NodeStatusUnknown', message, lastTransitionTime };",
        "reason: 'NodeStatusUnknown', message };",
      ],
    ],
  },
  {
    id: 'forgets-the-routes',
    why: 'Pods come to a node without routes.',
    origin: 'common',
    law: 'Taints follow',
    edits: [['  NetworkUnavailable: { True: TAINTS.networkUnavailable },\n', '']],
  },
  {
    id: 'taints-stay',
    why: 'A node that is ready again keeps its taints, and its pods leave.',
    misconception: 'You seem to believe that the kubelet removes the taints of its node.',
    origin: 'k#89012, the other way round',
    law: 'Taints follow',
    edits: [
      [
        'remove: taints.filter((taint) => isIn(managed, taint) && !isIn(wanted, taint)),',
        'remove: taints.filter((taint) => isIn(managed, taint) && !isIn(taints, taint)),',
      ],
    ],
  },
  {
    id: 'a-failed-kubelet-keeps-its-pods',
    why: 'A kubelet that reports that it is not ready is no reason for an eviction.',
    misconception: 'You seem to believe that only a silent node is lost.',
    origin: 'common',
    law: 'Executes',
    edits: [
      [
        "if (allZonesDown || ready === undefined || ready === 'True') return [];",
        "if (allZonesDown || ready !== 'Unknown') return [];",
      ],
    ],
  },
  {
    id: 'no-brake-for-a-zone',
    why: 'Most nodes of a small zone lose their pods, although the fault is probably in between.',
    origin: 'k before 1.4',
    law: 'Brakes',
    edits: [
      ["return isPartial ? 'PartialDisruption' : 'Normal';", "return isPartial ? 'Normal' : 'Normal';"],
    ],
  },
  {
    id: 'a-large-zone-at-full-speed',
    why: 'A large zone in trouble is emptied ten times too fast.',
    origin: 'common',
    law: 'Paced',
    edits: [['const SECONDARY_EVICTION_RATE = 0.01;', 'const SECONDARY_EVICTION_RATE = 0.1;']],
  },
  {
    id: 'fifty-is-large',
    why: 'A zone of exactly 50 nodes loses pods, although it is small.',
    origin: 'common',
    law: 'Brakes',
    edits: [['size > LARGE_CLUSTER_SIZE', 'size >= LARGE_CLUSTER_SIZE']],
  },
  {
    id: 'blind-for-ever',
    why: 'After all zones were down once, no node is ever tainted again.',
    origin: 'common',
    law: 'Executes',
    edits: [
      [
        "const allZonesDown = zones.every(({ state }) => state === 'FullDisruption');",
        "const allZonesDown = lifecycle.allZonesDown || zones.every(({ state }) => state === 'FullDisruption');",
      ],
    ],
  },
  {
    id: 'never-blind',
    why: 'A controller that is cut off from all nodes evicts all pods.',
    origin: 'k#70501',
    law: 'Executes',
    edits: [
      [
        "const allZonesDown = zones.every(({ state }) => state === 'FullDisruption');",
        'const allZonesDown = zones.length === 0;',
      ],
    ],
  },
  {
    id: 'marks-at-the-verdict-only',
    why: 'The pods of a silent node stay ready when the controller crashes between the verdict and the marks.',
    misconception: 'You seem to believe that a change of a node is always seen twice: before and after.',
    origin: 'k#48681, k#135205',
    law: 'Marks in time',
    edits: [
      [
        "  if (conditionOf(node, 'Ready')?.status !== 'Unknown') return;\n",
        "  const ready = conditionOf(node, 'Ready');\n  const isNew = lifecycle.context.clock.now() - Date.parse(String(ready?.lastTransitionTime)) < 2_000;\n  if (ready?.status !== 'Unknown' || !isNew) return;\n",
      ],
    ],
  },
  {
    id: 'marks-as-unknown',
    why: 'The pods of a silent node have an unknown readiness instead of none, and a Service may still send requests.',
    origin: 'common',
    law: 'Marks in time',
    edits: [
      [
        "{ ...ready, status: 'False', lastTransitionTime }",
        "{ ...ready, status: 'Unknown', lastTransitionTime }",
      ],
    ],
  },
  {
    id: 'the-phase-becomes-unknown',
    why: 'A controller writes the phase, which only the kubelet knows.',
    origin: 'k before 1.5 set the phase of such pods to Unknown',
    law: 'Changes little',
    edits: [
      [
        'status: { ...pod.status, conditions } });',
        "status: { ...pod.status, phase: 'Unknown', conditions } });",
      ],
    ],
  },
  {
    id: 'no-limit-wins',
    why: 'A pod that tolerates one taint without a limit stays, whatever the limits of the others.',
    misconception: 'You seem to believe that a toleration without seconds is stronger than all others.',
    origin: 'common',
    law: 'Evicts in time',
    edits: [
      [
        'const earliest = Math.min(...times);',
        'const earliest = times.includes(Number.POSITIVE_INFINITY) ? Number.POSITIVE_INFINITY : Math.min(...times);',
      ],
    ],
  },
  {
    id: 'only-the-first-taint',
    why: 'The second taint of a node moves no pod.',
    origin: 'common',
    law: 'Evicts in time',
    edits: [['const times = taints.map(', 'const times = taints.slice(0, 1).map(']],
  },
  {
    id: 'condition-after-the-deletion',
    why: 'For a moment, a pod is being deleted for no visible reason; on a crash it stays so.',
    origin: 'k#112518',
    law: 'Explains evictions',
    edits: [
      [
        "    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });\n    // Another pod may have the name by now.\n    await client.delete(pods, keyOf(pod), { preconditions: { uid } });\n",
        "    await client.delete(pods, keyOf(pod), { preconditions: { uid } });\n    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });\n",
      ],
    ],
  },
  {
    id: 'collects-without-a-taint',
    why: 'A pod that stops on a node that answers late is deleted by force, and may run twice.',
    misconception: 'You seem to believe that a silent machine is off.',
    origin: 'k#54368',
    law: 'Proves garbage',
    edits: [
      [
        'return isOff && node !== undefined && conditionOf',
        'return (isOff || !isOff) && node !== undefined && conditionOf',
      ],
    ],
  },
  {
    id: 'collects-pods-that-nobody-deletes',
    why: 'A pod on a machine that is off is deleted, although its owner has not given it up.',
    origin: 'common',
    law: 'Proves garbage',
    edits: [
      [
        'if (metadata.deletionTimestamp === undefined) return false;',
        'if (metadata.uid === undefined) return false;',
      ],
    ],
  },
  {
    id: 'collects-without-a-reason',
    why: 'Nobody can see why the pod of a deleted Node has failed.',
    origin: 'k before 1.25',
    law: 'Explains collections',
    edits: [
      [
        '...(isOrphan && { conditions: [condition] })',
        '...(isOrphan && !isOrphan && { conditions: [condition] })',
      ],
    ],
  },
  {
    id: 'collects-no-orphans',
    why: 'The pods of a deleted Node stay for ever.',
    origin: 'common',
    law: 'Collects in time',
    edits: [
      [
        'const isOrphan = deletedNodes.has(nodeName);',
        'const isOrphan = deletedNodes.has(nodeName) && nodeName === undefined;',
      ],
    ],
  },
  {
    id: 'stamps-each-pod',
    why: 'Each pass writes its time into every pod, also when it has nothing to collect.',
    origin: 'common',
    law: 'Collects quietly',
    edits: [
      [
        '    const isOrphan = deletedNodes.has(nodeName);',
        '    const isOrphan = deletedNodes.has(nodeName);\n    const annotations = { checked: String(gc.context.clock.now()) };\n    await gc.context.client.patch(pods, keyOf(pod), { type: "merge", body: { metadata: { annotations } } }).catch(() => {});',
      ],
    ],
  },
];
