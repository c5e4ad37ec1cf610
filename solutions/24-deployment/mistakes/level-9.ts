import type { Mistake } from '#harness/testing';

/** Mistakes of Level 9 · The controller. */
export const level9: readonly Mistake[] = [
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
        "          name: metadata.name,\n          namespace: metadata.namespace ?? '',\n          labels: metadata.labels ?? {},\n          ownerReferences: metadata.ownerReferences ?? [],\n          annotations: { ...metadata.annotations, ...replicasAnnotations(deployment) },",
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
