import type { Mistake } from '#harness/testing';

/** Mistakes of Level 5 · Binding. */
export const level5: readonly Mistake[] = [
  {
    id: 'no-answer-is-a-no',
    why: 'A bind that succeeded without a response is undone, and its room is allocated to another pod.',
    misconception: 'You seem to believe that a request without a response did not happen.',
    origin: 'kubernetes/kubernetes@v1.36.3, as it is',
    law: 'Never overcommits',
    edits: [
      [
        '    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };\n',
        '    if (error) return { live: info.pod, error };\n',
      ],
    ],
  },
  {
    id: 'what-was-not-bound-is',
    why: 'The status of a bind plugin that did not bind the pod is ignored.',
    misconception: 'You seem to believe that every plugin that is called has done the work.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [["    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));\n", '']],
  },
  {
    id: 'undoes-with-another-state',
    why: 'Plugins must unreserve with an empty state.',
    misconception: 'You seem to believe that a plugin needs nothing from its earlier calls to undo them.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [
      [
        '{ assumed, state }: scheduling.Assignment,\n): void {\n  scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);',
        '{ assumed, state }: scheduling.Assignment,\n): void {\n  const fresh = new (state.constructor as new () => typeof state)();\n  scheduling.runReservePluginsUnreserve(profile.reserve, fresh, assumed);',
      ],
    ],
  },
  {
    id: 'undoes-on-no-node',
    why: 'Plugins must unreserve without the name of the node.',
    misconception: 'You seem to believe that a plugin remembers the node for which it reserved.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [
      [
        '{ assumed, state }: scheduling.Assignment,\n): void {\n  scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);',
        '{ info, assumed, state }: scheduling.Assignment,\n): void {\n  scheduling.runReservePluginsUnreserve(profile.reserve, state, info.pod);',
      ],
    ],
  },
  {
    id: 'a-refusal-keeps-the-room',
    why: 'After a refused bind, the pod stays in the cache and occupies room.',
    misconception: 'You seem to believe that a decision stands although the server refused it.',
    origin: 'k#28883, k#26043',
    law: 'Forgets failed binds',
    edits: [['  if (cache.forgetPod(assumed)) {\n', '  if (cache.isAssumedPod(assumed)) {\n']],
  },
  {
    id: 'frees-in-silence',
    why: 'After a failed bind, the room is free again, but the pods that wait for it are not woken.',
    misconception: "You seem to believe that only the server's events make room.",
    origin: 'k#106780',
    law: 'Level 5',
    edits: [
      [
        '  if (cache.forgetPod(assumed)) {\n    queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);\n',
        '  if (cache.forgetPod(assumed)) {\n    void queue;\n',
      ],
    ],
  },
  {
    id: 'an-error-is-the-end',
    why: 'After a failed bind, the pod is never retried.',
    misconception: 'You seem to believe that a pod that failed to bind comes back by itself.',
    origin: 'common',
    law: 'Every pod is bound',
    edits: [
      [
        '    else if (live) await handleSchedulingFailure(scheduler, info, error);',
        '    else if (live) scheduler.log(scheduling.messageOf(error ?? info));',
      ],
    ],
  },
  {
    id: 'brings-back-the-dead',
    why: 'A pod that was deleted during its bind is requeued, and is retried forever.',
    misconception: 'You seem to believe that a pod still exists after your request about it.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        '  const current = scheduler.getPod(keyOf(info.pod));\n  if (!scheduling.isUnbound(info.pod, current)) {',
        "  const current = info.pod;\n  if (current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'counts-its-chickens',
    why: 'The event Scheduled is emitted after the decision, before the bind.',
    misconception: 'You seem to believe that a decision is as good as its result.',
    origin: 'common',
    law: 'Reports the truth',
    edits: [
      [
        '  queue.done(uid);\n  try {\n    const { live, error } =',
        "  queue.done(uid);\n  recorder.event(assumed, 'Normal', 'Scheduled', ['Successfully assigned', namespace, name, 'to', nodeName].join(' '));\n  try {\n    const { live, error } =",
      ],
    ],
  },
  {
    id: 'brings-back-the-old-version',
    why: 'A pod that changed during the attempt is requeued in its old version.',
    misconception: 'You seem to believe that a pod does not change during your attempt.',
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
    id: 'brings-back-what-the-server-had',
    why: 'A pod that was not bound is requeued as the server returned it, although the informer reports a later change or deletion.',
    misconception: 'You seem to believe that a response from the server is newer than your informer.',
    origin: 'common',
    law: 'Newest version',
    edits: [
      [
        '    else if (live) await handleSchedulingFailure(scheduler, info, error);',
        '    else if (live) {\n      const asked = scheduling.mayBeBound(error) ? { ...scheduler, getPod: () => live } : scheduler;\n      await handleSchedulingFailure(asked, info, error);\n    }',
      ],
    ],
  },
  {
    id: 'wakes-for-room-that-was-free',
    why: 'The informer has already released the room of a pod that was deleted during its bind. The failed bind wakes all waiting pods again.',
    origin: 'common',
    law: 'Level 5',
    hidden:
      'It costs each waiting pod one more attempt, and only after a fault: without faults no bind fails.',
    edits: [
      [
        '  if (cache.forgetPod(assumed)) {\n    queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);\n  }\n',
        '  cache.forgetPod(assumed);\n  queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);\n',
      ],
    ],
  },
  {
    id: 'never-done',
    why: 'A bound pod stays in flight, together with all events since then.',
    origin: 'k#126962: pods that were skipped were never done, and what happened piled up behind them',
    law: 'Level 5',
    hidden: 'The events of a bound pod are never read: they only cost memory.',
    edits: [['  queue.done(uid);\n  try {', '  void uid;\n  try {']],
  },
  {
    id: 'asks-at-once',
    why: 'After a refusal, it asks the server again without a pause: hundreds of times per second.',
    misconception: 'You seem to believe that a refused request succeeds if you only repeat it at once.',
    origin: 'common',
    law: 'Retries with a pause',
    edits: [
      [
        'live: await scheduling.askServer(scheduler, assumed), error',
        'live: await askAtOnce(scheduler, assumed), error',
      ],
      [
        "/** Releases the pod's room on its node,",
        "async function askAtOnce(scheduler: scheduling.Scheduler, pod: Pod): Promise<Pod | undefined> {\n  const { isNotFound, pods } = await import('#harness');\n  for (;;) {\n    try {\n      const live = await scheduler.client.get(pods, keyOf(pod), { signal: scheduler.signal });\n      return scheduling.isSame(pod, live) ? live : undefined;\n    } catch (error) {\n      if (isNotFound(error)) return undefined;\n      await scheduler.clock.sleep(2, scheduler.signal);\n    }\n  }\n}\n\n/** Releases the pod's room on its node,",
      ],
    ],
  },
  {
    id: 'unreserves-only-what-it-forgot',
    why: 'If a pod is deleted during its bind, the reservations of plugins remain.',
    misconception: 'You seem to believe that a deleted pod leaves no reservations.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        '  scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);\n  if (cache.forgetPod(assumed)) {\n',
        '  if (cache.forgetPod(assumed)) {\n    scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);\n',
      ],
    ],
  },
  {
    id: 'reserved-for-the-gone',
    why: 'If the server reports that the pod was deleted, the room is released, but not the reservations of plugins.',
    misconception: 'You seem to believe that plugins notice by themselves that a pod is deleted.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        '    releaseNode(scheduler, assignment);\n',
        '    if (live) releaseNode(scheduler, assignment);\n    else if (scheduler.cache.forgetPod(assumed)) queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);\n',
      ],
    ],
  },
];
