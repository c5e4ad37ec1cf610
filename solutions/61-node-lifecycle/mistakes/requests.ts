/** Errors in the requests and events of an eviction, and in rare signs of life. `k#` is an issue or pull request of kubernetes/kubernetes. */
import type { Mistake } from '#harness/testing';

export const requests: readonly Mistake[] = [
  {
    id: 'evicts-the-pod-that-it-reads',
    why: 'The controller reads the uid after the decision, and evicts the pod that has the name by then.',
    misconception: 'You seem to believe that the newest uid is the right one.',
    origin: 'common',
    law: 'Respects the uid',
    edits: [
      [
        "const { uid, generation: observedGeneration } = pod.metadata;\n  eviction.emit(pod, 'Marking",
        "const { uid, generation: observedGeneration } = (await client.get(pods, keyOf(pod))).metadata;\n  eviction.emit(pod, 'Marking",
      ],
    ],
  },
  {
    id: 'explains-by-name',
    why: 'Another pod of the name gets a condition that announces its deletion, although nobody deletes it.',
    misconception: 'You seem to believe that only a deletion needs the uid.',
    origin: 'common',
    law: 'Respects the uid',
    edits: [
      [
        'const body = { metadata: { uid }, status: { conditions: [condition] } };',
        'const body = { status: { conditions: [condition] } };',
      ],
    ],
  },
  {
    id: 'one-namespace-for-all',
    why: 'Only the pods of the namespace default leave a node.',
    origin: 'common',
    law: 'Evicts in time',
    edits: [
      [
        'await client.delete(pods, keyOf(pod), { preconditions: { uid } });',
        "await client.delete(pods, { ...keyOf(pod), namespace: 'default' }, { preconditions: { uid } });",
      ],
    ],
  },
  {
    id: 'one-grace-period-for-all-pods',
    why: 'A database that needs two minutes to stop is killed after 30 seconds.',
    misconception: 'You seem to believe that each pod has the default grace period.',
    origin: 'common',
    law: 'Explains evictions',
    edits: [
      [
        'await client.delete(pods, keyOf(pod), { preconditions: { uid } });',
        'await client.delete(pods, keyOf(pod), { preconditions: { uid }, gracePeriodSeconds: 30 });',
      ],
    ],
  },
  {
    id: 'marks-by-name',
    why: 'The ready pod that replaced a pod of a dead node becomes not ready, and its Service loses it.',
    misconception: 'You seem to believe that a patch of the name patches the pod.',
    origin: 'common',
    law: 'Marks with reason',
    edits: [
      [
        'await context.client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });',
        "await context.client.patch(pods, { namespace: pod.metadata.namespace, name: pod.metadata.name }, { type: 'strategic', body: { status: { conditions } } }, { subresource: 'status' });",
      ],
    ],
  },
  {
    id: 'cancels-the-deletions-of-others',
    why: 'An event reports that the deletion of a pod is cancelled, while the pod is being deleted.',
    misconception: 'You seem to believe that a deletion can be undone.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The laws do not read the events of an eviction.',
    edits: [
      [
        'if (pod.metadata.deletionTimestamp !== undefined) return;\n  const atMs',
        'if (pod.metadata.deletionTimestamp !== undefined) return eviction.cancel(pod);\n  const atMs',
      ],
    ],
  },
  {
    id: 'cancels-before-each-schedule',
    why: 'Each change of a waiting pod emits an event that its eviction is cancelled, although it only gets another time.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The laws do not read the events of an eviction.',
    edits: [
      [
        '  if (atMs > eviction.context.clock.now()) return eviction.schedule(pod, atMs);\n',
        '  eviction.cancel(pod);\n  if (atMs > eviction.context.clock.now()) return eviction.schedule(pod, atMs);\n',
      ],
    ],
  },
  {
    id: 'each-attempt-is-a-transition',
    why: 'The second attempt of an eviction moves the time since when the pod is disrupted.',
    misconception: 'You seem to believe that lastTransitionTime is the time of the last write.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The laws do not read the times of a condition of a pod.',
    edits: [['earlier?.lastTransitionTime ?? formatTime', '(earlier && undefined) ?? formatTime']],
  },
  {
    id: 'no-heartbeat-is-no-ready',
    why: 'A Ready without a heartbeat counts as none: after a restart its node has been silent since its creation.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'Each kubelet of a run writes heartbeats.',
    edits: [["ready && (ready.lastHeartbeatTime ?? '')", 'ready && ready.lastHeartbeatTime']],
  },
  {
    id: 'a-lost-ready-makes-a-new-node',
    why: 'A node whose Ready was removed counts as silent since its creation.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'No client of a run removes a condition.',
    edits: [['const isUnheard = !saved && heartbeatTime', 'const isUnheard = heartbeatTime']],
  },
];
