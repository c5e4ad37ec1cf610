import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'trusts-its-first-cache',
    why: 'A restarted controller reads pods from a cache that lacks the latest ones, and a node gets a second pod.',
    origin: 'k#54096',
    law: 'Single',
    edits: [['    if (!this.#confirmed.has(uid)) await this.#confirm(set);\n', '']],
  },
  {
    id: 'forgets-its-writes',
    why: 'The next sync reads a cache without the pods that the last one created, and creates them again.',
    origin: 'k#14550',
    law: 'Single',
    edits: [['    this.#written.ensureReady(uid);\n', '']],
  },
  {
    id: 'sees-bound-pods-only',
    why: 'A pod that the scheduler has not bound yet does not count, so the controller creates thousands.',
    origin: 'k#14528',
    law: 'Single',
    edits: [['  if (spec.nodeName) return spec.nodeName;\n', '  return spec.nodeName || undefined;\n']],
  },
  {
    id: 'replaces-a-pod-that-stops',
    why: 'The new pod starts while the old one still uses the ports and files of the node.',
    origin: 'common',
    law: 'Single',
    edits: [
      ['if (shouldRun && there.length === 0)', 'if (shouldRun && there.every((pod) => isTerminating(pod)))'],
    ],
  },
  {
    id: 'no-backoff',
    why: 'A kubelet rejects each new pod at once, and the controller and the kubelet fight in a hot loop.',
    origin: 'k#65240',
    law: 'Backs off',
    edits: [['if (delayMs > 0) {', 'if (delayMs < 0) {']],
  },
  {
    id: 'waits-without-a-timer',
    why: 'A failed pod that has to wait is never looked at again.',
    origin: 'common',
    law: 'At rest',
    edits: [['      this.#queue.addAfter(keyToString(keyOf(set)), delayMs);\n', '']],
  },
  {
    id: 'empty-nodes-are-free',
    why: 'A node without a pod does not count as unavailable, so the update goes on while new pods start.',
    origin: 'common',
    law: 'Budget',
    edits: [
      [
        'if (excess || !newPod === !oldPod) unavailable++;',
        'if (excess || (newPod && oldPod)) unavailable++;',
      ],
    ],
  },
  {
    id: 'new-pods-are-fine',
    why: 'A new pod that is not available does not count, so a broken image reaches every node.',
    origin: 'k#123232',
    law: 'Budget',
    edits: [['unavailable += isAvailable(scene, newPod) ? 0 : 1;', 'unavailable += 0;']],
  },
  {
    id: 'any-taint-evicts',
    why: 'A NoSchedule taint removes running pods.',
    origin: 'common',
    law: 'Patient',
    edits: [
      [
        "const shouldContinueRunning = !has('NoExecute');",
        "const shouldContinueRunning = !has('NoExecute') && !has('NoSchedule');",
      ],
    ],
  },
  {
    id: 'on-delete-replaces',
    why: 'The strategy OnDelete replaces pods, too.',
    origin: 'common',
    law: 'Patient',
    edits: [["if (!placed && set.spec.updateStrategy?.type === 'RollingUpdate') {", 'if (!placed) {']],
  },
  {
    id: 'no-execute-is-ignored',
    why: 'Pods stay on a node whose taint they do not tolerate.',
    origin: 'common',
    law: 'At rest',
    edits: [["const shouldContinueRunning = !has('NoExecute');", 'const shouldContinueRunning = true;']],
  },
  {
    id: 'status-forgets-taints',
    why: 'Only a new or a lost place for a pod wakes the controller, so the number of misscheduled pods stays wrong.',
    origin: 'k#132459',
    law: 'At rest',
    edits: [
      [
        'before.shouldRun !== now.shouldRun || before.shouldContinueRunning !== now.shouldContinueRunning',
        'before.shouldContinueRunning !== now.shouldContinueRunning',
      ],
    ],
  },
  {
    id: 'nodes-never-leave',
    why: 'Nothing happens when a node is deleted: its pod waits for ever, and the status counts the node.',
    origin: 'k#22545',
    law: 'At rest',
    edits: [['      onDelete: () => this.#caches.sets().forEach(enqueue),\n', '']],
  },
  {
    id: 'pods-without-a-node',
    why: 'A pod for a deleted node was never bound, so no other controller deletes it.',
    origin: 'k#73401',
    law: 'At rest',
    edits: [['!pod.spec.nodeName && !isTerminating(pod)', '!pod']],
  },
  {
    id: 'cordoned-nodes-lose-daemons',
    why: 'Pods do not tolerate an unschedulable node: a drained node has no network and no logs.',
    origin: 'common',
    law: 'Shape',
    edits: [["  ['unschedulable', 'NoSchedule'],\n", '']],
  },
  {
    id: 'orphans-stay-orphans',
    why: 'The index has only owned pods, so matching orphans are never adopted, and run beside new pods.',
    origin: 'k#134652',
    law: 'At rest',
    edits: [['candidates: this.#caches.candidatePods(set),', 'candidates: this.#caches.ownPods(set),']],
  },
  {
    id: 'rollback-keeps-its-number',
    why: 'A restored template keeps its old number, and kubectl rollout undo restores the wrong one.',
    origin: 'common',
    law: 'At rest',
    edits: [['if (found.revision >= number) return', 'if (found.revision > 0) return']],
  },
  {
    id: 'numbers-again-and-again',
    why: 'Each sync writes the number of the current revision again.',
    origin: 'common',
    law: 'Quiet',
    edits: [['if (found.revision >= number) return', 'if (found.revision > number) return']],
  },
  {
    id: 'same-name-again',
    why: 'The name of the revision belongs to another object, and each retry tries the same name.',
    origin: 'common',
    law: 'At rest',
    edits: [['collisionCount: (collisionCount ?? 0) + 1 };', 'collisionCount };']],
  },
  {
    id: 'endless-history',
    why: 'Old revisions are never deleted.',
    origin: 'common',
    law: 'At rest',
    edits: [['    if (surplus <= 0) return;\n', '    if (surplus > 0) return;\n']],
  },
  {
    id: 'available-without-a-timer',
    why: 'A pod becomes available by time alone, and no event reports it.',
    origin: 'common',
    law: 'At rest',
    edits: [['if (availableMs !== undefined) this.#queue', 'if (availableMs === 0) this.#queue']],
  },
  {
    id: 'kills-at-once',
    why: 'Pods are deleted with grace period 0: the node still runs them, and a second pod starts beside.',
    origin: 'common',
    law: 'Gentle',
    edits: [
      [
        'const deleted = await this.#control.delete(set, pod);',
        'const deleted = (await this.#context.client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 })) as Pod;',
      ],
    ],
  },
];
