import type { Mistake } from '#harness/testing';

/** Mistakes of Level 5 · Binding. */
export const level5: readonly Mistake[] = [
  {
    id: 'no-answer-is-a-no',
    why: 'A bind that was carried out and not answered is taken back, and the room is given to another.',
    origin: 'kubernetes/kubernetes@v1.36.3, as it is',
    law: 'Never overcommits',
    edits: [
      [
        'export function mayBeBound(error: unknown): boolean {\n',
        'export function mayBeBound(error: unknown): boolean {\n  if (error) return false;\n',
      ],
    ],
  },
  {
    id: 'whoever-bears-the-name',
    why: 'Between the choice and the bind the pod was made anew, ten times as big: it is bound where the small one fitted.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      [
        'await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });',
        'await client.bind(keyOf(pod), nodeName);',
      ],
    ],
  },
  {
    id: 'a-refusal-keeps-the-room',
    why: 'The bind is refused, and the pod goes on taking up the room that it never had.',
    origin: 'k#28883, k#26043',
    law: 'Forgets what failed',
    edits: [['  if (cache.forgetPod(assumed)) {\n', '  if (cache.isAssumedPod(assumed)) {\n']],
  },
  {
    id: 'frees-in-silence',
    why: 'Room is free again because a bind failed, and whoever was turned away for want of it is not told.',
    origin: 'k#106780',
    law: 'Level 5',
    edits: [['    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, assumed, undefined);\n', '']],
  },
  {
    id: 'an-error-is-the-end',
    why: 'Who could not be bound once is never tried again.',
    origin: 'common',
    law: 'Everyone is bound',
    edits: [
      [
        '    else if (live) await handleSchedulingFailure(scheduler, info, error);',
        '    else if (live) scheduler.log(messageOf(error ?? info));',
      ],
    ],
  },
  {
    id: 'brings-back-the-dead',
    why: 'A pod that was deleted while it was being bound goes back into the queue, and is tried for ever.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        '  const current = scheduler.getPod(keyOf(info.pod));\n  if (!isUnbound(info.pod, current)) {',
        "  const current = info.pod;\n  if (current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'everything-is-unschedulable',
    why: 'That the server was away is told as if the pod asked for too much.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        "unschedulable ? 'Unschedulable' : 'SchedulerError'",
        "unschedulable ? 'Unschedulable' : 'Unschedulable'",
      ],
    ],
  },
  {
    id: 'last-word-on-the-bound',
    why: 'Why a pod waits is written after it was bound: it runs, and says that it cannot.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };',
        'const body = { metadata: { uid: uid || resourceVersion }, status: { conditions: [condition] } };',
      ],
    ],
  },
  {
    id: 'counts-its-chickens',
    why: 'It tells that a pod was scheduled when it has only been decided.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        '  queue.done(uid);\n  try {\n    const { live, error } =',
        "  queue.done(uid);\n  recorder.event(assumed, 'Normal', 'Scheduled', ['Successfully assigned', namespace, name, 'to', nodeName].join(' '));\n  try {\n    const { live, error } =",
      ],
    ],
  },
  {
    id: 'says-it-once',
    why: 'A pod that waits for something else than at first still says what it waited for then.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        'if (wasFalse && old.reason === reason && old.message === message) return undefined;',
        'if (wasFalse && old.reason === reason) return undefined;',
      ],
    ],
  },
  {
    id: 'undoes-what-was-done-only',
    why: 'A plugin that refuses, or breaks, may have done half of it: it is asked to undo as well.',
    origin: 'common; upstream unreserves all',
    law: 'Level 5',
    edits: [
      [
        '      runReservePluginsUnreserve(plugins, state, pod, nodeName);\n      return { status, plugin: plugin.name };',
        '      runReservePluginsUnreserve(plugins.slice(0, plugins.indexOf(plugin)), state, pod, nodeName);\n      return { status, plugin: plugin.name };',
      ],
    ],
  },
  {
    id: 'undoes-in-order',
    why: 'What was built last is taken down last, with what it stands on gone.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'for (const plugin of [...plugins].reverse()) plugin.unreserve',
        'for (const plugin of [...plugins]) plugin.unreserve',
      ],
    ],
  },
  {
    id: 'says-it-again-and-again',
    why: 'The condition is written after each attempt, though it says the same: each write wakes everybody who watches pods.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (wasFalse && old.reason === reason && old.message === message) return undefined;', '']],
  },
  {
    id: 'condition-drives-out-others',
    why: 'A list in a merge patch replaces the list: what others say of the pod is gone.',
    origin: 'common',
    law: 'Level 5',
    edits: [["{ type: 'strategic', body }, options)", "{ type: 'merge', body }, options)"]],
  },
  {
    id: 'brings-back-the-old-version',
    why: 'The pod was changed while it was tried; what goes back into the queue is what was popped.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'queue.addUnschedulableIfNotPresent({ ...info, pod: current, unschedulablePlugins });',
        'queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins });',
      ],
    ],
  },
  {
    id: 'never-done',
    why: 'A pod that is bound stays in flight, and with it everything that has happened since.',
    origin: 'k#126962: pods that were skipped were never done, and what happened piled up behind them',
    law: 'Level 5',
    edits: [['tried again.\n  queue.done(uid);', 'tried again.\n  void uid;']],
  },
  {
    id: 'skips-for-success',
    why: 'A plugin that skips leaves the pod to the next one; who takes that for done binds it never.',
    origin: 'common',
    law: 'Level 5',
    edits: [["if (status.code !== 'Skip') return status;", 'if (status) return status;']],
  },
  {
    id: 'unreserves-only-what-it-forgot',
    why: 'A pod that was deleted while it was being bound leaves behind what plugins have reserved for it.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        "  runReservePluginsUnreserve(profile.reserve, state, assumed, assumed.spec.nodeName ?? '');\n  if (cache.forgetPod(assumed)) {\n",
        "  if (cache.forgetPod(assumed)) {\n    runReservePluginsUnreserve(profile.reserve, state, assumed, assumed.spec.nodeName ?? '');\n",
      ],
    ],
  },
  {
    id: 'reserved-for-the-gone',
    why: 'Of a pod that is gone when the server is asked, the room is given back, and not what plugins have reserved.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        '    releaseNode(scheduler, assignment);\n',
        '    if (live) releaseNode(scheduler, assignment);\n    else if (scheduler.cache.forgetPod(assumed)) queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, assumed, undefined);\n',
      ],
    ],
  },
  {
    id: 'asks-without-a-pause',
    why: 'Asks a server that refuses again as soon as it has refused: hundreds of times a second.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        '      if (isNotFound(error)) return undefined;\n      await clock.sleep(delayMs, signal);\n',
        '      if (isNotFound(error)) return undefined;\n      await clock.sleep(Math.min(delayMs, 1), signal);\n',
      ],
    ],
  },
];
