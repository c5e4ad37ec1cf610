import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 · The loop. */
export const level6: readonly Mistake[] = [
  {
    id: 'keeps-what-a-plugin-refused',
    why: 'A reserve plugin refuses the pod, and the pod goes on taking up room.',
    origin: 'common',
    law: 'Moody plugins',
    edits: [['  } catch (error) {\n    cache.forgetPod(assumed);\n', '  } catch (error) {\n']],
  },
  {
    id: 'one-plugin-stops-all',
    why: 'A plugin that throws for one pod ends the scheduler.',
    origin: 'common',
    law: 'Moody plugins',
    edits: [
      [
        '    return handleSchedulingFailure(scheduler, info, error);\n  }\n  return bindingCycle',
        '    if (!(error instanceof scheduling.FitError)) throw error;\n    return handleSchedulingFailure(scheduler, info, error);\n  }\n  return bindingCycle',
      ],
    ],
  },
  {
    id: 'does-not-assume',
    why: 'Until the watch shows that a pod is bound, its room is given away again and again.',
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
    why: 'A job that is done keeps its cpu until somebody deletes its pod.',
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
    why: 'A pod that names another scheduler is scheduled, by both.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      [
        "return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';",
        "return schedulerName ? 'waiting' : 'nothing';",
      ],
    ],
  },
  {
    id: 'waits-with-the-first',
    why: 'Whoever is turned away is waited for, ten seconds long, and all others wait with it.',
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
    why: 'It takes all pods that are active out of the queue, and begins with the last of them.',
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
    why: 'It makes a snapshot twice a minute: what has changed since, and what it has decided since, is not in it.',
    origin: 'common',
    law: 'Only where it may',
    edits: [
      [
        'const snapshot = cache.snapshot(scheduler.namespaces());',
        'const snapshot = recent(scheduler) ?? remember(scheduler, cache.snapshot(scheduler.namespaces()));',
      ],
      [
        '/** Finds a node, and takes the room there.',
        'let last: readonly [number, scheduling.Scheduler, framework.Snapshot] | undefined;\nfunction recent(scheduler: scheduling.Scheduler) {\n  return last && last[1] === scheduler && scheduler.clock.now() - last[0] < 30_000 ? last[2] : undefined;\n}\nfunction remember(scheduler: scheduling.Scheduler, snapshot: framework.Snapshot) {\n  last = [scheduler.clock.now(), scheduler, snapshot];\n  return snapshot;\n}\n\n/** Finds a node, and takes the room there.',
      ],
    ],
  },
  {
    id: 'binds-without-limit',
    why: 'A thousand pods come at once, and the server gets a thousand requests at once.',
    origin: 'common',
    law: 'No flood',
    edits: [['    await bindings.belowLimit();\n', '']],
  },
  {
    id: 'binds-in-turn',
    why: 'The loop waits until a pod is bound: a request that gets no answer holds up everybody for a minute.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ['    bindings.add(scheduleOne(scheduler, info));\n', '    await scheduleOne(scheduler, info);\n'],
    ],
  },
  {
    id: 'bound-twice',
    why: 'A pod that is on its way is changed, goes back into the queue, and is bound once more.',
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
    id: 'room-that-nobody-hears-of',
    why: 'Another binds a pod elsewhere while it is being bound: that the room is free again wakes no pod that waits for it.',
    origin: 'kubernetes/kubernetes@v1.36.3, as it is',
    law: 'Everyone is bound',
    edits: [
      [
        'if (assumed && assumed.spec.nodeName !== is.spec.nodeName) {',
        "if (assumed?.spec.nodeName === '') {",
      ],
    ],
  },
  {
    id: 'gone-before-it-was-seen',
    why: 'A pod that was bound and deleted before the watch showed it on its node takes up its room for ever.',
    origin: 'k#56261',
    law: 'The cache is true',
    edits: [['    if (!placed) return;\n', "    if (!placed || before !== 'placed') return;\n"]],
  },
  {
    id: 'same-name-same-pod',
    why: 'A pod that was deleted and made anew while the watch was down is taken for the old one, changed.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'An informer tells of a pod that was made again as one that went and one that came (kata 21).',
    edits: [
      [
        'if (previous && current && !scheduling.isSame(previous, current)) {',
        "if (previous && current && current.metadata.uid === '') {",
      ],
    ],
  },
  {
    id: 'the-larger-count',
    why: 'A pod that was turned away often waits ten seconds after the first error that is not its own.',
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
    why: 'A pod that is skipped stays in flight, and with it everything that has happened since.',
    origin: 'k#126962',
    law: 'Level 6',
    hidden: 'What is remembered for a pod that is skipped is never looked at: it costs memory.',
    edits: [['    scheduler.queue.done(pod.metadata.uid);\n    return;', '    return;']],
  },
];
