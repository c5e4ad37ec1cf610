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
        '    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };\n',
        '    if (error) return { live: info.pod, error };\n',
      ],
    ],
  },
  {
    id: 'what-was-not-bound-is',
    why: 'A bind plugin answers that it has not bound the pod, and its answer is not read.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [["    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));\n", '']],
  },
  {
    id: 'undoes-with-another-state',
    why: 'Plugins are asked to give back what they set aside, with a state in which nothing stands.',
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
    why: 'Plugins are asked to give back what they set aside on a node, and are not told which.',
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
    why: 'The bind is refused, and the pod goes on taking up the room that it never had.',
    origin: 'k#28883, k#26043',
    law: 'Forgets what failed',
    edits: [['  if (cache.forgetPod(assumed)) {\n', '  if (cache.isAssumedPod(assumed)) {\n']],
  },
  {
    id: 'frees-in-silence',
    why: 'Room is free again because a bind failed, and the pods that were turned away for want of it are not told.',
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
    why: 'A pod that could not be bound once is never tried again.',
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
    why: 'A pod that was deleted while it was being bound goes back into the queue, and is tried for ever.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        '  const current = scheduler.getPod(keyOf(info.pod));\n  if (!scheduling.isUnbound(info.pod, current)) {',
        "  const current = info.pod;\n  if (current.metadata.uid === '') {",
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
    hidden: 'What is remembered for a pod that is bound is never looked at: it costs memory.',
    edits: [['tried again.\n  queue.done(uid);', 'tried again.\n  void uid;']],
  },
  {
    id: 'asks-at-once',
    why: 'It asks a server that refuses to answer again as soon as it was refused: hundreds of times a second.',
    origin: 'common',
    law: 'Asks with a pause',
    edits: [
      [
        'live: await scheduling.askServer(scheduler, assumed), error',
        'live: await askAtOnce(scheduler, assumed), error',
      ],
      [
        '/** Gives back what the pod took of its node,',
        "async function askAtOnce(scheduler: scheduling.Scheduler, pod: Pod): Promise<Pod | undefined> {\n  const { isNotFound, pods } = await import('#harness');\n  for (;;) {\n    try {\n      const live = await scheduler.client.get(pods, keyOf(pod), { signal: scheduler.signal });\n      return scheduling.isSame(pod, live) ? live : undefined;\n    } catch (error) {\n      if (isNotFound(error)) return undefined;\n      await scheduler.clock.sleep(2, scheduler.signal);\n    }\n  }\n}\n\n/** Gives back what the pod took of its node,",
      ],
    ],
  },
  {
    id: 'unreserves-only-what-it-forgot',
    why: 'A pod that was deleted while it was being bound leaves behind what plugins have reserved for it.',
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
    why: 'Of a pod that is gone when the server is asked, the room is given back, and not what plugins have reserved.',
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
