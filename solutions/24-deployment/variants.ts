/** Correct Deployment controllers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'reads everything from the server and performs the first step that is due; it uses none of the given parts',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'the surge can be exceeded by one pod',
        law: 'Within budget',
        edits: [['replicas + this.surge - get', 'replicas + this.surge + 1 - get']],
      },
      {
        why: 'after a collision it tries the same name again',
        law: 'Converges',
        edits: [['(status.collisionCount ?? 0) + 1', '(status.collisionCount ?? 0) + 0']],
      },
      {
        why: 'it does not check again at the deadline',
        law: 'Keeps the deadline',
        edits: [
          ['    this.queue.addAfter(keyToString(keyOf(this.deployment)), afterMs);\n', '    void afterMs;\n'],
        ],
      },
      {
        why: 'under Recreate it does not wait for old pods',
        law: 'Never overlaps',
        edits: [
          ['if (down || (await this.stillRuns())) return down;', 'if (down || !this.stillRuns) return down;'],
        ],
      },
    ],
  },
  {
    id: 'without-optional-parts',
    why: 'leaves out the optional functions, marked ★',
    core: true,
    edits: [
      [
        '  filterActiveReplicaSets,\n  type OptionalParts,',
        '  filterActiveReplicaSets,\n  noOptionalParts,\n  type OptionalParts,',
      ],
      [
        'export const optionalParts: OptionalParts = {',
        'export const optionalParts: OptionalParts = noOptionalParts ?? {',
      ],
    ],
  },
  {
    id: 'in-other-words',
    why: 'another hash, no zeros in the status, orders in reverse',
    edits: [
      [
        "return [...String(fnv32a(text))].map((digit) => ALPHABET[Number(digit)]).join('');",
        'return fnv32a(ALPHABET + text).toString(36);',
      ],
      ["    status: enough ? 'True' : 'False',", "    status: ['False', 'True'][Number(enough)] ?? '',"],
      [
        'readyReplicas: getReadyReplicaCountForReplicaSets(all),',
        '...(getReadyReplicaCountForReplicaSets(all) > 0 && {\n      readyReplicas: getReadyReplicaCountForReplicaSets(all),\n    }),',
      ],
      [
        'return scaleOrders(old.map((replicaSet, i) => [replicaSet, drained[i]?.spec.replicas ?? 0] as const));',
        'return scaleOrders(\n    old.map((replicaSet, i) => [replicaSet, drained[i]?.spec.replicas ?? 0] as const),\n  ).toReversed();',
      ],
    ],
  },
  {
    id: 'slow-and-careful',
    why: 'writes one order in each sync and decides the rest again; reads from the server, not from a cache, whether old pods are gone',
    edits: [
      [
        'await syncContext.control.scale(deployment, changes,',
        'await syncContext.control.scale(deployment, changes.slice(0, 1),',
      ],
      [
        'oldPodsRunning(old, caches.podsOf(old))',
        `oldPodsRunning(
      old,
      (
        await syncContext.context.client.list(
          (await import('#harness')).pods,
          { namespace: before.deployment.metadata.namespace ?? '' },
        )
      ).items.filter(({ metadata: { ownerReferences = [] } }) =>
        ownerReferences.some(({ uid }) => old.some(({ metadata }) => metadata.uid === uid)),
      ),
    )`,
      ],
    ],
  },
  {
    id: 'looks-again-and-again',
    why: 'syncs every Deployment again every three seconds, even without an event',
    edits: [
      [
        '  await finish(syncContext, rolled);\n',
        '  await finish(syncContext, rolled);\n  syncContext.queue.addAfter(key, 3_000);\n',
      ],
    ],
  },
  {
    id: 'one-step-at-a-time',
    why: 'has neither a queue nor a cache: after any event it lists everything, writes one change as a patch, and starts over',
    file: 'variants/one-step-at-a-time.ts',
  },
];
