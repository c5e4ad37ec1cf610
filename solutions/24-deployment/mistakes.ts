/**
 * Deployment controllers that are wrong, each by a change or two of the reference: what was really shipped, and the wrong
 * turns that everybody takes who builds one. `k#` is an issue or pull request of kubernetes/kubernetes.
 */
import type { Mistake } from '#harness/testing';

export const mistakes: readonly Mistake[] = [
  // Level 1 · One template, one ReplicaSet
  {
    id: 'hash-follows-the-order-of-fields',
    why: 'The same template, with its fields written in another order, gets another hash and so another ReplicaSet.',
    origin: 'k#40415: an unstable hash gives one template two ReplicaSets',
    law: 'Level 1',
    edits: [['    .sort(([a], [b]) => (a < b ? -1 : 1))\n', '']],
  },
  {
    id: 'hash-forgets-collisions',
    why: 'After a collision the next try has the same name, and collides again.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'computeHash(template: PodTemplateSpec, collisionCount?: number): string {',
        'computeHash(template: PodTemplateSpec): string {\n  const collisionCount = undefined;',
      ],
    ],
  },
  {
    id: 'name-is-different-each-time',
    why: 'Who tries twice, because the cache does not show the first try yet, makes two.',
    origin: 'k#40415',
    law: 'Level 1',
    edits: [
      [
        'const hash = computeHash(spec.template, status.collisionCount);',
        'const hash = computeHash(spec.template, status.collisionCount) + metadata.resourceVersion;',
      ],
    ],
  },
  {
    id: 'compares-templates-with-the-hash',
    why: 'The template of a ReplicaSet has a label more than that of its Deployment, so none ever matches.',
    origin: 'common',
    law: 'Level 1',
    edits: [['  if (hash === undefined) return template;\n', '  if (hash !== others) return template;\n']],
  },
  {
    id: 'compares-templates-as-text',
    why: 'Whoever writes 1000m instead of 1 starts a roll-out of nothing new.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return semanticEqual(withoutHash(a), withoutHash(b));',
        'return canonical(withoutHash(a)) === canonical(withoutHash(b));',
      ],
    ],
  },
  {
    id: 'newest-match-is-new',
    why: 'Where two have the template, the one that was made last wins, and the one with the pods is drained.',
    origin: 'k#40415: of several matches upstream takes the oldest, always',
    law: 'Level 1',
    edits: [['all.toSorted(byAge).find((replicaSet) =>', 'all.toSorted(byAge).findLast((replicaSet) =>']],
  },
  {
    id: 'selector-without-the-hash',
    why: 'Every ReplicaSet of the Deployment selects the pods of all.',
    origin: 'common',
    law: 'Made to measure',
    edits: [
      [
        'matchLabels: { ...spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },',
        'matchLabels: { ...spec.selector.matchLabels },',
      ],
    ],
  },

  // Level 2 · Fenceposts
  {
    id: 'surge-rounds-down',
    why: 'A quarter of three replicas is no surge at all.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true)',
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, false)',
      ],
    ],
  },
  {
    id: 'unavailable-rounds-up',
    why: 'Of three replicas one may be missing when 25% may: that is a third.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false)',
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, true)',
      ],
    ],
  },
  {
    id: 'nothing-may-move',
    why: 'Where both fenceposts round to nothing, no pod can be added and none taken: the roll-out never begins.',
    origin: 'common',
    law: 'Level 2',
    edits: [['maxUnavailable: stuck ? 1 : unavailable', 'maxUnavailable: unavailable']],
  },
  {
    id: 'more-missing-than-there-are',
    why: 'maxUnavailable of 10 with 5 replicas asks for -5 available ones.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'return Math.min(fencepostsOf(spec).maxUnavailable, spec.replicas);',
        'return fencepostsOf(spec).maxUnavailable;',
      ],
    ],
  },

  // Level 3 · Scale up the new
  {
    id: 'surge-counts-the-new-only',
    why: 'The old pods are not counted, so that for a while there are twice as many as asked for.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      [
        '- getReplicaCountForReplicaSets(all);\n      const missing',
        '- newReplicaSet.spec.replicas;\n      const missing',
      ],
    ],
  },
  {
    id: 'surge-counts-what-is-there',
    why: 'Pods that were asked for and have not come yet are not counted, and asked for again.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      [
        'const room = spec.replicas + maxSurge(deployment) - getReplicaCountForReplicaSets(all);',
        'const room = spec.replicas + maxSurge(deployment) - getActualReplicaCountForReplicaSets(all);',
      ],
    ],
  },
  {
    id: 'new-fills-all-the-room',
    why: 'With room for more than asked for, the new ReplicaSet takes it, surge and all.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(room > 0 ? Math.min(room, missing) : 0)', 'Math.max(room, 0)']],
  },
  {
    id: 'surge-left-in-place',
    why: 'A new ReplicaSet that is too big never shrinks.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'const shrinks = newReplicaSet.spec.replicas > desired;',
        'const shrinks = newReplicaSet.spec.replicas > 2 * desired + 9;',
      ],
    ],
  },

  // Level 4 · Scale down the old
  {
    id: 'budget-from-spec',
    why: 'Pods that were asked for count as available, so that the old ones go before the new ones are ready.',
    origin: 'k#19299: the budget has to be computed from readiness',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return status ? spec.replicas : 0;',
      ],
    ],
  },
  {
    id: 'ready-is-available',
    why: 'minReadySeconds is over before it began.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return Math.min(status.readyReplicas ?? 0, spec.replicas);',
      ],
    ],
  },
  {
    id: 'believes-stale-reports',
    why: 'What a ReplicaSet reports it had counts as available, also those pods that it was told to remove.',
    origin: 'upstream: availability is what is reported, however old the report',
    law: 'Level 4',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return spec ? (status.availableReplicas ?? 0) : 0;',
      ],
    ],
  },
  {
    id: 'unhealthy-are-kept',
    why: 'Pods that are not ready are never taken first: a roll-out back from a broken image is blocked by its pods.',
    origin: 'k#67250, k#16737',
    law: 'Converges',
    edits: [['let left = Math.max(0, maxCleanupCount);', 'let left = Math.min(0, maxCleanupCount);']],
  },
  {
    id: 'new-unavailable-pods-are-spent',
    why: 'New pods that crash make room for old pods to go.',
    origin: 'upstream rolling.go describes it: unavailable pods of the new ReplicaSet must not free budget',
    law: 'Level 4',
    edits: [
      [' - minAvailable(deployment) - newUnavailable;', ' - minAvailable(deployment) - 0 * newUnavailable;'],
    ],
  },
  {
    id: 'every-old-one-spends-it-all',
    why: 'What may be missing is taken from each old ReplicaSet, not from all of them together.',
    origin: 'common',
    law: 'Level 4',
    edits: [['      left -= removed;\n', '']],
  },
  {
    id: 'youngest-go-first',
    why: 'The last good ReplicaSet is drained before the one that nobody wants any more.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));\n  return orders(\n    old.toSorted(byAge)',
        'Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));\n  return orders(\n    old.toSorted((a, b) => byAge(b, a))',
      ],
    ],
  },
  {
    id: 'drains-only-what-it-made',
    why: 'ReplicaSets that were adopted keep their pods for ever.',
    origin: 'k#42571: an old ReplicaSet that is not drained',
    law: 'Converges',
    edits: [
      [
        'const active = filterActiveReplicaSets(old);',
        'const active = filterActiveReplicaSets(old).filter((each) => getReplicasAnnotation(each, MAX_REPLICAS) !== undefined);',
      ],
    ],
  },

  // Level 5 · Scale in proportion
  {
    id: 'proportion-of-what-is-there',
    why: 'A share of the pods that there are is not a share of what was asked for with the surge.',
    origin: 'common: forgets the annotation max-replicas',
    law: 'Level 5',
    edits: [
      [
        'const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;',
        'const before = deployment.status.replicas || 0;',
      ],
    ],
  },
  {
    id: 'leftovers-are-lost',
    why: 'What rounding leaves over nobody gets.',
    origin: 'common',
    law: 'Level 5',
    edits: [['Math.max(0, first[1] + toAdd - added)', 'Math.max(0, first[1])']],
  },
  {
    id: 'scales-without-the-surge',
    why: 'In the midst of a roll-out the surge is taken away, so that the next step finds no room.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const allowedSize = desired > 0 ? desired + maxSurge(deployment) : 0;',
        'const allowedSize = desired;',
      ],
    ],
  },
  {
    id: 'smallest-get-the-rest',
    why: 'What rounding leaves over goes to the smallest.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['b.spec.replicas - a.spec.replicas || (toAdd > 0', 'a.spec.replicas - b.spec.replicas || (toAdd > 0'],
    ],
  },
  {
    id: 'annotations-stay-behind',
    why: 'One that has the right size already is not marked as sized: the change of size is never done with, and nothing is rolled out.',
    origin: 'k#50067: any prefix of the writes must be recoverable; upstream stumbles here',
    law: 'Level 5',
    edits: [
      [
        'grows(order) !== 0 ||\n          (active.includes(order.replicaSet) && replicasAnnotationsNeedUpdate(deployment, order.replicaSet))',
        'grows(order) !== 0',
      ],
    ],
  },
  {
    id: 'surge-is-a-scaling',
    why: 'Every roll-out is taken for a change of size, and the new ReplicaSet never gets its share.',
    origin: 'common: compares with the size instead of the annotation',
    law: 'Level 5',
    edits: [
      [
        'return desired !== undefined && desired !== deployment.spec.replicas;',
        'return desired !== undefined && replicaSet.spec.replicas !== deployment.spec.replicas;',
      ],
    ],
  },
  {
    id: 'recreate-waits-for-a-scaling',
    why: 'Two ReplicaSets under Recreate and another size: nothing is scaled, and the roll-out waits for that.',
    origin: 'upstream isScalingEvent',
    law: 'Level 5',
    edits: [['  if (!isRollingUpdate(deployment.spec) && active.length > 1) return false;\n', '']],
  },

  // Level 6 · Recreate
  {
    id: 'recreate-does-not-wait',
    why: 'Old and new run side by side, which is what Recreate is there to prevent.',
    origin: 'common',
    law: 'Never overlaps',
    edits: [['if (down.length > 0 || oldPodsRunning(before.old, oldPods)) {', 'if (down.length > 0) {']],
  },
  {
    id: 'recreate-believes-replica-sets',
    why: 'A ReplicaSet no longer counts a pod that is being deleted, but it runs until it is gone.',
    origin: 'k#27362: Recreate must wait for the old pods themselves',
    law: 'Never overlaps',
    edits: [
      [
        "  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        '  return oldPods.length < 0;',
      ],
    ],
  },
  {
    id: 'recreate-ignores-the-unknown',
    why: 'A node that does not answer may still run its pods.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        "status.phase === 'Pending' || status.phase === 'Running');",
      ],
    ],
  },
  {
    id: 'recreate-sleeps-on',
    why: 'Nobody says when the last pod is gone, and nobody looks.',
    origin: 'common: does not watch pods',
    law: 'Level 9',
    edits: [
      [
        'podInformer.addEventHandler({ onDelete: (gone) => this.#podDeleted(lastState(gone)) });',
        'podInformer.addEventHandler({ onDelete: (gone) => void lastState(gone) });',
      ],
    ],
  },
  {
    id: 'recreate-waits-for-the-dead',
    why: 'A pod that has failed is never deleted, and so the last one that is never comes.',
    origin: 'k#128798: a Recreate stalled until its deadline where an old pod had been evicted',
    law: 'Level 9',
    edits: [
      [
        "    if (owner?.kind !== 'ReplicaSet') return;\n",
        "    if (owner?.kind !== 'ReplicaSet' || this.#pods.byIndex('controller', owner.uid).length > 0) return;\n",
      ],
    ],
  },

  // Level 7 · Status and deadline
  {
    id: 'status-of-the-wrong-generation',
    why: 'A client that waits for its change to be seen waits for ever.',
    origin: 'common',
    law: 'Says what is',
    edits: [
      [
        'observedGeneration: deployment.metadata.generation ?? 0,',
        'observedGeneration: deployment.status.observedGeneration ?? 1,',
      ],
    ],
  },
  {
    id: 'complete-before-it-was-looked-at',
    why: 'A status of the last generation makes kubectl rollout status say that a roll-out is over that has not begun.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        '(newStatus.availableReplicas ?? 0) === spec.replicas &&\n    (newStatus.observedGeneration ?? 0) >= (metadata.generation ?? 0)',
        '(newStatus.availableReplicas ?? 0) === spec.replicas && metadata !== undefined',
      ],
    ],
  },
  {
    id: 'counts-what-it-asked-for',
    why: 'The status says that pods are there which were only asked for.',
    origin: 'common',
    law: 'Truthful',
    edits: [
      [
        'replicas: getActualReplicaCountForReplicaSets(all),\n      updatedReplicas',
        'replicas: getReplicaCountForReplicaSets(all),\n      updatedReplicas',
      ],
    ],
  },
  {
    id: 'deadline-never-fires',
    why: 'Nothing happens to a roll-out that is stuck, so nobody looks whether it is.',
    origin: 'k#106697, k#40207',
    law: 'Says what is',
    edits: [['if (afterMs === undefined) return;', 'if (afterMs !== 0) return;']],
  },
  {
    id: 'deadline-by-resync',
    why: 'It looks every ten minutes, whenever the deadline is.',
    origin: 'k#34458: before it was queued for its deadline, a Deployment waited for the next resync',
    law: 'Keeps the deadline',
    edits: [['afterMs + DEADLINE_SKEW_MS);', 'Math.max(afterMs, 600_000) + DEADLINE_SKEW_MS);']],
  },
  {
    id: 'deadline-in-milliseconds',
    why: 'Seconds are taken for something shorter, and roll-outs are given up that are well under way.',
    origin: 'common',
    law: 'Keeps the deadline',
    edits: [['spec.progressDeadlineSeconds * 1_000', 'spec.progressDeadlineSeconds * 100']],
  },
  {
    id: 'progress-does-not-count',
    why: 'A roll-out that goes on for longer than the deadline is given up, though each step came in time.',
    origin: 'common: sets a condition that has not changed, which changes nothing',
    law: 'Level 7',
    edits: [
      [
        "    return [\n      ...removeDeploymentCondition(conditions, 'Progressing'),\n      { ...condition, ...(since === undefined ? {} : { lastTransitionTime: since }) },\n    ];\n  }\n  if (deploymentTimedOut",
        '    return setDeploymentCondition(conditions, since ? condition : { ...condition });\n  }\n  if (deploymentTimedOut',
      ],
    ],
  },
  {
    id: 'fewer-old-is-no-progress',
    why: 'Old pods that go are not taken for progress, so a slow drain runs into the deadline.',
    origin: 'common',
    law: 'Level 7',
    edits: [['    oldPods(newStatus) < oldPods(status) ||\n', '']],
  },
  {
    id: 'infinite-deadline-is-a-deadline',
    why: 'MaxInt32 stands for no deadline.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;',
        'return spec.progressDeadlineSeconds !== undefined;',
      ],
    ],
  },
  {
    id: 'speaks-of-the-last-roll-out',
    why: 'Who died before saying that a roll-out began leaves a status in which the last one is complete: no deadline holds for that.',
    origin: 'upstream getNewReplicaSet; k#106697',
    law: 'Level 9',
    edits: [["!progress || (isNews && progress.reason === 'NewReplicaSetAvailable')", '!progress && isNews']],
  },

  // Level 8 · History and rollback
  {
    id: 'revision-as-text',
    why: 'After revision 9, none is higher than 9.',
    origin: 'k#49355: revisions were compared as texts',
    law: 'Level 8',
    edits: [
      [
        'if (Number(old) >= newRevision) return annotations;',
        'if (old >= String(newRevision)) return annotations;',
      ],
    ],
  },
  {
    id: 'revision-is-a-count',
    why: 'When history was trimmed, the next revision has been there before.',
    origin: 'common',
    law: 'Moves the revision',
    edits: [['const newRevision = maxRevision(old) + 1;', 'const newRevision = old.length + 1;']],
  },
  {
    id: 'revision-stays-on-rollback',
    why: 'A ReplicaSet that is gone back to keeps its old revision, so that the next undo goes to itself.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      ['if (Number(old) >= newRevision) return annotations;', 'if (Number(old) > 0) return annotations;'],
    ],
  },
  {
    id: 'revision-counts-itself',
    why: 'The new ReplicaSet is among those that it has to surpass, and so surpasses itself for ever.',
    origin: 'common',
    law: 'Comes to rest',
    edits: [['      maxRevision(old) + 1,\n', '      maxRevision(allOf(rollout)) + 1,\n']],
  },
  {
    id: 'history-newest-first',
    why: 'What is deleted is what one would want to go back to.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '    .toSorted(byRevision)\n    .slice(0,',
        '    .toSorted((a, b) => byRevision(b, a))\n    .slice(0,',
      ],
    ],
  },
  {
    id: 'history-with-pods',
    why: 'A ReplicaSet that has pods still is deleted, and they with it.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      ['        spec.replicas === 0 &&\n        status.replicas === 0 &&\n', '        spec !== status &&\n'],
    ],
  },
  {
    id: 'history-never-trimmed',
    why: 'Old ReplicaSets pile up.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      [
        'if (changes.length === 0) await this.#cleanupIfComplete(rollout);',
        'if (changes.length < 0) await this.#cleanupIfComplete(rollout);',
      ],
    ],
  },
  {
    id: 'history-in-the-place-of-another',
    why: 'For one that cannot go the next one has to, though it is not too old.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '.slice(0, Math.max(0, alive.length - limit))\n    .filter(\n      ({ metadata, spec, status }) =>\n        spec.replicas === 0 &&\n        status.replicas === 0 &&\n        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),\n    );',
        '.filter(({ spec, status }) => spec.replicas === 0 && status.replicas === 0)\n    .slice(0, Math.max(0, alive.length - limit));',
      ],
    ],
  },
  {
    id: 'rollback-keeps-the-hash',
    why: 'The template gets the label of an old ReplicaSet, and is another one for ever.',
    origin: 'kubectl removes it on purpose',
    law: 'Level 8',
    edits: [['value: withoutHash(target.spec.template as PodTemplateSpec)', 'value: target.spec.template']],
  },

  // Level 9 · The controller
  {
    id: 'paused-stands-still',
    why: 'What is paused is not scaled either.',
    origin: 'k#20853: a paused Deployment could not be scaled',
    law: 'Scales while paused',
    edits: [
      [
        'if (deployment.spec.paused || isScalingEvent(deployment, allOf(rollout))) return this.#sync(rollout);',
        'if (deployment.spec.paused) return this.#syncStatus(rollout, calculateStatus);\n    if (isScalingEvent(deployment, allOf(rollout))) return this.#sync(rollout);',
      ],
    ],
  },
  {
    id: 'paused-goes-on',
    why: 'Pausing stops nothing.',
    origin: 'common',
    law: 'Made to measure',
    edits: [['if (deployment.spec.paused || isScalingEvent(', 'if (isScalingEvent(']],
  },
  {
    id: 'collision-is-not-counted',
    why: 'The name is taken and stays taken: every try has the same one.',
    origin: 'k#40415: collisionCount is there for that',
    law: 'Level 9',
    edits: [
      [
        'collisionCount: (status.collisionCount ?? 0) + 1 });',
        'collisionCount: status.collisionCount ?? 0 });',
      ],
    ],
  },
  {
    id: 'takes-what-is-there',
    why: 'A ReplicaSet that has the right name is taken for one’s own, whosever it is.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'if (isOurs && equalIgnoreHash(existing.spec.template',
        'if (isOurs !== undefined && equalIgnoreHash(existing.spec.template',
      ],
    ],
  },
  {
    id: 'takes-whatever-it-selects',
    why: 'ReplicaSets of another controller are scaled, because their labels match.',
    origin: 'k#24152: before controllerRef, Deployments with overlapping selectors fought over ReplicaSets',
    law: 'Minds its own',
    edits: [['if (owner?.uid === uid && matches) {', 'if (owner && matches) {']],
  },
  {
    id: 'adopts-without-asking',
    why: 'The cache does not know yet that the Deployment is going away, and an orphan goes with it.',
    origin: 'k#42639',
    law: 'Level 9',
    edits: [['        await mayAdopt;\n', '        mayAdopt.catch(() => {});\n']],
  },
  {
    id: 'acts-while-it-goes',
    why: 'A Deployment that is being deleted makes ReplicaSets that the garbage collector has just deleted.',
    origin: 'k#27438',
    law: 'Level 9',
    edits: [
      [
        'if (cached.metadata.deletionTimestamp !== undefined) {',
        'if (cached.metadata.deletionTimestamp === undefined && owned.length < 0) {',
      ],
    ],
  },
  {
    id: 'last-writer-wins',
    why: 'What was decided on an old view overwrites what somebody else has written since.',
    origin: 'common: updates without a resourceVersion',
    law: 'Level 9',
    edits: [
      [
        '          ...metadata,\n          annotations: { ...metadata.annotations, ...replicasAnnotations(deployment) },',
        '          name: metadata.name,\n          namespace: namespaceOf(replicaSet),\n          labels: metadata.labels ?? {},\n          ownerReferences: metadata.ownerReferences ?? [],\n          annotations: { ...metadata.annotations, ...replicasAnnotations(deployment) },',
      ],
    ],
  },
  {
    id: 'errors-are-swallowed',
    why: 'What failed once is not tried again until something else happens.',
    origin: 'k#67662',
    law: 'Level 9',
    edits: [
      [
        'sync: (key) => this.syncDeployment(key),',
        'sync: (key) => this.syncDeployment(key).catch((error) => log(String(error))),',
      ],
    ],
  },
  {
    id: 'replica-sets-wake-nobody',
    why: 'Nobody is told that a ReplicaSet has changed, so that a roll-out stands still between two steps.',
    origin: 'common',
    law: 'Level 9',
    edits: [['    if (owner) this.#enqueueOwner(replicaSet, owner);\n', '']],
  },
  {
    id: 'cleans-up-blindly',
    why: 'A ReplicaSet of the history that somebody has just scaled up is deleted, with its pods.',
    origin: 'common: deletes without preconditions',
    law: 'Level 9',
    edits: [
      [
        '{ preconditions: { uid, resourceVersion } }',
        '{ preconditions: { uid }, ...(resourceVersion ? {} : {}) }',
      ],
    ],
  },
  {
    id: 'adopts-for-a-namesake',
    why: 'The Deployment was deleted and created again; the orphan gets an owner that does not exist, and is collected.',
    origin: 'common: the uid not compared',
    law: 'Level 9',
    edits: [['if (fresh.metadata.uid !== deployment.metadata.uid) {', "if (fresh.metadata.uid === '') {"]],
  },
  {
    id: 'adopts-the-dying',
    why: 'A ReplicaSet that is being deleted is taken for the new one, and goes in the midst of the roll-out.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'matches && replicaSet.metadata.deletionTimestamp === undefined) {',
        "matches && replicaSet.metadata.uid !== '') {",
      ],
    ],
  },
  {
    id: 'tombstones-are-objects',
    why: 'What was deleted while the watch was down comes as a DeletedFinalStateUnknown, in which nobody finds an owner.',
    origin: 'longhorn#1900',
    law: 'Level 9',
    edits: [
      [
        'onDelete: (gone) => this.#replicaSetChanged(lastState(gone), { deleted: true }),',
        'onDelete: (gone) => this.#replicaSetChanged(gone as ReplicaSet, { deleted: true }),',
      ],
    ],
  },
  {
    id: 'former-owner-is-not-woken',
    why: 'Whose ReplicaSet was taken hears nothing of it, and stays without one until something else happens.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '    if (owner && owner.uid !== controllerOf(current)?.uid) this.#enqueueOwner(previous, owner);\n',
        '    void owner;\n',
      ],
    ],
  },
];
