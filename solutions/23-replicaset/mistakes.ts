/**
 * ReplicaSet controllers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong
 * turns that everybody takes who builds one. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · Which pods count, and whose they are
  {
    id: 'ended-pods-count',
    why: 'A pod that has failed or succeeded never comes back, and nobody makes another in its place.',
    origin: 'common',
    law: 'Level 1',
    edits: [["return phase !== 'Succeeded' && phase !== 'Failed' && pod", "return phase !== 'Gone' && pod"]],
  },
  {
    id: 'dying-pods-count',
    why: 'A pod that is being deleted is counted until it is gone, so that its successor comes late.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        "phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined;",
        "phase !== 'Failed' && pod.metadata.uid !== '';",
      ],
    ],
  },
  {
    id: 'first-owner-is-controller',
    why: 'Of several owners only the one that says so is the controller.',
    origin: 'common',
    law: 'Level 1',
    edits: [['ownerReferences?.find(({ controller }) => controller === true)', 'ownerReferences?.[0]']],
  },
  {
    id: 'steals-controlled-pods',
    why: 'Whatever it selects it takes, also from those who have it: two controllers fight over one pod for ever.',
    origin: 'k#42175',
    law: 'Hands off',
    edits: [
      [
        "if (controller && controller.uid !== rs.metadata.uid) return 'ignore';\n  const matches = selectorOf(rs).matches(pod.metadata.labels);",
        "const matches = selectorOf(rs).matches(pod.metadata.labels);\n  if (controller && controller.uid !== rs.metadata.uid) return matches ? 'adopt' : 'ignore';",
      ],
      [
        "ownerReferences: [newControllerRef(rs)] } };\n    await this.#context.client.patch(pods, keyOf(pod), { type: 'strategic', body });",
        "ownerReferences: [newControllerRef(rs)] } };\n    await this.#context.client.patch(pods, keyOf(pod), { type: 'merge', body });",
      ],
    ],
  },
  {
    id: 'never-releases',
    why: 'A pod whose labels were changed, to look at it in peace, is still held and counted.',
    origin: 'common',
    law: 'Adopts and releases',
    edits: [["if (controller) return 'release';", "if (controller) return 'keep';"]],
  },
  {
    id: 'adopts-the-dying',
    why: 'A pod that is being deleted is adopted, although it will be gone in a moment.',
    origin: 'common',
    law: 'Level 1',
    edits: [["matches && pod.metadata.deletionTimestamp === undefined ? 'adopt'", "matches ? 'adopt'"]],
  },

  // Level 2 · How many, and what they look like
  {
    id: 'no-burst',
    why: 'Ten thousand pods are asked for in one go.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'return Math.max(-BURST_REPLICAS, Math.min(active - replicas, BURST_REPLICAS));',
        'return active - replicas;',
      ],
    ],
  },
  {
    id: 'owner-without-control',
    why: 'A pod that nobody controls is adopted by the first who selects it.',
    origin: 'common',
    law: 'Level 2',
    edits: [['uid, controller: true, blockOwnerDeletion: true };', 'uid, blockOwnerDeletion: true };']],
  },

  // Level 3 · Whom to delete
  {
    id: 'ready-pods-go-first',
    why: 'To scale down takes those that serve and leaves those that do not.',
    origin: 'openshift/origin#7271',
    law: 'Deletes in order',
    edits: [
      [
        'ascending(one, other, (pod) => (isPodReady(pod) ? 1 : 0)) ||',
        'ascending(other, one, (pod) => (isPodReady(pod) ? 1 : 0)) ||',
      ],
    ],
  },
  {
    id: 'cost-does-not-count',
    why: 'A pod that says that it is cheap to delete stays, and a dear one goes.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['    ascending(one, other, getDeletionCost) ||\n', '']],
  },
  {
    id: 'rank-before-cost',
    why: 'What an operator says of a pod counts less than where it happens to be.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'ascending(one, other, getDeletionCost) ||\n    b.rank - a.rank ||',
        'b.rank - a.rank ||\n    ascending(one, other, getDeletionCost) ||',
      ],
    ],
  },
  {
    id: 'ages-to-the-second',
    why: 'The youngest always goes, so that the pods on the oldest nodes are never replaced.',
    origin: 'k#96748: why ages are compared by magnitude',
    law: 'Level 3',
    edits: [['return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;', 'return ageMs;']],
  },
  {
    id: 'ended-neighbours-count',
    why: 'A node full of pods that have ended counts as crowded.',
    origin: 'common',
    law: 'Level 3',
    edits: [['of related.filter(isPodActive)) {', 'of related) {']],
  },
  {
    id: 'sorts-what-goes-anyway',
    why: 'Where all go there is nothing to choose, and the order is that of the list.',
    origin: 'common',
    law: 'Level 3',
    edits: [['  if (count >= candidates.length) return [...candidates];\n', '']],
  },
  {
    id: 'cost-of-any-number',
    why: 'What is no whole number of 32 bits is no cost: one that is typed wrong would sink a pod, or save it for ever.',
    origin: 'common',
    law: 'Level 3',
    edits: [['return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;', 'return Number(text) || 0;']],
  },

  // Level 4 · Slow start
  {
    id: 'all-at-once',
    why: 'A template that is refused is refused five hundred times a sync.',
    origin: 'k#49988: why creates start slowly',
    law: 'Starts slowly',
    edits: [['let size = initialBatchSize; successes < count;', 'let size = count; successes < count;']],
  },
  {
    id: 'goes-on-after-a-failure',
    why: 'A failure is counted, and the next batch, twice as big, fails alike.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (failures[0]) return { successes,', 'if (failures[0] && size > 8) return { successes,']],
  },
  {
    id: 'batches-never-grow',
    why: 'Five hundred pods are made one after the other.',
    origin: 'common',
    law: 'Level 4',
    edits: [['successes < count; size *= 2)', 'successes < count; size += 0)']],
  },

  // Level 5 · Expectations
  {
    id: 'no-expectations',
    why: 'Until the cache shows the pods that were made, each sync makes them again.',
    origin: 'k#7561: 3052 pods of 3000; ray-project/kuberay#715',
    law: 'Never too many',
    edits: [['const state = this.#expectations.state(uid);', "const state: ExpectationState = 'fulfilled';"]],
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
    why: 'Who starts anew on a cache that lags, or was not answered, does again what was done.',
    origin: 'upstream does this; see "What differs" in the README',
    law: 'Level 5',
    edits: [
      [
        "if (!expectation || expectation.doubted) return 'unknown';",
        "if (!expectation || expectation.doubted) return 'fulfilled';",
      ],
    ],
  },
  {
    id: 'expectations-survive-recreate',
    why: 'A ReplicaSet that was deleted and created again under its name waits for the pods of the first.',
    origin: 'k#82572',
    law: 'Level 7',
    edits: [
      ['const state = this.#expectations.state(uid);', 'const state = this.#expectations.state(key);'],
      ['      this.#expectations.expiresInMs(uid),\n', '      this.#expectations.expiresInMs(key),\n'],
      [
        '=== 0) return undefined;\n    const { uid } = rs.metadata;',
        '=== 0) return undefined;\n    const uid = keyToString(keyOf(rs));',
      ],
      [
        'const { client, recorder } = this.#context;\n    const { uid } = rs.metadata;',
        'const { client, recorder } = this.#context;\n    const uid = keyToString(keyOf(rs));',
      ],
      [
        'const { client, clock, recorder } = this.#context;\n    const { uid } = rs.metadata;',
        'const { client, clock, recorder } = this.#context;\n    const uid = keyToString(keyOf(rs));',
      ],
      [
        'filter((pod) => getControllerOf(pod)?.uid === uid);\n    const unseen',
        "filter((pod) => uid.endsWith('/' + getControllerOf(pod)?.name));\n    const unseen",
      ],
      [
        'this.#expectations.creationObserved(appearedTo.uid,',
        "this.#expectations.creationObserved(pod.metadata.namespace + '/' + appearedTo.name,",
      ],
      [
        'this.#expectations.deletionObserved(lostTo.uid,',
        "this.#expectations.deletionObserved(pod.metadata.namespace + '/' + lostTo.name,",
      ],
    ],
  },
  {
    id: 'answer-after-event',
    why: 'The watch was faster than the answer: what has been seen already is awaited for five minutes.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'if (!expectation.observed?.[what].has(uid)) expectation[what].add(uid);',
        'expectation[what].add(uid);',
      ],
    ],
  },
  {
    id: 'deletions-are-not-expected',
    why: 'While the cache still shows the pods that were deleted, each sync deletes others.',
    origin: 'elastic/cloud-on-k8s#5274',
    law: 'Level 7',
    edits: [['    this.#expectations.expectDeletions(uid, victims.map(uidOf));\n', '']],
  },
  {
    id: 'lost-controller-unnoticed',
    why: 'A pod whose owners were taken away is in nobody’s index, and nobody takes it back.',
    origin: 'k#32829',
    law: 'Adopts and releases',
    edits: [['      ...this.#pods.indexer.byIndex(ORPHAN_INDEX, namespace),\n', '']],
  },
  {
    id: 'new-orphans-only',
    why: 'A pod that becomes an orphan, or comes to match by a change of its labels, wakes nobody.',
    origin: 'common',
    law: 'Level 5',
    edits: [['!now && (!previous || moved || relabelled),', '!now && !previous,']],
  },
  {
    id: 'nobody-wakes-of-the-dead',
    why: 'A pod that is gone has no owner any more whom one could wake.',
    origin: 'common',
    law: 'Level 5',
    edits: [['wakes: [moved ? before : undefined, now].filter', 'wakes: [now].filter']],
  },

  // Level 6 · Status
  {
    id: 'available-at-once',
    why: 'A pod that has only just become ready counts as available: a roll-out goes on before it has proved itself.',
    origin: 'common',
    law: 'Level 6',
    edits: [['sinceMs + minReadySeconds * 1000 < nowMs);', 'sinceMs <= nowMs);']],
  },
  {
    id: 'available-to-the-millisecond',
    why: 'A pod is available after minReadySeconds, not at them: the time it is compared with has whole seconds.',
    origin: 'common',
    law: 'Level 6',
    edits: [['sinceMs + minReadySeconds * 1000 < nowMs);', 'sinceMs + minReadySeconds * 1000 <= nowMs);']],
  },
  {
    id: 'status-of-wishes',
    why: 'The status says how many there should be, and a Deployment believes it.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [['    replicas: active.length,\n', '    replicas,\n']],
  },
  {
    id: 'generation-of-the-retry',
    why: 'The status is that of the spec that was acted on, but says that it is of the newest.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'return await client.updateStatus(replicaSets, { ...current, status });',
        'const observedGeneration = current.metadata.generation ?? 0;\n      return await client.updateStatus(replicaSets, { ...current, status: { ...status, observedGeneration } });',
      ],
    ],
  },
  {
    id: 'failure-is-always-new',
    why: 'Since when it has been failing is overwritten by each failure.',
    origin: 'common',
    law: 'Level 6',
    edits: [['  if (known) return [...conditions];\n', '']],
  },
  {
    id: 'availability-needs-an-event',
    why: 'When minReadySeconds have passed nothing happens that would wake anybody: the status stays as it was.',
    origin: 'k#39763: why the ReplicaSet is queued again for when its pods become available',
    law: 'Level 7',
    edits: [['      nextAvailabilityMs(claimed, rs.spec.minReadySeconds ?? 0, clock.now()),\n', '']],
  },

  // Level 7 · The controller
  {
    id: 'acts-while-terminating',
    why: 'While the garbage collector deletes the pods of a ReplicaSet that is going, it makes new ones.',
    origin: 'k#27438',
    law: 'Leaves the dying alone',
    edits: [["if (state !== 'pending' && deletionTimestamp === undefined) {", "if (state !== 'pending') {"]],
  },
  {
    id: 'adopts-unasked',
    why: 'The cache does not show yet that the ReplicaSet is being deleted: the orphan goes with it.',
    origin: 'k#42639: why the server is asked before',
    law: 'Leaves the dying alone',
    edits: [['          mayAdopt ??= this.#recheckDeletionTimestamp(rs);\n          await mayAdopt;\n', '']],
  },
  {
    id: 'failure-is-swallowed',
    why: 'What was refused is written into the status and never tried again.',
    origin: 'k#67662',
    law: 'Level 7',
    edits: [['    if (failure) throw failure;\n', '']],
  },
  {
    id: 'refused-and-awaited',
    why: 'A deletion that was refused is still awaited: five minutes pass before it is tried again.',
    origin: 'common',
    law: 'Level 7',
    edits: [['          else this.#expectations.deletionFailed(uid, uidOf(pod));\n', '']],
  },
  {
    id: 'all-is-well-at-every-look',
    why: 'A condition says each time anew that nothing is wrong, and when: as often as it looks, everybody who watches is woken.',
    origin: 'common',
    law: 'Quiet at rest',
    edits: [
      [
        "if (!failure) return known ? removeCondition(conditions, 'ReplicaFailure') : [...conditions];",
        "if (!failure) {\n    const since = { status: 'False', lastTransitionTime: formatTime(nowMs) };\n    return [...removeCondition(conditions, 'ReplicaFailure'), { type: 'ReplicaFailure', ...since }];\n  }",
      ],
      [
        '    if (failure) throw failure;\n',
        '    this.#queue.addAfter(key, 1_000);\n    if (failure) throw failure;\n',
      ],
    ],
  },
  {
    id: 'tries-again-at-once',
    why: 'What was refused is tried again without a pause, as fast as the server can refuse it.',
    origin: 'common',
    law: 'Backs off',
    edits: [['    if (failure) throw failure;\n', '    if (failure) this.#queue.add(key);\n']],
  },
  {
    id: 'expectations-never-end',
    why: 'Nobody wakes it when what it waits for does not come.',
    origin: 'common',
    law: 'Level 7',
    edits: [['      this.#expectations.expiresInMs(uid),\n', '']],
  },
];
