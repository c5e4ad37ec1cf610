import type { Mistake } from '#harness/testing';

/** Levels 3 to 5 · The three-way patch */
export const merge: readonly Mistake[] = [
  {
    id: 'drift-stays',
    why: 'The patch has the changes since the last manifest: a value that others changed stays changed.',
    misconception:
      'You seem to believe that an unchanged field of the manifest needs no look at the live object.',
    origin: 'k#37415',
    law: 'Manifest wins',
    edits: [
      [
        'return equalJson(current, modified) ? {} : { [name]: modified };',
        'return equalJson(original ?? current, modified) ? {} : { [name]: modified };',
      ],
    ],
  },
  {
    id: 'removes-only-unchanged',
    why: 'A removed field stays if others have changed it since the last apply.',
    misconception: 'You seem to believe that a field belongs to the client that changed it last.',
    origin: 'common',
    law: 'Removed means gone',
    edits: [
      [
        'const removed = Object.keys(original).filter((name) => !Object.hasOwn(modified, name));',
        'const removed = Object.keys(original).filter((name) => !Object.hasOwn(modified, name) && equalJson(original[name], current[name]));',
      ],
    ],
  },
  {
    id: 'removes-nothing-nested',
    why: 'Only fields at the top of the object are removed.',
    origin: 'common',
    law: 'Removed means gone',
    edits: [['    original: isObject(original) ? original : undefined,', '    original: undefined,']],
  },
  {
    id: 'items-without-original',
    why: 'The fields of a list item are never removed: a container that loses its ports keeps them.',
    misconception: 'You seem to believe that an item of a list is one value.',
    origin: 'common',
    law: 'Removed means gone',
    edits: [
      [
        'original: applied?.take(item), modified: item,',
        'original: (applied?.take(item), undefined), modified: item,',
      ],
    ],
  },
  {
    id: 'value-and-value-from',
    why: 'A variable that changes from value to valueFrom keeps its value: the server refuses both.',
    misconception: 'You seem to believe that the server replaces an item of a list.',
    origin: 'k#35134',
    law: 'Manifest wins',
    edits: [
      [
        'return isEmpty(patch) ? [] : [{ ...patch, [mergeKey]: item[mergeKey] as Json }];',
        'return isEmpty(patch) ? [] : [{ ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)), [mergeKey]: item[mergeKey] as Json }];',
      ],
    ],
  },
  {
    id: 'items-stay',
    why: 'An item that the manifest lost stays in the list.',
    misconception: 'You seem to believe that the server removes the items that a patch does not contain.',
    origin: 'common',
    law: 'Removed means gone',
    isFirstDraft: true,
    edits: [['return [...items, ...(deletions ?? [])];', 'return deletions ? items : [];']],
  },
  {
    id: 'items-by-index',
    why: 'Items of a list are compared by their position: an injected container is overwritten.',
    misconception: 'You seem to believe that the position of an item identifies it.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      ['const partner = live?.take(item);', 'const partner = live?.rest[0] && live.take(live.rest[0]);'],
    ],
  },
  {
    id: 'items-without-key',
    why: 'A changed item is sent without its merge key.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        'return isEmpty(patch) ? [] : [{ ...patch, [mergeKey]: item[mergeKey] as Json }];',
        'return isEmpty(patch) ? [] : [patch];',
      ],
    ],
  },
  {
    id: 'lists-replaced',
    why: 'Every list is replaced as a whole: an injected container and an injected port disappear.',
    misconception: 'You seem to believe that a list is one value.',
    origin: 'common',
    law: 'Nothing foreign',
    edits: [
      [
        '  if (isList(modified) && mergesLists(field)) {',
        "  if (isList(modified) && mergesLists(field) && modified.every((item) => typeof item === 'string')) {",
      ],
      [
        'return equalJson(current, modified) ? {} : { [name]: modified };',
        "return equalJson(current, modified) ? {} : { [name]: isList(modified) && isObject(modified[0]) ? [...modified, { $patch: 'replace' }] : modified };",
      ],
    ],
  },
  {
    id: 'atomic-lists-merged',
    why: 'Lists without a merge strategy are merged: a removed toleration stays.',
    misconception: 'You seem to believe that all lists of objects merge.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        'return equalJson(current, modified) ? {} : { [name]: modified };',
        'const all = isList(current) && isList(modified) ? [...current, ...modified.filter((item) => !current.some((each) => equalJson(each, item)))] : modified;\n  return equalJson(current, all) ? {} : { [name]: all };',
      ],
    ],
  },
  {
    id: 'custom-as-strategic',
    why: 'A custom resource gets a strategic merge patch, which its server refuses.',
    misconception: 'You seem to believe that every kind has merge keys.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      ["const type = mapping.mergeSchema ? 'strategic' : 'merge';", "const type = 'strategic' as const;"],
    ],
  },
  {
    id: 'built-in-as-merge',
    why: 'A built-in kind gets a JSON merge patch: its lists are replaced by the changed items.',
    misconception: 'You seem to believe that the type of a patch is a detail of the request.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [["const type = mapping.mergeSchema ? 'strategic' : 'merge';", "const type = 'merge' as const;"]],
  },
  {
    id: 'scalars-stay',
    why: 'A finalizer that the manifest lost stays.',
    misconception: 'You seem to believe that a list of texts is replaced.',
    origin: 'common',
    law: 'Removed means gone',
    edits: [['deletions: [...new Set(applied.rest)] }', 'deletions: [] }']],
  },
  {
    id: 'removes-all-scalars',
    why: 'Removing one finalizer removes those of others, too.',
    origin: 'k#110472',
    law: 'Nothing foreign',
    edits: [
      [
        '  const list = modified.filter((item) => live.take(item) === undefined);\n',
        '  const list = modified.filter((item) => live.take(item) === undefined);\n  if (applied.rest.length > 0) return { list, deletions: [...new Set([...applied.rest, ...live.rest])] };\n',
      ],
    ],
  },
  {
    id: 'null-ignored',
    why: 'A null in the manifest is ignored: a default value cannot be restored.',
    misconception: 'You seem to believe that a null in a manifest means nothing.',
    origin: 'k#35496',
    law: 'Manifest wins',
    edits: [
      [
        'if (modified === null) return field || original !== null ? { [name]: null } : {};',
        'if (modified === null) return {};',
      ],
    ],
  },
  {
    id: 'null-every-time',
    why: 'A custom resource with a null is patched by every apply.',
    origin: 'k#58793',
    law: 'Quiet',
    edits: [
      [
        'if (modified === null) return field || original !== null ? { [name]: null } : {};',
        'if (modified === null) return { [name]: null };',
      ],
    ],
  },
  {
    id: 'empty-map-dropped',
    why: 'An empty map of the manifest is never created.',
    misconception: 'You seem to believe that an empty object is no value.',
    origin: 'k#58793',
    law: 'Manifest wins',
    edits: [
      ['const isNewAndEmpty = isEmpty(modified) && !isObject(current);', 'const isNewAndEmpty = false;'],
    ],
  },
  {
    id: 'empty-map-every-time',
    why: 'An empty map of the manifest is sent with every apply.',
    origin: 'k#58793',
    law: 'Quiet',
    edits: [
      [
        'const isNewAndEmpty = isEmpty(modified) && !isObject(current);',
        'const isNewAndEmpty = isEmpty(modified);',
      ],
    ],
  },
  {
    id: 'whole-maps',
    why: 'A changed map is sent as a whole from the live object: the changes of others since the read are undone.',
    misconception: 'You seem to believe that nobody writes between your read and your write.',
    origin: 'common',
    law: 'Nothing foreign',
    edits: [
      [
        'return isEmpty(patch) && !isNewAndEmpty ? {} : { [name]: patch };',
        "return isEmpty(patch) && !isNewAndEmpty ? {} : { [name]: name === 'labels' && isObject(current) ? { ...current, ...patch } : patch };",
      ],
    ],
  },
  {
    id: 'compares-text',
    why: 'Values are compared as texts: the same object with other keys first counts as a change.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        'return equalJson(current, modified) ? {} : { [name]: modified };',
        'return JSON.stringify(current) === JSON.stringify(modified) ? {} : { [name]: modified };',
      ],
    ],
  },
];
