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
        "> EXPECTATIONS_TIMEOUT_MS ? 'expired' : 'pending';",
        "> EXPECTATIONS_TIMEOUT_MS ? 'fulfilled' : 'pending';",
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
    id: 'answer-after-event',
    why: 'The watch was faster than the answer: what has been seen already is awaited for five minutes.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!isOver(uid)) awaited[what].add(uid);', 'if (!isOver(what)) awaited[what].add(uid);']],
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
