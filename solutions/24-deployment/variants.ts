/** Deployment controllers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'asks the server for everything and does the first thing that is left to do; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
    mutants: [
      {
        why: 'there may be a pod more than the surge allows',
        law: 'Within budget',
        edits: [['replicas + this.surge - get', 'replicas + this.surge + 1 - get']],
      },
      {
        why: 'after a collision it tries the same name again',
        law: 'Converges',
        edits: [['(status.collisionCount ?? 0) + 1', '(status.collisionCount ?? 0) + 0']],
      },
      {
        why: 'does not look again when the deadline is due',
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
    why: 'leaves out what is marked ★',
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
    why: 'another hash, no zeros in the status, orders from the last to the first',
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
    why: 'one order a sync, the rest is decided anew; the server says whether old pods are gone, not a cache',
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
    why: 'looks at every Deployment again each three seconds, whether or not anything happened',
    edits: [
      [
        '  await finish(syncContext, rolled);\n',
        '  await finish(syncContext, rolled);\n  syncContext.queue.addAfter(key, 3_000);\n',
      ],
    ],
  },
  {
    id: 'one-step-at-a-time',
    why: 'has neither queue nor cache: it lists everything if anything happens, writes one thing, as a patch, and starts over',
    file: 'variants/one-step-at-a-time.ts',
  },
];
