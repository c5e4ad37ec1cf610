import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 · The loop. */
export const level6: readonly Mistake[] = [
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
    id: 'trusts-its-first-list',
    why: 'It starts on a list from before its earlier self was stopped, and gives away what that one has given away.',
    origin: 'kubernetes/kubernetes@v1.36.3, as it is',
    law: 'Never overcommits',
    edits: [['    await this.#assumeBound();\n', '']],
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
    law: 'Starves nobody',
    edits: [
      [
        '      this.#scheduleOne(info);\n',
        '      this.#scheduleOne(info);\n      if (!this.#scheduler.cache.isAssumedPod(info.pod)) await this.#context.clock.sleep(10_000).catch(() => {});\n',
      ],
    ],
  },
  {
    id: 'binds-in-turn',
    why: 'The loop waits until a pod is bound: a request that gets no answer holds up everybody for a minute.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '      while (this.#writesInFlight >= WRITES_IN_FLIGHT_MAX && !signal.aborted) await this.#untilWriteEnds();',
        '      while (this.#writesInFlight >= 1 && !signal.aborted) await this.#untilWriteEnds();',
      ],
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
        'pod.metadata.deletionTimestamp !== undefined || cache.isAssumedPod(pod);',
        'pod.metadata.deletionTimestamp !== undefined;',
      ],
      [
        'const assumed = cache.assumePod(pod, found.suggestedHost);',
        'cache.forgetPod(pod);\n    const assumed = cache.assumePod(pod, found.suggestedHost);',
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
    id: 'tombstones-unread',
    why: 'What was deleted while the watch was down is still there.',
    origin: 'common',
    law: 'The cache is true',
    edits: [
      [
        'last instanceof DeletedFinalStateUnknown ? last.object : last, undefined)',
        'last instanceof DeletedFinalStateUnknown ? undefined : last, undefined)',
      ],
    ],
  },
  {
    id: 'nodes-never-go',
    why: 'Pods are bound to a node that is gone.',
    origin: 'common',
    law: 'Only where it may',
    edits: [['    cache.removeNode(previous);\n', '']],
  },
  {
    id: 'nobody-flushes',
    why: 'Whose backoff is over stays where it is.',
    origin: 'common',
    law: 'Everyone is bound',
    edits: [['() => queue.flushBackoffQCompleted());', '() => queue.podsInBackoffQ());']],
  },
  {
    id: 'same-name-same-pod',
    why: 'A pod that was deleted and made anew while the watch was down is taken for the old one, changed.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'if (previous && current && !isSame(previous, current)) {',
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
        'backoffDurationMs(consecutiveErrorsCount || unschedulableCount, this.#limits)',
        'backoffDurationMs(Math.max(consecutiveErrorsCount, unschedulableCount), this.#limits)',
      ],
    ],
  },
  {
    id: 'room-for-the-ended',
    why: 'A pod that had ended before the scheduler began takes up room for ever.',
    origin: 'k#22398, at the start',
    law: 'Level 6',
    edits: [
      [
        'if (!nodeName || hasEnded(pod) || cache.getPod(pod)) continue;',
        'if (!nodeName || cache.getPod(pod)) continue;',
      ],
    ],
  },
  {
    id: 'goes-on-without-a-list',
    why: 'What is taken is not known, because the server refused to say it; and is given away.',
    origin: 'common: an error taken for an empty answer',
    law: 'Level 6',
    edits: [
      [
        'if (!signal.aborted) log(`Failed to list pods: ',
        'if (delayMs > 0) return [];\n        if (!signal.aborted) log(`Failed to list pods: ',
      ],
    ],
  },
  {
    id: 'namespace-labels-once',
    why: 'Reads the labels of namespaces again only if a namespace comes or goes.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const namespaceHandler = handler<Namespace>(() => {\n',
        'const namespaceHandler = handler<Namespace>((previous, current) => {\n      if (previous && current) return;\n',
      ],
    ],
  },
];
