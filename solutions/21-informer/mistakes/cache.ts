/** Level 3: from the queue into the cache. */
import type { Mistake } from '#harness/testing';

export const cache: readonly Mistake[] = [
  // Level 3 · From the queue into the cache
  {
    id: 'tells-before-it-knows',
    why: 'Handlers are notified of a change before the cache has it. When they look up the object, they get the old state.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'indexer.update(delta.object);\n',
        `let later = Promise.resolve();
      for (let i = 0; i < 30; i++) later = later.then(() => {});
      void later.then(() => indexer.update(delta.object));
`,
      ],
    ],
  },
  {
    id: 'believes-the-event',
    why: 'An `Added` event is reported as an add even if the cache has the object.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A watch that resumes after a list or another watch never adds an object twice.',
    edits: [
      [
        'addOrUpdate(previous, delta.object',
        "addOrUpdate(delta.type === 'Added' ? undefined : previous, delta.object",
      ],
    ],
  },
  {
    id: 'updates-from-nothing',
    why: 'The new state is also passed as the previous one: a handler that compares them never sees a change.',
    origin: 'common',
    law: 'Honest',
    edits: [
      [
        "return { type: 'update', previous, current };",
        "return { type: 'update', previous: current, current };",
      ],
    ],
  },
  {
    id: 'everything-is-initial',
    why: 'Every add is reported as part of the initial list.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "return { type: 'add', object: current, isInInitialList };",
        "return { type: 'add', object: current, isInInitialList: true };",
      ],
    ],
  },
  {
    id: 'nothing-is-initial',
    why: 'No add is reported as part of the initial list, so that a handler counts as synced before its first notification.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        "return { type: 'add', object: current, isInInitialList };",
        "return { type: 'add', object: current, isInInitialList: false && isInInitialList };",
      ],
    ],
  },
  {
    id: 'deletion-stays-in-the-cache',
    why: 'A deletion is reported, but stays in the cache.',
    origin: 'common',
    law: 'Converges',
    edits: [['      indexer.delete(delta.object);\n', '']],
  },
  {
    id: 'deletions-untold',
    why: 'A deletion is applied to the cache, but not reported.',
    origin: 'common',
    law: 'No ghosts',
    edits: [["return [{ type: 'delete', object: delta.object }];", 'return [];']],
  },
  {
    id: 'deletion-of-the-known-state',
    why: 'The watch event has the final state of an object, but handlers get the cached state before it.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "      indexer.delete(delta.object);\n      return [{ type: 'delete', object: delta.object }];",
        `      {
        const key = 'key' in delta.object ? delta.object.key : metaNamespaceKeyFunc(delta.object);
        const last = indexer.getByKey(key);
        indexer.delete(delta.object);
        return [{ type: 'delete', object: last ?? delta.object }];
      }`,
      ],
    ],
  },
  {
    id: 'each-deletion-is-unknown',
    why: 'A deletion from the watch is reported as if the final state were unknown.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "return [{ type: 'delete', object: delta.object }];",
        `return [
        {
          type: 'delete',
          object:
            'key' in delta.object
              ? delta.object
              : new DeletedFinalStateUnknown(metaNamespaceKeyFunc(delta.object), delta.object),
        },
      ];`,
      ],
    ],
  },
  {
    id: 'unknown-deletion-dropped',
    why: 'The deletion of an object that is not in the cache is not reported.',
    origin: 'client-go before v0.33 did so',
    law: 'Level 3',
    hidden:
      'A watch resumes where a list ended: it never reports the deletion of an object that is not in the cache.',
    edits: [
      [
        '      indexer.delete(delta.object);\n',
        `      if (!('key' in delta.object) && !indexer.getByKey(metaNamespaceKeyFunc(delta.object))) return [];
      indexer.delete(delta.object);
`,
      ],
    ],
  },
  {
    id: 'tombstone-taken-for-an-object',
    why: 'The metadata of a tombstone is read, but a tombstone has none.',
    origin: 'longhorn/longhorn#1900',
    law: 'Level 3',
    hidden: 'A reflector pushes no tombstones. They are created when a list is applied.',
    edits: [
      [
        '      indexer.delete(delta.object);\n',
        `      if (indexer.getByKey(metaNamespaceKeyFunc(delta.object as T))) indexer.delete(delta.object);
`,
      ],
    ],
  },
  {
    id: 'replace-only-adds',
    why: 'Objects that are missing in the list stay in the cache.',
    origin: 'common',
    law: 'No ghosts',
    edits: [
      [
        'indexer.replace(objects, resourceVersion);',
        'for (const object of objects) indexer.update(object);\n  indexer.bookmark(resourceVersion);',
      ],
    ],
  },
  {
    id: 'relist-finds-no-dead',
    why: 'A list adds and updates, but objects that were deleted during a gap in the watch are never reported as deleted.',
    origin: 'ManageIQ/kubeclient#599',
    law: 'No ghosts',
    edits: [
      [
        'return [...deletions, ...replacements];',
        'return [...deletions.slice(deletions.length), ...replacements];',
      ],
    ],
  },
  {
    id: 'relist-tells-adds',
    why: 'All objects of a list are reported as adds, even if the cache already has them.',
    origin: 'common',
    law: 'Honest',
    edits: [
      [
        'addOrUpdate(before.get(metaNamespaceKeyFunc(object)), object, isInInitialList)',
        'addOrUpdate(undefined, object, isInInitialList)',
      ],
    ],
  },
  {
    id: 'adds-before-deletes',
    why: 'For a list, adds are reported before deletes: for a while, a handler counts too many objects.',
    origin: 'client-go before v0.33 did so',
    law: 'Level 3',
    edits: [['return [...deletions, ...replacements];', 'return [...replacements, ...deletions];']],
  },
  {
    id: 'reborn-is-two',
    why: 'If a list contains a recreated object (with another uid), it is reported as a delete and an add.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'The contract allows both ways to report this.',
    edits: [
      [
        'const replacements = objects.map((object) =>\n    addOrUpdate(before.get(metaNamespaceKeyFunc(object)), object, isInInitialList),\n  );',
        `const replacements = objects.flatMap((object): Notification<T>[] => {
    const key = metaNamespaceKeyFunc(object);
    const last = before.get(key);
    if (!last || last.metadata.uid === object.metadata.uid) return [addOrUpdate(last, object, isInInitialList)];
    return [
      { type: 'delete', object: new DeletedFinalStateUnknown(key, last) },
      { type: 'add', object, isInInitialList },
    ];
  });`,
      ],
    ],
  },
  {
    id: 'tombstone-without-a-state',
    why: 'The tombstone contains only a key, so that a handler cannot find the owner of the object.',
    origin: 'k#8676: replication controllers slept until the next relist',
    law: 'No ghosts',
    edits: [
      [
        'new DeletedFinalStateUnknown(key, last)',
        'new DeletedFinalStateUnknown(key, undefined as T | undefined as T)',
      ],
    ],
  },
  {
    id: 'tombstone-unwrapped',
    why: 'The last known state is reported as the final state.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'object: new DeletedFinalStateUnknown(key, last) }',
        'object: key === undefined ? new DeletedFinalStateUnknown(key, last) : last }',
      ],
    ],
  },
  {
    id: 'version-of-the-last-object',
    why: 'After a list, the version of the cache is that of its last object; after an empty list, it is missing.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'indexer.replace(objects, resourceVersion);',
        'indexer.replace(objects, objects.at(-1)?.metadata.resourceVersion ?? resourceVersion.slice(0, 0));',
      ],
    ],
  },
  {
    id: 'bookmark-not-in-the-cache',
    why: 'A bookmark does not update the version of the cache: a caller that waits for a version waits forever.',
    origin: 'common',
    law: 'Level 3',
    edits: [['      indexer.bookmark(delta.resourceVersion);\n', '']],
  },
  {
    id: 'resync-tells-adds',
    why: 'A resync reports each object as an add.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      [
        "indexer.list().map((object) => ({ type: 'update', previous: object, current: object }));",
        "indexer.list().map((object) => ({ type: 'add', object, isInInitialList }));",
      ],
    ],
  },
  {
    id: 'resync-of-one',
    why: 'A resync reports only one object.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      ['return indexer.list().map((object) => ({', 'return indexer.list().slice(0, 1).map((object) => ({'],
    ],
  },
];
