/** Levels 5 and 6: operations that the cache does not show yet, and the status. */
import type { Mistake } from '#harness/testing';

export const memory: readonly Mistake[] = [
  // Level 5 · Expectations
  {
    id: 'no-expectations',
    why: 'Until the cache shows the created pods, each sync creates them again.',
    misconception: 'You seem to trust your cache right after your own writes.',
    origin: 'k#7561: 3052 pods of 3000; ray-project/kuberay#715',
    law: 'Never too many',
    edits: [['const state = expectations.state(uid);', "const state: ExpectationState = 'fulfilled';"]],
  },
  {
    id: 'expired-is-fulfilled',
    why: 'After five minutes it trusts the cache, which still shows no pods, and creates a second set.',
    misconception: 'You seem to believe that a cache must be current after a long wait.',
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
    why: 'After a restart on a stale cache, or after a lost response, the controller repeats its operations.',
    misconception: 'You seem to believe that a controller that expects nothing can trust its cache.',
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
    why: 'A restarted controller trusts its first list, which may be older than its own operations.',
    misconception: 'You seem to believe that the first list after a start is current.',
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
    why: 'If a response is lost meanwhile, an expectation lasts another five minutes after it should have expired.',
    origin: 'the reference, before a new user tried it',
    law: 'Level 5',
    hidden:
      'After a lost response, the controller lists from the server, and expects again what the cache lacks.',
    edits: [['before && !this.#isLate(before) ?', 'before && (before.doubted || !this.#isLate(before)) ?']],
  },
  {
    id: 'deleted-before-the-answer',
    why: 'A deleted pod is removed from the cache before the response arrives, and the controller waits five minutes for its end.',
    misconception: 'You seem to believe that the response to a delete always comes before its event.',
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
    why: 'The watch event came before the response: the controller waits five minutes for an event that it has already observed.',
    misconception: 'You seem to believe that the response to a request always comes before its event.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!isOver(uid)) awaited[what].add(uid);', 'if (!isOver(what)) awaited[what].add(uid);']],
  },
  {
    id: 'gone-is-awaited',
    why: 'A pod was deleted before the response to its create, and the controller waits for its creation.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The informer reports the creation of each pod before its deletion.',
    edits: [['observed[what].has(uid) || observed.deletions.has(uid)', 'observed[what].has(uid)']],
  },
  {
    id: 'expired-is-awaited-again',
    why: 'After an expectation has expired, the controller waits another five minutes, again and again.',
    misconception: 'You seem to believe that a wait without result deserves a second one of the same length.',
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
    why: 'A lost response drops the earlier expectations.',
    origin: 'common',
    law: 'Level 5',
    hidden:
      'After a lost response, the controller lists from the server, and expects again what the cache lacks.',
    edits: [['awaited: kept ?? {', 'awaited: (kept && undefined) ?? {']],
  },
  {
    id: 'time-runs-from-the-start',
    why: 'The five minutes run from the first expectation, not from the last.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'The controller lists from the server a little earlier.',
    edits: [['    expectation.sinceMs = this.#clock.now();\n    const { awaited', '    const { awaited']],
  },
  {
    id: 'adopted-is-not-seen',
    why: 'After the adoption of a pod that its cache first shows as an orphan, the controller waits five minutes.',
    misconception: 'You seem to believe that a pod becomes visible to you only when it is created.',
    origin: 'common',
    law: 'Level 5',
    edits: [['appearedTo: previous && !moved ? undefined : now,', 'appearedTo: previous ? undefined : now,']],
  },
  {
    id: 'new-orphans-only',
    why: 'A pod that matches after a change of its labels wakes no ReplicaSet.',
    misconception: 'You seem to believe that only a new pod can become yours.',
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
    why: 'A deleted pod wakes no ReplicaSet.',
    misconception: 'You seem to believe that the end of a pod concerns no ReplicaSet.',
    origin: 'common',
    law: 'Level 5',
    edits: [['wakes: [moved ? before : undefined, now].filter', 'wakes: [now].filter']],
  },
  {
    id: 'dying-is-not-lost',
    why: 'A deletion is expected until the pod is removed, not until it is inactive.',
    misconception: 'You seem to believe that a delete has no effect before the object has disappeared.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'lostTo: moved && before ? before : current && !isPodActive(current) ? now : undefined,',
        'lostTo: moved ? before : undefined,',
      ],
    ],
  },

  // Level 6 · Status
  {
    id: 'available-at-once',
    why: 'A pod that has just become ready counts as available: a rollout continues before the pod has proved stable.',
    misconception: 'You seem to believe that ready and available mean the same.',
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
    why: 'The status contains the desired number of pods, and a Deployment trusts it.',
    misconception: 'You seem to believe that a status describes the wish and not the state.',
    origin: 'common',
    law: 'Truthful status',
    edits: [['    replicas: active.length,\n', '    replicas,\n']],
  },
  {
    id: 'selected-is-fully-labelled',
    why: 'A pod that lacks a label of the template counts as fully labelled.',
    misconception: 'You seem to believe that every selected pod has all labels of the template.',
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
    why: 'The status lacks the terminating pods: a client that waits for free nodes does not wait long enough.',
    misconception: 'You seem to believe that no reader of a status cares about pods that are being deleted.',
    origin: 'k#128546: why they are counted',
    law: 'Level 6',
    edits: [['terminatingReplicas: terminating.length,', 'terminatingReplicas: terminating.length * 0,']],
  },
  {
    id: 'the-ended-terminate',
    why: 'A pod that has ended, but is not removed yet, counts as terminating.',
    misconception:
      'You seem to believe that a pod with a deletion timestamp always has something left to terminate.',
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
    why: 'A pod that is no longer selected counts as terminating.',
    misconception: 'You seem to believe that a pod counts for its owner whatever its labels are.',
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
    why: 'The retry writes the status of a deleted ReplicaSet into another one of the same name.',
    misconception: 'You seem to believe that an object that you read again by its name is the same object.',
    origin: 'common',
    law: 'Level 6',
    edits: [['fresh.metadata.uid !== uid || ', '(void uid, false) || ']],
  },
  {
    id: 'second-try-on-what-is-older',
    why: 'A status that another controller wrote for the same generation prevents the retry.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The sync is retried.',
    edits: [['observedGeneration ?? 0) > generation) {', 'observedGeneration ?? 0) >= generation) {']],
  },
  {
    id: 'generation-of-the-retry',
    why: 'The status is computed from the old spec, but claims to be of the latest generation.',
    misconception: 'You seem to believe that to read a newer spec is the same as to act on it.',
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
    id: 'status-without-an-await',
    why: 'The rejection of the write comes after the `try` has ended, so there is no second attempt.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The sync is retried.',
    edits: [
      [
        'return await client.updateStatus(replicaSets, { ...rs, status });',
        'return client.updateStatus(replicaSets, { ...rs, status });',
      ],
    ],
  },
  {
    id: 'each-failure-is-a-create',
    why: 'If a pod cannot be deleted, the status says that one cannot be created.',
    misconception: 'You seem to believe that only creates can fail.',
    origin: 'common',
    law: 'Level 6',
    edits: [["{ reason: diff < 0 ? 'FailedCreate' : 'FailedDelete' }", "{ reason: 'FailedCreate' }"]],
  },
  {
    id: 'failure-is-always-new',
    why: 'Each failure overwrites the time of the first one.',
    misconception: 'You seem to believe that each failure is the first.',
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
    why: 'The status still reports a failure after it has ended.',
    misconception: 'You seem to believe that a condition disappears by itself.',
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
