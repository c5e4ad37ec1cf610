/** Level 3: from the queue into the cache. */
import type { Mistake } from '#harness/testing';

export const cache: readonly Mistake[] = [
  // Level 3 · From the queue into the cache
  {
    id: 'tells-before-it-knows',
    why: 'Handlers are told of a change that the cache does not have yet. They look the object up and find the past.',
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
    why: 'An `Added` is told as an add although the cache has the object.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A watch that goes on where a list or a watch ended adds no object twice.',
    edits: [
      [
        'addOrUpdate(previous, delta.object',
        "addOrUpdate(delta.type === 'Added' ? undefined : previous, delta.object",
      ],
    ],
  },
  {
    id: 'updates-from-nothing',
    why: 'The new state is given as the old one, too: a handler that compares the two never sees a change.',
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
    why: 'Each add is called part of the initial list.',
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
    why: 'No add is called part of the initial list. A handler counts as synced before it was told of it.',
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
    why: 'A deletion is told and changes no cache.',
    origin: 'common',
    law: 'Converges',
    edits: [['      indexer.delete(delta.object);\n', '']],
  },
  {
    id: 'deletions-untold',
    why: 'A deletion changes the cache, and no handler is told.',
    origin: 'common',
    law: 'No ghosts',
    edits: [["return [{ type: 'delete', object: delta.object }];", 'return [];']],
  },
  {
    id: 'deletion-of-the-known-state',
    why: 'The watch brings the last state of an object. Handlers are told the one before.',
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
    why: 'A deletion that the watch brought is told as if the last state were not known.',
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
    why: 'The deletion of an object that the cache does not have is told to no handler.',
    origin: 'client-go before v0.33 did so',
    law: 'Level 3',
    hidden:
      'A watch begins where a list ended: it tells of no deletion of an object that the cache does not have.',
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
    why: 'A tombstone is asked for its metadata, which it does not have.',
    origin: 'longhorn/longhorn#1900',
    law: 'Level 3',
    hidden: 'A reflector pushes no tombstone. They are made where a list is taken in.',
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
    why: 'What the list does not have stays in the cache.',
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
    why: 'A list adds and updates. What vanished while no watch told it is never told as deleted.',
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
    why: 'All that a list brings is told as an add, whether or not the cache has it.',
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
    why: 'A list tells of what is new before what is gone: for a while a handler counts too many.',
    origin: 'client-go before v0.33 did so',
    law: 'Level 3',
    edits: [['return [...deletions, ...replacements];', 'return [...replacements, ...deletions];']],
  },
  {
    id: 'reborn-is-two',
    why: 'An object of the list under the name of another (uid) is told as a delete and an add.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'A handler is told the same by both, and may be told either.',
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
    why: 'The tombstone has a key and nothing else, so that no owner can be found from it.',
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
    why: 'The last known state is passed off as the last one.',
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
    why: 'After a list the cache has the version of its last object, and of an empty list none.',
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
    why: 'The version of the cache stands still where little happens: what waits for it waits for ever.',
    origin: 'common',
    law: 'Level 3',
    edits: [['      indexer.bookmark(delta.resourceVersion);\n', '']],
  },
  {
    id: 'resync-tells-adds',
    why: 'A resync tells of each object as an add.',
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
    why: 'A resync tells of one object only.',
    origin: 'common',
    law: 'Resyncs',
    edits: [
      ['return indexer.list().map((object) => ({', 'return indexer.list().slice(0, 1).map((object) => ({'],
    ],
  },
];
