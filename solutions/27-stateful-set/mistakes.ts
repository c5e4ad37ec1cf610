import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'all-at-once',
    why: 'The policy is ignored: each database starts before the one that it joins.',
    origin: 'common',
    law: 'Ordered',
    edits: [["set.spec.podManagementPolicy !== 'Parallel';", 'set.spec.podManagementPolicy === undefined;']],
  },
  {
    id: 'running-is-enough',
    why: 'The next pod starts when the last one runs, not when it is ready.',
    origin: 'common',
    law: 'Ordered',
    edits: [
      [
        'return isRunningAndReady(pod) && sets.isPodAvailable(pod, minReadySeconds, nowMs) && !isTerminating(pod);',
        "return pod.status.phase === 'Running' && minReadySeconds >= 0 && nowMs > 0 && !isTerminating(pod);",
      ],
    ],
  },
  {
    id: 'ready-is-available',
    why: 'The controller does not wait for minReadySeconds.',
    origin: 'common',
    law: 'Ordered',
    edits: [
      [
        'isPodAvailable(pod, minReadySeconds, nowMs) &&',
        'isPodAvailable(pod, 0 * minReadySeconds, nowMs) &&',
      ],
    ],
  },
  {
    id: 'from-the-bottom',
    why: 'Scaling down begins with the lowest surplus pod.',
    origin: 'common',
    law: 'Downwards',
    edits: [
      [
        '.toSorted((a, b) => ordinalOf(b) - ordinalOf(a));',
        '.toSorted((a, b) => ordinalOf(a) - ordinalOf(b));',
      ],
    ],
  },
  {
    id: 'does-not-wait-for-the-end',
    why: 'The next surplus pod is deleted while the last one still stops.',
    origin: 'common',
    law: 'Downwards',
    edits: [
      [
        "if (isTerminating(pod)) return isOrdered(scene) ? 'waits' : 'goes on';",
        "if (isTerminating(pod)) return 'goes on';",
      ],
    ],
  },
  {
    id: 'shrinks-while-unhealthy',
    why: 'A pod that is not ready does not stop the step, so the set shrinks and grows while its quorum is down.',
    origin: 'common',
    law: 'Ordered',
    edits: [
      [
        "if (isOrdered(scene) && !isHealthy(scene, pod)) return 'waits';",
        "if (isOrdered(scene) && !isHealthy(scene, pod)) return 'goes on';",
      ],
    ],
  },
  {
    id: 'updates-upwards',
    why: 'The update begins with the lowest pod, which is often the leader.',
    origin: 'common',
    law: 'Updates',
    edits: [['replicas.slice(partition).toReversed()', 'replicas.slice(partition)']],
  },
  {
    id: 'updates-without-waiting',
    why: 'The update goes on while the new pod is not available: a broken image reaches every pod.',
    origin: 'k#137904',
    law: 'Updates',
    edits: [['    if (!isHealthy({ set, nowMs }, pod)) return 0;\n', '']],
  },
  {
    id: 'canary-for-all',
    why: 'The partition is ignored.',
    origin: 'common',
    law: 'Updates',
    edits: [['replicas.slice(partition)', 'replicas.slice(0 * partition)']],
  },
  {
    id: 'replaces-with-on-delete',
    why: 'The strategy OnDelete replaces pods, too.',
    origin: 'common',
    law: 'Updates',
    edits: [
      [
        "return set.spec.updateStrategy?.type === 'OnDelete' ? 0 : replaceNext(scene);",
        'return replaceNext(scene);',
      ],
    ],
  },
  {
    id: 'new-template-below-the-partition',
    why: 'A pod below the partition that was deleted comes back with the new template.',
    origin: 'k#70442',
    law: 'Identity',
    edits: [['? revisions.current : revisions.update;', '? revisions.update : revisions.update;']],
  },
  {
    id: 'old-template-above-the-partition',
    why: 'A deleted pod comes back with the old template, and the update has to replace it again.',
    origin: 'common',
    law: 'Identity',
    edits: [['? revisions.current : revisions.update;', '? revisions.current : revisions.current;']],
  },
  {
    id: 'no-host-name',
    why: 'Pods have no stable host name, so their peers do not find them.',
    origin: 'common',
    law: 'Identity',
    edits: [['      hostname: name,\n', '']],
  },
  {
    id: 'claim-after-pod',
    why: 'The pod is created before its claim, and the scheduler rejects it.',
    origin: 'common',
    law: 'Claims',
    edits: [['    await this.createMissingClaims(set, name, ordinal);\n    let created', '    let created']],
  },
  {
    id: 'claims-go-with-pods',
    why: 'Scaling down deletes the data.',
    origin: 'common',
    law: 'Claims',
    edits: [
      [
        "      this.#wrote(set, 'pods', deleted as Pod);\n",
        "      this.#wrote(set, 'pods', deleted as Pod);\n      for (const { claim } of claimsOf(set, ordinalOf(pod))) await this.#client.delete(persistentVolumeClaims, keyOf(claim));\n",
      ],
    ],
  },
  {
    id: 'kills-at-once',
    why: 'Pods are deleted by force: a second pod of the same name starts while the first one still writes.',
    origin: 'k#54368',
    law: 'Gentle',
    edits: [
      [
        '{ preconditions: { uid } });\n      this.#wrote',
        '{ preconditions: { uid }, gracePeriodSeconds: 0 });\n      this.#wrote',
      ],
    ],
  },
  {
    id: 'deletes-by-name',
    why: 'A successor of the same name is deleted instead of the pod that the controller judged.',
    origin: 'k#64923',
    law: 'Gentle',
    edits: [
      [
        '{ preconditions: { uid } });\n      this.#wrote',
        '{ ...(uid ? {} : { preconditions: { uid } }) });\n      this.#wrote',
      ],
    ],
  },
  {
    id: 'takes-any-name',
    why: 'A pod with the labels of the set, but another name, is adopted and then deleted.',
    origin: 'common',
    law: 'Minds its own',
    edits: [['      accepts: (pod) => isMemberOf(set, pod),\n', '']],
  },
  {
    id: 'success-is-the-end',
    why: 'A pod that ended with success is never replaced.',
    origin: 'common',
    law: 'At rest',
    edits: [['  if (hasEnded(pod)) {', "  if (hasEnded(pod) && pod.status.phase === 'Failed') {"]],
  },
  {
    id: 'orphans-stay-orphans',
    why: 'The index has only owned pods, so an orphan keeps the name of a pod for ever.',
    origin: 'k#134652',
    law: 'At rest',
    edits: [['candidates: this.#caches.candidatePods(set),', 'candidates: this.#caches.ownPods(set),']],
  },
  {
    id: 'label-without-the-name',
    why: 'The label of new pods never equals the name of a revision, and the update replaces pods for ever.',
    origin: 'k#61998',
    law: 'Identity',
    edits: [
      [
        '[sets.REVISION_LABEL]: revision },',
        "[sets.REVISION_LABEL]: revision.slice(revision.indexOf('-') + 1) },",
      ],
    ],
  },
  {
    id: 'rollback-keeps-its-number',
    why: 'A restored template keeps its old number, so a new revision is created each time.',
    origin: 'common',
    law: 'At rest',
    edits: [['equal && (await renumbered(context, equal, number))', 'equal']],
  },
  {
    id: 'trusts-the-name',
    why: 'Another object has the name of the revision, and becomes the template of the pods.',
    origin: 'k#49909',
    law: 'At rest',
    edits: [['if (sets.isOwnRevision(existing, set)) return', 'return']],
  },
  {
    id: 'never-complete',
    why: 'The status never makes the update revision the current one, so the next canary starts from an old template.',
    origin: 'common',
    law: 'At rest',
    edits: [
      [
        '  return {\n    ...status,\n    currentReplicas: status.updatedReplicas',
        '  return isComplete ? status : {\n    ...status,\n    currentReplicas: status.updatedReplicas',
      ],
    ],
  },
  {
    id: 'available-without-a-timer',
    why: 'A pod becomes available by time alone, and no event reports it.',
    origin: 'common',
    law: 'At rest',
    edits: [['if (availableMs !== undefined) this.#queue', 'if (availableMs === 0) this.#queue']],
  },
  {
    id: 'repairs-what-is-whole',
    why: 'Each sync updates every pod.',
    origin: 'common',
    law: 'Quiet',
    edits: [['    if (identityMatches(set, pod)) return;\n', '']],
  },
];
