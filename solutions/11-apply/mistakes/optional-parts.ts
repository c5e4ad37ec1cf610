import type { Mistake } from '#harness/testing';

/** Levels 9 to 11 · Order, server-side applies, prune */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'no-order',
    why: 'A list that only changes its order stays as it is.',
    misconception: 'You seem to believe that lists with a merge key have no order.',
    origin: 'common',
    law: 'Keeps order',
    edits: [
      [
        '  return list.length > 0 || !equalJson(identities(current), order) ? order : [];',
        '  return list.length > 0 && !equalJson(identities(current), order) ? order : [];',
      ],
    ],
  },
  {
    id: 'order-of-the-patch',
    why: 'The order has only the changed items: the others move behind them.',
    origin: 'common',
    law: 'Keeps order',
    edits: [
      [
        '  const order = identities(modified);\n',
        '  const order = identities(list.length > 0 ? list : modified);\n',
      ],
    ],
  },
  {
    id: 'order-backwards',
    why: 'The order is that of the live object.',
    origin: 'common',
    law: 'Keeps order',
    edits: [
      [
        '  const order = identities(modified);\n',
        '  const order = identities(current.length > 0 && deletions.length === 0 ? current : modified);\n',
      ],
    ],
  },
  {
    id: 'retains-nothing',
    why: 'A strategy that becomes Recreate keeps the rolling update of the server: the new object is refused.',
    misconception: 'You seem to believe that you have to remove only fields that you have set.',
    origin: 'k#24198',
    law: 'Retains keys',
    edits: [
      [
        '  return changes ? retained.toSorted() : [];',
        '  return changes && retained.length > 9 ? retained.toSorted() : [];',
      ],
    ],
  },
  {
    id: 'retains-only-changes',
    why: 'The retained keys are those of the patch: the fields that are right already are removed.',
    origin: 'common',
    law: 'Retains keys',
    edits: [
      [
        'const retained = Object.keys(modified).filter((name) => modified[name] !== null);',
        'const retained = Object.keys(patch).filter((name) => modified[name] !== null && modified[name] !== undefined);',
      ],
    ],
  },
  {
    id: 'annotates-on-server',
    why: 'A server-side apply sends the annotation, which the server does not need.',
    origin: 'common',
    law: 'Server-side',
    edits: [
      [
        "send({ type: 'apply', body: manifest }, MANAGER, options.forceConflicts ?? false);",
        "send({ type: 'apply', body: { ...manifest, metadata: { ...manifest.metadata, annotations: { [LAST_APPLIED]: '{}' } } } }, MANAGER, options.forceConflicts ?? false);",
      ],
    ],
  },
  {
    id: 'forces-conflicts',
    why: 'A server-side apply takes over the fields of other managers without being asked.',
    misconception: 'You seem to believe that the newest apply owns its fields.',
    origin: 'common',
    law: 'Server-side',
    edits: [['options.forceConflicts ?? false);', 'true);']],
  },
  {
    id: 'never-forces-conflicts',
    why: 'The flag --force-conflicts has no effect.',
    origin: 'common',
    law: 'Server-side',
    edits: [['options.forceConflicts ?? false);', 'false);']],
  },
  {
    id: 'no-migration',
    why: 'The fields of client-side applies keep their old owner: removing them from the manifest never removes them.',
    misconception: 'You seem to believe that one user has one manager.',
    origin: 'k#112905',
    law: 'Owners move',
    edits: [
      ['  if (managers.size === 0) return undefined;\n', '  if (managers.size >= 0) return undefined;\n'],
    ],
  },
  {
    id: 'migrates-and-stops',
    why: 'After the migration, the manifest is not applied again: dropped fields stay.',
    origin: 'k#112905',
    law: 'Owners move',
    edits: [['    return await apply();\n', '    return object;\n']],
  },
  {
    id: 'owners-thrown-away',
    why: 'The old owner is removed, and its fields belong to nobody.',
    origin: 'common',
    law: 'Owners move',
    edits: [
      [
        "const merged: ManagedFields = { ...heir, manager: MANAGER, operation: 'Apply', fieldsV1 };",
        "const merged: ManagedFields = { ...heir, manager: MANAGER, operation: 'Apply', fieldsV1: fieldsV1 && heir.fieldsV1 };",
      ],
    ],
  },
  {
    id: 'migration-gives-up',
    why: 'One conflict ends the migration.',
    origin: 'common',
    law: 'Owners move',
    edits: [
      [
        'if (!isConflict(error) || tries === MIGRATION_TRIES) throw error;',
        'if (!isConflict(error) || tries >= 1) throw error;',
      ],
    ],
  },
  {
    id: 'prunes-the-unapplied',
    why: 'Prune deletes objects that were never applied.',
    misconception: 'You seem to believe that a label is enough to own an object.',
    origin: 'common',
    law: 'Prunes exactly',
    edits: [
      [
        'if (annotations?.[LAST_APPLIED] === undefined || visited.has(uid)) continue;',
        'if (visited.has(uid)) continue;',
      ],
    ],
  },
  {
    id: 'prunes-the-applied',
    why: 'Prune deletes the objects that it has just applied.',
    origin: 'common',
    law: 'Prunes exactly',
    edits: [
      [
        'if (annotations?.[LAST_APPLIED] === undefined || visited.has(uid)) continue;',
        'if (annotations?.[LAST_APPLIED] === undefined || visited.size < 0) continue;',
      ],
    ],
  },
  {
    id: 'prunes-one-namespace',
    why: 'Prune looks only into the namespace of the flag.',
    misconception: 'You seem to believe that a run has one namespace.',
    origin: 'k#89551',
    law: 'Prunes exactly',
    edits: [
      [
        'const namespaces = new Set(applied.flatMap(({ key }) => key.namespace ?? []));',
        'const namespaces = new Set(applied.length > 0 ? [options.namespace.name] : []);',
      ],
    ],
  },
  {
    id: 'prunes-after-errors',
    why: 'Prune runs although an object failed, and deletes it.',
    misconception: 'You seem to believe that an object which failed is in no document.',
    origin: 'kubectl 26ca5b340, before its fix',
    law: 'Prunes exactly',
    edits: [['if (options.prune && errors.length === 0) {', 'if (options.prune) {']],
  },
  {
    id: 'prunes-without-selector',
    why: 'Prune deletes every applied object of a namespace.',
    origin: 'common',
    law: 'Prunes exactly',
    edits: [['Object.entries(pruning?.selector ?? {})', 'Object.entries(pruning ? {} : {})']],
  },
];
