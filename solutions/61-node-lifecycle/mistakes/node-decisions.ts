/** Errors in the decisions of Levels 1 to 3: silence, taints and zones. `k#` is an issue or pull request of kubernetes/kubernetes. */
import type { Mistake } from '#harness/testing';

export const nodeDecisions: readonly Mistake[] = [
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
    hidden: 'With a pass every five seconds, 50 s and 55 s look the same in a cluster.',
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
];
