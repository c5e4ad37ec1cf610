/** Levels 7 to 9: the controller. */
import type { Mistake } from '#harness/testing';

export const controller: readonly Mistake[] = [
  // Level 7 · The new ReplicaSet is created
  {
    id: 'collision-is-not-counted',
    why: 'The name is taken, but every retry uses the same name.',
    misconception: 'You seem to believe that a name that was taken is free at the next try.',
    origin: 'k#40415: collisionCount is there for that',
    law: 'Level 7',
    edits: [
      [
        'const collisionCount = (status.collisionCount ?? 0) + 1;',
        'const collisionCount = status.collisionCount ?? 0;',
      ],
    ],
  },
  {
    id: 'takes-what-is-there',
    why: 'A ReplicaSet with the right name counts as its own, even if it has another controller.',
    misconception: 'You seem to believe that a ReplicaSet with your name is yours.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'if (isOurs && equalIgnoreHash(replicaSet.spec.template',
        'if (isOurs !== undefined && equalIgnoreHash(replicaSet.spec.template',
      ],
    ],
  },
  {
    id: 'its-own-is-the-new-one',
    why: 'The name is taken by a ReplicaSet of the Deployment with another template; it counts as the new one.',
    misconception:
      'You seem to believe that a ReplicaSet of yours with the right name has the right template.',
    origin: 'common',
    law: 'Converges',
    edits: [
      [
        'if (isOurs && equalIgnoreHash(replicaSet.spec.template, spec.template)) {',
        'if (isOurs || equalIgnoreHash(replicaSet.spec.template, {})) {',
      ],
    ],
  },
  {
    id: 'every-name-that-is-taken-collides',
    why: 'A retry, after a lost response or with a stale cache, creates a second ReplicaSet of the same template.',
    misconception: 'You seem to believe that a name can only be taken by somebody else.',
    origin: 'k#43473: collisions counted on a stale cache',
    law: 'Level 7',
    edits: [
      [
        'if (isOurs && equalIgnoreHash(replicaSet.spec.template, spec.template)) {',
        'if (isOurs && !equalIgnoreHash(spec.template, spec.template)) {',
      ],
    ],
  },
  {
    id: 'created-twice',
    why: 'A retry with a stale cache finds its own ReplicaSet, and reports it as just created: the deadline of the roll-out starts again.',
    origin: 'common; upstream writes only the revision',
    law: 'Level 7',
    hidden:
      'Only a cache that lacks the ReplicaSet leads to this, and soon shows it: the deadline starts that much later.',
    edits: [
      [
        '    return { ...rollout, newReplicaSet: replicaSet };\n  }\n  const collisionCount',
        "    const message = ['Created new replica set', replicaSet.metadata.name].join(' ');\n    const begun = withProgressing(syncContext, deployment, { reason: 'NewReplicaSetCreated', message });\n    const updated = await syncContext.control.updateStatus(deployment, begun, String(newRevision));\n    return { ...rollout, deployment: updated, newReplicaSet: replicaSet };\n  }\n  const collisionCount",
      ],
    ],
  },
  {
    id: 'revision-is-a-count',
    why: 'After history was trimmed, the next revision number is one that was already used.',
    misconception: 'You seem to believe that no revision is ever deleted.',
    origin: 'common',
    law: 'Moves the revision',
    edits: [['const newRevision = maxRevision(old) + 1;', 'const newRevision = old.length + 1;']],
  },

  // Level 8 · The new ReplicaSet is kept up to date
  {
    id: 'revision-as-text',
    why: 'Revisions are compared as text: after revision 9, none is higher than 9.',
    misconception: 'You seem to believe that texts sort like numbers.',
    origin: 'k#49355: revisions were compared as texts',
    law: 'Level 8',
    edits: [
      [
        'newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1);',
        `newReplicaSetAnnotations(
    deployment,
    before,
    Number(old.map((each) => each.metadata.annotations?.[REVISION] ?? '0').sort().at(-1) ?? 0) + 1,
  );`,
      ],
    ],
  },
  {
    id: 'revision-stays-on-rollback',
    why: 'A rollback leaves the old revision of its ReplicaSet unchanged, so that the next undo targets the same ReplicaSet.',
    misconception: 'You seem to believe that a rollback goes back in time.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1);',
        'newReplicaSetAnnotations(deployment, before, before[REVISION] ? 0 : maxRevision(old) + 1);',
      ],
    ],
  },
  {
    id: 'revision-counts-itself',
    why: 'The new ReplicaSet counts among those whose revision it must exceed, and so its revision increases forever.',
    misconception: 'You seem to believe that the new ReplicaSet is one of its own predecessors.',
    origin: 'common',
    law: 'Stops writing',
    edits: [
      [
        'newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1);',
        'newReplicaSetAnnotations(deployment, before, maxRevision([...old, newReplicaSet]) + 1);',
      ],
    ],
  },
  {
    id: 'annotations-only-at-birth',
    why: 'The change cause of the second rollout to a template is still that of the first.',
    misconception: 'You seem to believe that a ReplicaSet is used for only one rollout.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        'if (!deepEqual(annotations, before) ||',
        'if (annotations[REVISION] !== before[REVISION] || deepEqual(annotations, undefined) ||',
      ],
    ],
  },
  {
    id: 'min-ready-seconds-only-at-birth',
    why: 'A change of minReadySeconds takes effect only with the next template.',
    misconception: 'You seem to believe that only the template of a Deployment changes.',
    origin: 'common',
    law: 'Level 8',
    edits: [[' || minReadySeconds !== (spec.minReadySeconds ?? 0)) {', ') {']],
  },
  {
    id: 'speaks-of-the-last-roll-out',
    why: 'A controller crashes before it reports the start of a rollout. The status still says that the last one is complete, so no deadline applies.',
    misconception: 'You seem to believe that a complete rollout stays complete.',
    origin: 'upstream getNewReplicaSet; k#106697',
    law: 'Level 8',
    edits: [["!progress || (isNews && progress.reason === 'NewReplicaSetAvailable')", '!progress && isNews']],
  },

  // Level 9 · The sync
  {
    id: 'paused-stands-still',
    why: 'A paused Deployment is not scaled.',
    misconception: 'You seem to believe that a paused Deployment does nothing at all.',
    origin: 'k#20853: a paused Deployment could not be scaled',
    law: 'Scales while paused',
    edits: [
      [
        'const orders = optionalParts.scale(deployment, newReplicaSet, old);',
        'const orders = paused ? [] : optionalParts.scale(deployment, newReplicaSet, old);',
      ],
    ],
  },
  {
    id: 'paused-goes-on',
    why: 'A paused Deployment continues its rollout.',
    misconception: 'You seem to believe that a pause concerns only the next rollout.',
    origin: 'common',
    law: 'Made as asked',
    edits: [['if (paused || optionalParts.isScalingEvent(', 'if (optionalParts.isScalingEvent(']],
  },
  {
    id: 'the-paused-run-out-of-time',
    why: 'The time while a rollout is paused counts against its deadline.',
    misconception: 'You seem to believe that a clock runs while a rollout stands still.',
    origin: 'k#42651',
    law: 'Level 9',
    edits: [['const marked = await control.markPaused(cached);', 'const marked = cached;']],
  },
  {
    id: 'acts-while-it-goes',
    why: 'A Deployment that is being deleted creates ReplicaSets again that the garbage collector has just deleted.',
    misconception: 'You seem to believe that a Deployment needs its ReplicaSets until it has disappeared.',
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
    id: 'goes-without-a-word',
    why: 'A Deployment that is deleted in the foreground does not update its status while it still has pods.',
    misconception:
      'You seem to believe that no reader cares about the status of a Deployment that is being deleted.',
    origin: 'common',
    law: 'Level 9',
    edits: [['    await control.updateStatus(cached, calculateStatus(found, context.clock.now()));\n', '']],
  },
  {
    id: 'last-writer-wins',
    why: 'A write based on an old view overwrites later changes by others.',
    misconception: 'You seem to believe that nothing has changed since you read.',
    origin: 'common: updates without a resourceVersion',
    law: 'Level 9',
    edits: [
      [
        'await syncContext.control.scale(deployment, changes, fencepostsOf(deployment).maxSurge);',
        `await syncContext.control.scale(deployment, changes.map(blindly), fencepostsOf(deployment).maxSurge);`,
      ],
      [
        'await control.scale(deployment, orders, fencepostsOf(deployment).maxSurge);',
        'await control.scale(deployment, orders.map(blindly), fencepostsOf(deployment).maxSurge);',
      ],
      [
        'export async function rolloutRolling(',
        `function blindly({ replicaSet, replicas }: ReturnType<typeof scale>[number]) {
  const { resourceVersion, uid, ...metadata } = replicaSet.metadata;
  return { replicaSet: { ...replicaSet, metadata: metadata as never }, replicas };
}

export async function rolloutRolling(`,
      ],
    ],
  },
  {
    id: 'errors-are-swallowed',
    why: 'A failed sync is not retried until the next event.',
    misconception: 'You seem to believe that an event follows every failure.',
    origin: 'k#67662',
    law: 'Level 9',
    edits: [
      [
        'assembleDeploymentController({ syncDeployment });',
        'assembleDeploymentController({\n  syncDeployment: (syncContext, key) => syncDeployment(syncContext, key).catch((error) => syncContext.context.log(String(error))),\n});',
      ],
    ],
  },
  {
    id: 'refused-status-swallowed',
    why: 'A refused status update is not retried: `rollout status` hangs although all pods are available.',
    misconception: 'You seem to believe that a rejected status does no harm.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '(await control.updateStatus(deployment, status)) !== deployment',
        '(await control.updateStatus(deployment, status).catch(() => undefined)) !== deployment',
      ],
    ],
  },
  {
    id: 'cleans-up-blindly',
    why: 'A ReplicaSet of the history that was scaled up a moment ago is deleted, together with its pods.',
    misconception: 'You seem to believe that a ReplicaSet without pods stays without pods.',
    origin: 'common: deletes without preconditions',
    law: 'Level 12',
    edits: [
      [
        '    await control.delete(optionalParts.findCleanableReplicaSets(deployment, old));\n  }\n  const nowMs',
        `    const cleanable = optionalParts.findCleanableReplicaSets(deployment, old);
    await control.delete(
      cleanable.map((each) => {
        const { resourceVersion, ...metadata } = each.metadata;
        return { ...each, metadata: metadata as never };
      }),
    );
  }
  const nowMs`,
      ],
    ],
  },
];
