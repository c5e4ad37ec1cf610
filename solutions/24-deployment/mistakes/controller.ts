/** Levels 7 to 9: the controller. */
import type { Mistake } from '#harness/testing';

export const controller: readonly Mistake[] = [
  // Level 7 · The new ReplicaSet is created
  {
    id: 'collision-is-not-counted',
    why: 'The name is taken and stays taken: every try has the same one.',
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
    why: 'A ReplicaSet that has the right name is taken for its own, whatever controls it.',
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
    id: 'every-name-that-is-taken-collides',
    why: 'A second try, because the first was not answered or is not in the cache, makes a second ReplicaSet of one template.',
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
    id: 'revision-is-a-count',
    why: 'When history was trimmed, the next revision has been there before.',
    origin: 'common',
    law: 'Moves the revision',
    edits: [['const newRevision = maxRevision(old) + 1;', 'const newRevision = old.length + 1;']],
  },

  // Level 8 · The new ReplicaSet is kept up to date
  {
    id: 'revision-as-text',
    why: 'After revision 9, none is higher than 9.',
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
    why: 'A ReplicaSet that is rolled back to keeps its old revision, so that the next undo goes to itself.',
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
    why: 'The new ReplicaSet is among those that it has to surpass, and so surpasses itself for ever.',
    origin: 'common',
    law: 'Comes to rest',
    edits: [
      [
        'newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1);',
        'newReplicaSetAnnotations(deployment, before, maxRevision([...old, newReplicaSet]) + 1);',
      ],
    ],
  },
  {
    id: 'annotations-only-at-birth',
    why: 'The change cause of the second roll-out to a template is that of the first.',
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
    why: 'A change of minReadySeconds waits for the next template.',
    origin: 'common',
    law: 'Level 8',
    edits: [[' || minReadySeconds !== (spec.minReadySeconds ?? 0)) {', ') {']],
  },
  {
    id: 'speaks-of-the-last-roll-out',
    why: 'A controller that died before it said that a roll-out began leaves a status in which the last one is complete: no deadline holds for that.',
    origin: 'upstream getNewReplicaSet; k#106697',
    law: 'Level 8',
    edits: [["!progress || (isNews && progress.reason === 'NewReplicaSetAvailable')", '!progress && isNews']],
  },

  // Level 9 · The sync
  {
    id: 'paused-stands-still',
    why: 'What is paused is not scaled either.',
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
    why: 'Pausing stops nothing.',
    origin: 'common',
    law: 'Made as asked',
    edits: [['if (paused || optionalParts.isScalingEvent(', 'if (optionalParts.isScalingEvent(']],
  },
  {
    id: 'the-paused-run-out-of-time',
    why: 'The time for which a roll-out is paused counts against its deadline.',
    origin: 'k#42651',
    law: 'Level 9',
    edits: [['const marked = await control.markPaused(cached);', 'const marked = cached;']],
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
    id: 'goes-without-a-word',
    why: 'A Deployment that is deleted in the foreground says nothing of the pods that it still has.',
    origin: 'common',
    law: 'Level 9',
    edits: [['    await control.updateStatus(cached, calculateStatus(found, context.clock.now()));\n', '']],
  },
  {
    id: 'last-writer-wins',
    why: 'What was decided on an old view overwrites what others have written since.',
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
    why: 'What failed once is not tried again until something else happens.',
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
    why: 'A status that the server refused is not written again: rollout status hangs although all pods are there.',
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
    why: 'A ReplicaSet of the history that was scaled up a moment ago is deleted, with its pods.',
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
