/** Errors in the decisions of the levels. `k#` is an issue or pull request of kubernetes/kubernetes. */
import type { Mistake } from '#harness/testing';

export const levels: readonly Mistake[] = [
  // Level 1 · Silence
  {
    id: 'trusts-the-clock-of-the-node',
    why: 'The last sign of life has the time of the Lease: a node with a slow clock is always silent, and one with a fast clock never.',
    misconception: 'You seem to believe that the clocks of two machines show the same time.',
    origin: 'k#6193: a node with a skewed clock is Unknown',
    law: 'Level 1',
    edits: [
      [
        'const probeMs = isUnheard ? Date.parse(node.metadata.creationTimestamp) : nowMs;',
        'const probeMs = Date.parse(renewTime ?? heartbeatTime ?? node.metadata.creationTimestamp) || nowMs;',
      ],
    ],
  },
  {
    id: 'only-later-renewals',
    why: 'After its clock was set back by an hour, a node gives no sign of life for an hour.',
    misconception: 'You seem to believe that the clock of a node never goes back.',
    origin: 'k@v1.36.3 tryUpdateNodeHealth compares with Before',
    law: 'Level 1',
    edits: [
      [
        'heartbeatTime === saved.heartbeatTime && renewTime === saved.renewTime) return saved;',
        "heartbeatTime === saved.heartbeatTime && (renewTime ?? '') <= (saved.renewTime ?? '')) return saved;",
      ],
    ],
  },
  {
    id: 'ignores-leases',
    why: 'A healthy node writes its status every five minutes, and is silent most of the time.',
    misconception: 'You seem to believe that a healthy kubelet often writes the status of its node.',
    origin: 'k before 1.14, with a kubelet that renews Leases',
    law: 'Level 1',
    edits: [
      [
        'const renewTime = lease?.spec?.renewTime ?? saved?.renewTime;',
        'void lease;\n  const renewTime = saved?.renewTime;',
      ],
    ],
  },
  {
    id: 'ignores-heartbeats',
    why: 'A kubelet that reports its status, but cannot write its Lease, counts as dead.',
    misconception: 'You seem to believe that only a Lease is a sign of life.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'if (saved && heartbeatTime === saved.heartbeatTime && renewTime',
        'if (saved && (heartbeatTime === undefined) === (saved.heartbeatTime === undefined) && renewTime',
      ],
    ],
  },
  {
    id: 'silent-at-the-grace-period',
    why: 'A node is silent after exactly the grace period, one pass too early.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return nowMs > probeMs + graceMs;', 'return nowMs >= probeMs + graceMs;']],
  },
  {
    id: 'one-grace-period-for-all',
    why: 'A node that has just joined gets less time for its first status than it should.',
    misconception: 'You seem to believe that a starting kubelet reports as quickly as a running one.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'const graceMs = heartbeatTime === undefined ? graces.startupMs : graces.monitorMs;',
        'void heartbeatTime;\n  const graceMs = graces.monitorMs;',
      ],
    ],
  },
  {
    id: 'only-ready-becomes-unknown',
    why: 'The Node of a dead machine still reports that it has enough memory and disk.',
    origin: 'k#62486',
    law: 'Level 1',
    edits: [["['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']", "['Ready']"]],
  },
  {
    id: 'network-becomes-unknown',
    why: 'The controller overwrites a condition that the route controller sets.',
    misconception: 'You seem to believe that the kubelet sets all conditions of its node.',
    origin: 'common',
    law: 'Level 1',
    edits: [["'DiskPressure', 'PIDPressure'];", "'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];"]],
  },
  {
    id: 'heartbeat-is-now',
    why: 'The verdict changes the heartbeat, so that it looks like a report of the kubelet.',
    misconception: 'You seem to believe that a heartbeat is the time of the last write.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        "reason: 'NodeStatusUnknown', message, lastTransitionTime };",
        "reason: 'NodeStatusUnknown', message, lastTransitionTime, lastHeartbeatTime: lastTransitionTime };",
      ],
    ],
  },
  {
    id: 'decides-before-the-retry',
    why: 'After a conflict it writes its old verdict over the report of a kubelet that is back.',
    misconception: 'You seem to believe that a conflict only asks you to write again.',
    origin: 'k#84931: a pass acts on an old status',
    law: 'Level 1',
    edits: [
      [
        'healths.get(uid), current, lifecycle.leaseOf(current), nowMs);',
        'healths.get(uid), node, lifecycle.leaseOf(node), nowMs);',
      ],
    ],
  },
  // Level 2 · Taints follow conditions
  {
    id: 'unknown-is-not-ready',
    why: 'Pods that tolerate a node with a problem, but not a lost one, stay on a lost one.',
    origin: 'common',
    law: 'Level 2',
    edits: [['Unknown: TAINTS.unreachable },', 'Unknown: TAINTS.notReady },']],
  },
  {
    id: 'forgets-the-cordon',
    why: 'A cordoned node has no taint, and pods that tolerate the taint cannot be told apart from others.',
    origin: 'k before 1.12',
    law: 'Level 2',
    edits: [['  if (spec.unschedulable) keys.push(TAINTS.unschedulable);\n', '  void spec;\n']],
  },
  {
    id: 'unknown-pressure-is-pressure',
    why: 'A silent node gets the taints of all pressures, and pods that tolerate its silence cannot return.',
    misconception: 'You seem to believe that an unknown value is the worst value.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'MemoryPressure: { True: TAINTS.memoryPressure },',
        'MemoryPressure: { True: TAINTS.memoryPressure, Unknown: TAINTS.memoryPressure },',
      ],
    ],
  },
  {
    id: 'removes-the-taints-of-others',
    why: 'The controller removes each taint that it does not want, also those of users.',
    misconception: 'You seem to believe that all taints of a node are yours.',
    origin: 'common',
    law: 'Level 2',
    edits: [['isIn(managed, taint) && !isIn(wanted, taint)', 'managed.length > 0 && !isIn(wanted, taint)']],
  },
  {
    id: 'compares-keys-only',
    why: 'A node with `unreachable:NoSchedule` never gets `unreachable:NoExecute`.',
    misconception: 'You seem to believe that the key alone identifies a taint.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'some.some((one) => matchTaint(one, taint));',
        'some.some((one) => one.key === taint.key && matchTaint !== undefined);',
      ],
    ],
  },
  // Level 3 · Zones and brakes
  {
    id: 'partial-with-two-nodes',
    why: 'In a small zone two dead nodes stop all evictions.',
    origin: 'common: forgets the minimum of three nodes',
    law: 'Level 3',
    edits: [['notReady > 2 &&', 'notReady > 0 &&']],
  },
  {
    id: 'more-than-the-threshold',
    why: 'A zone with exactly 55 % of its nodes down is not partially disrupted.',
    origin: 'common',
    law: 'Level 3',
    edits: [['>= UNHEALTHY_ZONE_THRESHOLD', '> UNHEALTHY_ZONE_THRESHOLD']],
  },
  {
    id: 'small-zones-are-slow',
    why: 'A small zone in which most nodes fail loses its pods, although slowly.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'size > LARGE_CLUSTER_SIZE ? SECONDARY_EVICTION_RATE : 0;',
        'size > 0 && LARGE_CLUSTER_SIZE > 0 ? SECONDARY_EVICTION_RATE : 0;',
      ],
    ],
  },
  {
    id: 'a-dead-zone-stops',
    why: 'The pods of a zone that is wholly down stay there, although other zones are well.',
    misconception: 'You seem to believe that a zone without a ready node needs the strongest brake.',
    origin: 'k#70501, the other way round',
    law: 'Level 3',
    edits: [
      [
        "if (state !== 'PartialDisruption') return EVICTION_RATE;",
        "if (state === 'Normal') return EVICTION_RATE;",
      ],
    ],
  },
  {
    id: 'no-forgiveness',
    why: 'When the network of the controller is back, the nodes that answer second are dead already.',
    misconception: 'You seem to believe that all nodes answer at the same moment.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'if (lifecycle.allZonesDown && !allZonesDown) {',
        'if (lifecycle.allZonesDown && !allZonesDown && zones.length === 0) {',
      ],
    ],
  },
  {
    id: 'one-dead-zone-stops-all',
    why: 'A single zone that is down stops the evictions of all zones.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "zones.every(({ state }) => state === 'FullDisruption')",
        "zones.some(({ state }) => state === 'FullDisruption')",
      ],
    ],
  },
  // Level 4 · The pass
  {
    id: 'taints-in-the-blind',
    why: 'A controller that is cut off from all nodes taints them all.',
    misconception: 'You seem to believe that all nodes can die at once.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        "if (allZonesDown || ready === undefined || ready === 'True') return [];",
        "if (ready === undefined || (ready === 'True' && allZonesDown !== undefined)) return [];",
      ],
    ],
  },
  {
    id: 'taints-before-the-brakes',
    why: 'The brakes come too late: the first nodes of a failed zone are tainted already.',
    origin: 'k@v1.36.3 monitorNodeHealth has this order, and removes the taints again',
    law: 'Level 4',
    edits: [
      [
        '  setBrakes(lifecycle, nodes);\n  await lifecycle.forEach(nodes, async (node) => {\n    await limitTaints(lifecycle, node);\n    await markPodsNotReady(lifecycle, node);\n  });\n',
        '  await lifecycle.forEach(nodes, async (node) => {\n    await limitTaints(lifecycle, node);\n    await markPodsNotReady(lifecycle, node);\n  });\n  await lifecycle.context.clock.sleep(100);\n  setBrakes(lifecycle, nodes);\n',
      ],
    ],
  },
  {
    id: 'always-waits',
    why: 'A node whose kubelet is back, or reports a problem, keeps the wrong taint until its turn.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'if (changes.add.length > 0 && changes.remove.length === 0) return',
        'if (changes.add.length + changes.remove.length > 0) return',
      ],
    ],
  },
  {
    id: 'never-waits',
    why: 'All nodes that fail at once lose their pods at once.',
    misconception: 'You seem to believe that a taint by itself does no harm.',
    origin: 'k#88959',
    law: 'Level 4',
    edits: [
      [
        'if (changes.add.length > 0 && changes.remove.length === 0) return',
        'if (changes.add.length > 1 && changes.remove.length === 0) return',
      ],
    ],
  },
  {
    id: 'the-cached-nodes',
    why: 'The pass decides by the nodes as they were before it wrote: taints and marks come five seconds late.',
    misconception: 'You seem to trust your cache right after your own writes.',
    origin: 'k#120815: eviction is always one period late',
    law: 'Level 4',
    edits: [
      [
        'const nodes = await lifecycle.forEach(lifecycle.nodes(), (node) => checkNode(lifecycle, node));',
        'const nodes = lifecycle.nodes();\n  await lifecycle.forEach(nodes, (node) => checkNode(lifecycle, node));',
      ],
    ],
  },
  {
    id: 'marks-pods-of-a-living-kubelet',
    why: 'The controller and the kubelet of a node with a problem overwrite each other for as long as the problem lasts.',
    misconception: 'You seem to believe that a node that is not ready cannot report its pods.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        "if (conditionOf(node, 'Ready')?.status !== 'Unknown') return;",
        "if (conditionOf(node, 'Ready')?.status === 'True') return;",
      ],
    ],
  },
  {
    id: 'one-error-ends-the-marking',
    why: 'A pod that cannot be written keeps all pods after it ready.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        '      // The next pass tries again: one pod must not keep the others ready.\n',
        '      if (error instanceof Error) throw error;\n',
      ],
    ],
  },
  // Level 5 · Eviction
  {
    id: 'one-clock-for-all-taints',
    why: 'A second taint with a short toleration evicts a pod before this toleration ends.',
    misconception: 'You seem to believe that all taints of a node came at the same time.',
    origin: 'k@v1.36.3 processPodOnNode has one start for a pod',
    law: 'Level 5',
    edits: [
      [
        'return sinceMs + Math.max(0, tolerationSeconds) * 1_000;',
        'return Math.min(...taints.map((each) => each.sinceMs), sinceMs) + Math.max(0, tolerationSeconds) * 1_000;',
      ],
    ],
  },
  {
    id: 'the-longest-toleration',
    why: 'A pod that tolerates one taint for ever stays, although it tolerates the other one for a second.',
    origin: 'k#45342',
    law: 'Level 5',
    edits: [['const earliest = Math.min(...times);', 'const earliest = Math.max(...times);']],
  },
  {
    id: 'untolerated-stays',
    why: 'A pod without a toleration never leaves.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!toleration) return sinceMs;', 'if (!toleration) return Number.POSITIVE_INFINITY;']],
  },
  {
    id: 'never-without-seconds-is-now',
    why: 'The pods of a DaemonSet, which tolerate the taint without a limit, are evicted.',
    misconception: 'You seem to believe that an absent number means 0.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const { tolerationSeconds = Number.POSITIVE_INFINITY } = toleration;',
        'const { tolerationSeconds = 0 } = toleration;',
      ],
    ],
  },
  {
    id: 'evicts-by-name',
    why: 'A pod that has the name of an evicted one is deleted in its place.',
    misconception: 'You seem to believe that a name always means the same pod.',
    origin: 'k#64923; k@v1.36.3 addConditionAndDeletePod',
    law: 'Respects the uid',
    isFirstDraft: true,
    edits: [
      [
        "const body = { metadata: { uid }, status: { conditions: [condition] } };\n    await client.patch(pods, keyOf(pod), { type: 'strategic', body }",
        "void uid;\n    const body = { status: { conditions: [condition] } };\n    await client.patch(pods, keyOf(pod), { type: 'strategic', body }",
      ],
      [
        'await client.delete(pods, keyOf(pod), { preconditions: { uid } });',
        'await client.delete(pods, keyOf(pod));',
      ],
    ],
  },
  {
    id: 'no-reason-for-the-eviction',
    why: 'Nobody can see why the pod was deleted, and a Job counts it as its own failure.',
    origin: 'k before 1.26',
    law: 'Level 5',
    edits: [
      [
        "type: 'DisruptionTarget',\n    status: 'True',\n    reason: 'DeletionByTaintManager',",
        "type: 'DisruptionTarget',\n    status: 'False',\n    reason: 'DeletionByTaintManager',",
      ],
    ],
  },
  {
    id: 'one-try',
    why: 'An eviction that is refused once is forgotten.',
    misconception: 'You seem to believe that a request fails only if it makes no sense.',
    origin: 'k#140639: given up after five attempts',
    law: 'Level 5',
    edits: [
      [
        '  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod(',
        '  } catch (error) {\n    if (!isNotFound(error)) return;\n  }\n}\n\nexport async function syncPod(',
      ],
    ],
  },
  {
    id: 'evicts-again-and-again',
    why: 'A pod that is being deleted gets a second event, condition and deletion with each change.',
    origin: 'common',
    law: 'Level 5',
    edits: [['  if (pod.metadata.deletionTimestamp !== undefined) return;\n  const atMs', '  const atMs']],
  },
  {
    id: 'evicts-without-grace',
    why: 'The pod on a node that reports a problem is killed without time to finish.',
    origin: 'common',
    law: 'Explains evictions',
    edits: [
      [
        '{ preconditions: { uid } });\n  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod',
        '{ preconditions: { uid }, gracePeriodSeconds: 0 });\n  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod',
      ],
    ],
  },
  // Level 6 ★ · Pods without a kubelet
  {
    id: 'fails-a-pod-that-succeeded',
    why: 'A pod that has succeeded fails when its node is deleted, and its Job runs it again.',
    misconception: 'You seem to believe that a deleted node makes all of its pods fail.',
    origin: 'k#115056',
    law: 'Level 6',
    edits: [['    if (!hasEnded(pod)) {\n', '    if (pod) {\n']],
  },
  {
    id: 'deletes-gracefully',
    why: 'A pod of a deleted node stays Terminating: no kubelet ends its grace period.',
    origin: 'common',
    law: 'Level 6',
    edits: [['{ gracePeriodSeconds: 0, preconditions: { uid } }', '{ preconditions: { uid } }']],
  },
  {
    id: 'collects-by-name',
    why: 'A pod that has the name of a lost one is deleted in its place.',
    origin: 'k@v1.36.3 markFailedAndDeletePodWithCondition',
    law: 'Knows garbage by uid',
    edits: [
      ['const body = { metadata: { uid }, status };', 'void uid;\n      const body = { status };'],
      ['{ gracePeriodSeconds: 0, preconditions: { uid } }', '{ gracePeriodSeconds: 0 }'],
    ],
  },
  {
    id: 'keeps-the-newest-evicted',
    why: 'Beyond the threshold the oldest pods go first, although the evicted ones tell the least.',
    origin: 'k before 1.22',
    law: 'Level 6',
    hidden: 'No run has 12,500 ended pods.',
    edits: [['    Number(isEvicted(b)) - Number(isEvicted(a)) ||\n', '    Number(isEvicted(b)) * 0 ||\n']],
  },
  {
    id: 'out-of-service-alone-is-enough',
    why: 'A pod that stops on a ready node is deleted by force while it still runs.',
    misconception: 'You seem to believe that an operator never forgets a taint.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "return isOff && node !== undefined && conditionOf(node, 'Ready')?.status !== 'True';",
        'return isOff && node !== undefined && conditionOf !== undefined;',
      ],
    ],
  },
];
