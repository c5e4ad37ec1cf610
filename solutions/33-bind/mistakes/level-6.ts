import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 · The loop. */
export const level6: readonly Mistake[] = [
  {
    id: 'keeps-what-a-plugin-refused',
    why: 'After a reserve plugin rejects the pod, it still occupies room.',
    misconception: 'You seem to believe that only the server can refuse a decision.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [['  } catch (error) {\n    cache.forgetPod(assumed);\n', '  } catch (error) {\n']],
  },
  {
    id: 'one-plugin-stops-all',
    why: 'A plugin that throws for one pod ends the scheduler.',
    misconception: 'You seem to believe that a plugin never throws.',
    origin: 'common',
    law: 'Failing plugins',
    edits: [
      [
        '    return handleSchedulingFailure(scheduler, info, error);\n  }\n  return bindingCycle',
        '    if (!(error instanceof scheduling.FitError)) throw error;\n    return handleSchedulingFailure(scheduler, info, error);\n  }\n  return bindingCycle',
      ],
    ],
  },
  {
    id: 'does-not-assume',
    why: 'The pod is not assumed: until the watch shows the bind, its room is allocated again and again.',
    misconception: 'You seem to believe that your cache shows your own binds at once.',
    origin: 'common',
    law: 'Never overcommits',
    edits: [
      [
        'const assumed = cache.assumePod(pod, found.suggestedHost);',
        'const assumed = { ...pod, spec: { ...pod.spec, nodeName: found.suggestedHost } };',
      ],
    ],
  },
  {
    id: 'the-ended-take-up-room',
    why: 'A completed pod occupies its cpu until it is deleted.',
    misconception: 'You seem to believe that a pod uses its node for as long as it exists.',
    origin: 'k#22398',
    law: 'The cache is true',
    edits: [
      [
        "  if (!pod || hasEnded(pod)) return 'nothing';",
        "  if (!pod || (hasEnded(pod) && !pod.spec.nodeName)) return 'nothing';",
      ],
    ],
  },
  {
    id: 'takes-what-is-not-its-own',
    why: 'A pod with another schedulerName is scheduled by both schedulers.',
    misconception: 'You seem to believe that every pod without a node is yours.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        "return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';",
        "return schedulerName ? 'waiting' : 'nothing';",
      ],
    ],
  },
  {
    id: 'waits-with-the-first',
    why: 'The loop waits ten seconds after a rejected pod, and all other pods wait, too.',
    misconception: 'You seem to believe that all pods wait for the same thing.',
    origin: 'common',
    law: 'Starves no pod',
    edits: [
      [
        '    bindings.add(scheduleOne(scheduler, info));\n',
        '    bindings.add(scheduleOne(scheduler, info));\n    if (!scheduler.cache.isAssumedPod(info.pod)) await scheduler.clock.sleep(10_000).catch(() => {});\n',
      ],
    ],
  },
  {
    id: 'works-off-a-stack',
    why: 'It pops all active pods at once, and starts with the last of them.',
    misconception: 'You seem to believe that the order among waiting pods does not matter to you.',
    origin: 'common',
    law: 'Important first',
    edits: [
      [
        '    const info = await queue.pop();\n',
        '    const batch = [await queue.pop()];\n    while ((queue as SchedulingQueue).podsInActiveQ().length > 0) batch.push(await queue.pop());\n    for (const each of batch.splice(1).reverse()) if (each) bindings.add(scheduleOne(scheduler, each));\n    const [info] = batch;\n',
      ],
    ],
  },
  {
    id: 'two-pictures-a-minute',
    why: 'It builds a snapshot twice a minute, which lacks all later changes and decisions.',
    misconception: 'You seem to believe that the cluster stands still while you decide.',
    origin: 'common',
    law: 'Only where allowed',
    edits: [
      [
        'const snapshot = cache.snapshot(scheduler.namespaces());',
        'const snapshot = recent(scheduler) ?? remember(scheduler, cache.snapshot(scheduler.namespaces()));',
      ],
      [
        '/** Finds a node and assumes the pod there.',
        'let last: readonly [number, scheduling.Scheduler, framework.Snapshot] | undefined;\nfunction recent(scheduler: scheduling.Scheduler) {\n  return last && last[1] === scheduler && scheduler.clock.now() - last[0] < 30_000 ? last[2] : undefined;\n}\nfunction remember(scheduler: scheduling.Scheduler, snapshot: framework.Snapshot) {\n  last = [scheduler.clock.now(), scheduler, snapshot];\n  return snapshot;\n}\n\n/** Finds a node and assumes the pod there.',
      ],
    ],
  },
  {
    id: 'binds-without-limit',
    why: 'A thousand new pods cause a thousand requests at the same time.',
    misconception: 'You seem to believe that the server takes any number of requests at once.',
    origin: 'common',
    law: 'No flood',
    edits: [['    await bindings.belowLimit();\n', '']],
  },
  {
    id: 'binds-in-turn',
    why: 'The loop waits for each bind: a request without a response delays all pods for a minute.',
    misconception: 'You seem to believe that every request gets its response soon.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ['    bindings.add(scheduleOne(scheduler, info));\n', '    await scheduleOne(scheduler, info);\n'],
    ],
  },
  {
    id: 'bound-twice',
    why: 'A pod that changes during its bind is queued again, and bound twice.',
    misconception: 'You seem to believe that a pod that you are binding cannot come back to the queue.',
    origin: 'common',
    law: 'Never two nodes',
    edits: [
      ['if (!cache.isAssumedPod(is)) queue.update(was, is);', 'queue.update(was, is);'],
      [
        'if (scheduling.skipPodSchedule(scheduler, pod)) {',
        'if (pod.metadata.deletionTimestamp !== undefined) {',
      ],
      [
        'const assumed = cache.assumePod(pod, found.suggestedHost);',
        'cache.forgetPod(pod);\n  const assumed = cache.assumePod(pod, found.suggestedHost);',
      ],
    ],
  },
  {
    id: 'room-that-is-not-told',
    why: 'If another client binds the pod elsewhere during its bind, the free room wakes no pod.',
    misconception: 'You seem to believe that only you decide where a pod goes.',
    origin: 'kubernetes/kubernetes@v1.36.3, as it is',
    law: 'Every pod is bound',
    edits: [
      [
        'if (assumed && assumed.spec.nodeName !== is.spec.nodeName) {',
        "if (assumed?.spec.nodeName === '') {",
      ],
    ],
  },
  {
    id: 'gone-before-it-was-seen',
    why: 'A pod that was bound and deleted before the watch showed it on its node occupies room forever.',
    misconception: 'You seem to believe that the watch shows every pod on its node before its end.',
    origin: 'k#56261',
    law: 'The cache is true',
    edits: [['    if (!placed) return;\n', "    if (!placed || before !== 'placed') return;\n"]],
  },
  {
    id: 'same-name-same-pod',
    why: 'A pod that was recreated during a gap in the watch counts as an update of the old one.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'An informer reports a recreated pod as a delete and an add (kata 21).',
    edits: [
      [
        'if (previous && current && !scheduling.isSame(previous, current)) {',
        "if (previous && current && current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'the-larger-count',
    why: 'The larger of the two counts is used: a pod that was often rejected waits ten seconds after its first error.',
    misconception: 'You seem to believe that a rejected pod and a failing server call for the same wait.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.limits)',
        'backoffDurationMs(Math.max(consecutiveErrorsCount, unschedulableCount), this.limits)',
      ],
    ],
  },
  {
    id: 'skipped-and-never-done',
    why: 'A skipped pod stays in flight, together with all events since then.',
    origin: 'k#126962',
    law: 'Level 6',
    hidden: 'The events of a skipped pod are never read: they only cost memory.',
    edits: [['    scheduler.queue.done(pod.metadata.uid);\n    return;', '    return;']],
  },
  {
    id: 'old-and-new-are-swapped',
    why: 'Hints about a changed pod get its two versions in the wrong order, so that they skip the changes that help.',
    misconception: 'Which of its two versions of an object does a hint compare with which?',
    origin: 'common',
    law: 'Wakes in time',
    edits: [
      [
        'queue.moveAllToActiveOrBackoffQueue(event, was, is);',
        'queue.moveAllToActiveOrBackoffQueue(event, is, was);',
      ],
    ],
  },
  {
    id: 'added-while-assumed',
    why: 'A pod that is reported as new while its bind is in flight is queued again.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'An informer reports a waiting pod as new once, before the scheduler can assume it.',
    edits: [['if (!cache.getPod(is)) queue.add(is);', 'queue.add(is);']],
  },
];
