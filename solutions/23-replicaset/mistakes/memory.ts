/** Levels 5 and 6: what was done and is not seen yet, and what the status says. */
import type { Mistake } from '#harness/testing';

export const memory: readonly Mistake[] = [
  // Level 5 · Expectations
  {
    id: 'no-expectations',
    why: 'Until the cache shows the pods that were made, each sync makes them again.',
    origin: 'k#7561: 3052 pods of 3000; ray-project/kuberay#715',
    law: 'Never too many',
    edits: [['const state = expectations.state(uid);', "const state: ExpectationState = 'fulfilled';"]],
  },
  {
    id: 'expired-is-fulfilled',
    why: 'After five minutes of silence it believes the cache again, which still shows nothing, and makes a second set.',
    origin: 'k#129795',
    law: 'Never too many',
    edits: [
      [
        "return this.#isLate(expectation) ? 'expired' : 'pending';",
        "return this.#isLate(expectation) ? 'fulfilled' : 'pending';",
      ],
    ],
  },
  {
    id: 'unknown-is-fulfilled',
    why: 'A controller that starts anew on a cache that lags, or was not answered, does again what was done.',
    origin: 'upstream does this; see "How Kubernetes does it" in the README',
    law: 'Level 5',
    edits: [
      [
        "if (!expectation || expectation.doubted) return 'unknown';",
        "if (!expectation || expectation.doubted) return 'fulfilled';",
      ],
    ],
  },
  {
    id: 'trusts-its-first-list',
    why: 'A controller that starts anew believes its first list, which may be older than what it did before.',
    origin: 'upstream does this; see "How Kubernetes does it" in the README',
    law: 'Never too many',
    edits: [
      [
        "if (!expectation || expectation.doubted) return 'unknown';",
        "if (!expectation) return 'fulfilled';\n    if (expectation.doubted) return 'unknown';",
      ],
    ],
  },
  {
    id: 'late-in-doubt',
    why: 'What has not come for five minutes is awaited for another five, if an answer did not come meanwhile.',
    origin: 'the reference, before a new user tried it',
    law: 'Level 5',
    hidden: 'After a doubt the server is asked, and what the cache lacks is awaited anew.',
    edits: [['before && !this.#isLate(before) ?', 'before && (before.doubted || !this.#isLate(before)) ?']],
  },
  {
    id: 'deleted-before-the-answer',
    why: 'A pod that was deleted is gone from the cache before the answer comes, and its end is awaited for five minutes.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      [
        'if (!isOver(uid)) awaited[what].add(uid);',
        "if (what === 'deletions' || !isOver(uid)) awaited[what].add(uid);",
      ],
    ],
  },
  {
    id: 'answer-after-event',
    why: 'The watch was faster than the answer: what has been seen already is awaited for five minutes.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!isOver(uid)) awaited[what].add(uid);', 'if (!isOver(what)) awaited[what].add(uid);']],
  },
  {
    id: 'gone-is-awaited',
    why: 'A pod was gone before the answer came that created it, and its coming is awaited.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The informer tells of each pod that it comes before it tells that it is gone.',
    edits: [['observed[what].has(uid) || observed.deletions.has(uid)', 'observed[what].has(uid)']],
  },
  {
    id: 'expired-is-awaited-again',
    why: 'What has not come for five minutes is awaited for another five, and again.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const kept = before && !this.#isLate(before) ? before.awaited : undefined;',
        'const kept = before?.awaited;',
      ],
    ],
  },
  {
    id: 'begins-from-nothing',
    why: 'What was awaited before a doubt is no longer awaited.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'After a doubt the server is asked, and what the cache lacks is awaited anew.',
    edits: [['awaited: kept ?? {', 'awaited: (kept && undefined) ?? {']],
  },
  {
    id: 'time-runs-from-the-start',
    why: 'The five minutes run from when it began to act, and not from what was expected last.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'It asks the server a little earlier.',
    edits: [['    expectation.sinceMs = this.#clock.now();\n    const { awaited', '    const { awaited']],
  },
  {
    id: 'adopted-is-not-seen',
    why: 'A pod that it adopted, and that its cache shows as an orphan first, is awaited for five minutes.',
    origin: 'common',
    law: 'Level 5',
    edits: [['appearedTo: previous && !moved ? undefined : now,', 'appearedTo: previous ? undefined : now,']],
  },
  {
    id: 'new-orphans-only',
    why: 'A pod that comes to match by a change of its labels wakes no ReplicaSet.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['!now && (!previous || moved || relabelled),', '!now && (!previous || moved),'],
      ['  const relabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);\n', ''],
      ['controllerOf, deepEqual, type Pod', 'controllerOf, type Pod'],
    ],
  },
  {
    id: 'the-dead-wake-nothing',
    why: 'A pod that is gone has no owner any more that one could wake.',
    origin: 'common',
    law: 'Level 5',
    edits: [['wakes: [moved ? before : undefined, now].filter', 'wakes: [now].filter']],
  },
  {
    id: 'dying-is-not-lost',
    why: 'A deletion is awaited until the pod is gone for good, and not until it no longer counts.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'lostTo: moved ? before : current && !isPodActive(current) ? now : undefined,',
        'lostTo: moved ? before : undefined,',
      ],
    ],
  },

  // Level 6 · Status
  {
    id: 'available-at-once',
    why: 'A pod that has only just become ready counts as available: a roll-out goes on before it has proved itself.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'isPodAvailable(pod, minReadySeconds, nowMs)',
        'isPodAvailable(pod, Math.min(0, minReadySeconds), nowMs)',
      ],
    ],
  },
  {
    id: 'status-of-wishes',
    why: 'The status says how many there should be, and a Deployment believes it.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [['    replicas: active.length,\n', '    replicas,\n']],
  },
  {
    id: 'selected-is-fully-labelled',
    why: 'A pod that lacks a label of the template counts as fully labelled.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'fullyLabeledReplicas: active.filter((pod) => wanted.matches(pod.metadata.labels)).length,',
        'fullyLabeledReplicas: active.filter((pod) => wanted.matches(pod.metadata.labels) || true).length,',
      ],
    ],
  },
  {
    id: 'the-terminating-are-not-told',
    why: 'The pods that still stop are not in the status: what waits for their nodes to be free waits for nothing.',
    origin: 'k#128546: why they are counted',
    law: 'Level 6',
    edits: [['terminatingReplicas: terminating.length,', 'terminatingReplicas: terminating.length * 0,']],
  },
  {
    id: 'the-ended-terminate',
    why: 'A pod that has ended, and is not gone, is counted among those that still stop.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'return pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);',
        'void hasEnded;\n  return pod.metadata.deletionTimestamp !== undefined;',
      ],
    ],
  },
  {
    id: 'the-unselected-terminate',
    why: 'A pod that it no longer selects is counted among those that still stop.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'isTerminating(pod) && selectorOf(rs).matches(pod.metadata.labels)',
        'isTerminating(pod) && Boolean(selectorOf(rs))',
      ],
    ],
  },
  {
    id: 'status-on-a-namesake',
    why: 'The second try writes the status of a ReplicaSet that is gone into another of the same name.',
    origin: 'common',
    law: 'Level 6',
    edits: [['fresh.metadata.uid !== uid || ', '(void uid, false) || ']],
  },
  {
    id: 'second-try-on-what-is-older',
    why: 'A status that another controller wrote of the same generation keeps it from a second try.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The sync is tried again.',
    edits: [['observedGeneration ?? 0) > generation) {', 'observedGeneration ?? 0) >= generation) {']],
  },
  {
    id: 'generation-of-the-retry',
    why: 'The status is that of the spec that was acted on, but says that it is of the newest.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'return await client.updateStatus(replicaSets, { ...fresh, status });',
        'const observedGeneration = fresh.metadata.generation ?? 0;\n    return await client.updateStatus(replicaSets, { ...fresh, status: { ...status, observedGeneration } });',
      ],
    ],
  },
  {
    id: 'each-failure-is-a-create',
    why: 'A pod cannot be deleted, and the status says that one cannot be created.',
    origin: 'common',
    law: 'Level 6',
    edits: [["{ reason: diff < 0 ? 'FailedCreate' : 'FailedDelete' }", "{ reason: 'FailedCreate' }"]],
  },
  {
    id: 'failure-is-always-new',
    why: 'Since when it has been failing is overwritten by each failure.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "  if (conditions.some(({ type }) => type === 'ReplicaFailure')) return conditions;\n",
        "  conditions = conditions.filter(({ type }) => type !== 'ReplicaFailure');\n",
      ],
    ],
  },
  {
    id: 'failure-is-for-ever',
    why: 'The status goes on to tell of a failure that is over.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "if (!failure) return conditions.filter(({ type }) => type !== 'ReplicaFailure');",
        'if (!failure) return conditions;',
      ],
    ],
  },
];
