/**
 * Mistakes in the given parts, which solutions with their own design can make: the ownership of ReplicaSets, and the
 * Deployment of an event.
 */
import type { Mistake } from '#harness/testing';

export const given: readonly Mistake[] = [
  // The given parts: the ownership of ReplicaSets
  {
    id: 'takes-whatever-it-selects',
    why: 'ReplicaSets of another controller are scaled, because their labels match.',
    misconception: 'You seem to believe that matching labels alone make a ReplicaSet yours.',
    origin: 'k#24152: before controllerRef, Deployments with overlapping selectors fought over ReplicaSets',
    law: 'Minds its own',
    edits: [
      [
        "import type { Component } from '#harness';",
        "import { type Component, replicaSets } from '#harness';",
      ],
      [
        'const owned = await control.claimReplicaSets(cached, caches.candidateReplicaSets(cached));',
        `const { indexer } = context.informers.forResource(replicaSets);
  const around = indexer.byIndex('namespace', cached.metadata.namespace ?? '');
  const owned = [
    ...(await control.claimReplicaSets(cached, around)),
    ...around.filter(
      ({ metadata }) =>
        metadata.ownerReferences?.[0] &&
        metadata.ownerReferences[0].uid !== cached.metadata.uid &&
        Object.entries(cached.spec.selector.matchLabels ?? {}).every(([k, v]) => metadata.labels?.[k] === v),
    ),
  ];`,
      ],
    ],
  },
  {
    id: 'adopts-without-asking',
    why: 'The cache does not show yet that the Deployment is being deleted, and an adopted orphan is deleted with it.',
    misconception: 'You seem to believe that your cache knows whether the Deployment is being deleted.',
    origin: 'k#42639',
    law: 'Level 9',
    edits: [
      ['  assembleDeploymentController,\n', '  assembleDeploymentController,\n  claimReplicaSets,\n'],
      [
        'control.claimReplicaSets(cached,',
        'claimReplicaSets({ get: async () => cached as never, patch: (...asked) => context.client.patch(...asked) }, cached,',
      ],
    ],
  },
  {
    id: 'adopts-for-a-namesake',
    why: 'The Deployment was recreated; the orphan gets an owner that does not exist, and is garbage-collected.',
    misconception: 'You seem to believe that an object that you read again by its name is the same object.',
    origin: 'common: the uid not compared',
    law: 'Level 9',
    edits: [
      ['  assembleDeploymentController,\n', '  assembleDeploymentController,\n  claimReplicaSets,\n'],
      [
        'control.claimReplicaSets(cached,',
        `claimReplicaSets(
    {
      get: async (resource, key) => {
        const fresh = await context.client.get(resource, key);
        return { ...fresh, metadata: { ...fresh.metadata, uid: cached.metadata.uid } };
      },
      patch: (...asked) => context.client.patch(...asked),
    },
    cached,`,
      ],
    ],
  },
  {
    id: 'adopts-whatever-has-the-name',
    why: 'The orphan was deleted, and another ReplicaSet with other labels has its name: that one is adopted.',
    misconception: 'You seem to believe that a name still means the orphan that you saw a moment ago.',
    origin: 'common: a patch without the uid',
    law: 'Level 9',
    edits: [
      ['  assembleDeploymentController,\n', '  assembleDeploymentController,\n  claimReplicaSets,\n'],
      [
        'control.claimReplicaSets(cached,',
        `claimReplicaSets(
    {
      get: (...asked) => context.client.get(...asked),
      patch: (resource, key, { type, body }) => {
        const { ownerReferences } = (body as { metadata: { ownerReferences: object[] } }).metadata;
        return context.client.patch(resource, key, { type, body: { metadata: { ownerReferences } } } as never);
      },
    },
    cached,`,
      ],
    ],
  },
  {
    id: 'adopts-the-dying',
    why: 'A ReplicaSet that is being deleted counts as the new one, and disappears in the middle of the rollout.',
    misconception: 'You seem to believe that a ReplicaSet that is being deleted can still carry a rollout.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        'caches.candidateReplicaSets(cached));',
        `caches.candidateReplicaSets(cached).map((each) => {
    const { deletionTimestamp, ...metadata } = each.metadata;
    return { ...each, metadata };
  }));`,
      ],
    ],
  },

  // The given parts: the Deployment of an event
  ...handlers(
    'replica-sets-wake-nothing',
    'A changed ReplicaSet wakes no Deployment, so that a rollout stops between two steps.',
    'common',
    'replicasets',
    `{ ...handler, onUpdate: (before: { metadata: object }, now: { metadata: object }) => {
          if (!('ownerReferences' in now.metadata)) handler.onUpdate?.(before as never, now as never);
        } }`,
  ),
  ...handlers(
    'tombstones-are-objects',
    'After a gap in the watch, a deletion is reported as a DeletedFinalStateUnknown, which has no owner field itself.',
    'longhorn#1900',
    'replicasets',
    `{ ...handler, onDelete: (gone: { metadata?: object }) => {
          if (gone.metadata) handler.onDelete?.(gone as never);
        } }`,
  ),
  ...handlers(
    'former-owner-is-not-woken',
    'A Deployment whose ReplicaSet got another owner is not woken, and has no ReplicaSet until the next event.',
    'common',
    'replicasets',
    '{ ...handler, onUpdate: (_before: object, now: object) => handler.onAdd?.(now as never, false as never) }',
  ),
  ...handlers(
    'recreate-sleeps-on',
    'The end of the last pod changes no ReplicaSet, and the controller does not watch pods.',
    'common: does not watch pods',
    'pods',
    '{ ...handler, onDelete: () => {} }',
    'Level 11',
  ),
];

/** Returns a mistake in the given handlers: the handler of one resource misses some events. */
function handlers(
  id: string,
  why: string,
  origin: string,
  plural: string,
  handler: string,
  law = 'Level 9',
): readonly Mistake[] {
  return [
    {
      id,
      why,
      origin,
      law,
      edits: [
        [
          'export const deploymentController: Component = assembleDeploymentController({ syncDeployment });',
          `export const deploymentController: Component = (context) =>
  assembleDeploymentController({ syncDeployment })({
    ...context,
    informers: {
      start: () => context.informers.start(),
      waitForCacheSync: () => context.informers.waitForCacheSync(),
      forResource: (resource, indexers) => {
        const informer = context.informers.forResource(resource, indexers);
        if (resource.plural !== '${plural}') return informer;
        return {
          indexer: informer.indexer,
          addEventHandler: (handler: Parameters<typeof informer.addEventHandler>[0]) =>
            informer.addEventHandler(${handler} as never),
        } as never;
      },
    },
  });`,
        ],
      ],
    },
  ];
}
