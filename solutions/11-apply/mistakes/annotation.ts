import type { Mistake } from '#harness/testing';

/** Level 2 · The last applied configuration */
export const annotation: readonly Mistake[] = [
  {
    id: 'no-line-break',
    why: 'The annotation does not end with a line break: every apply by kubectl then says configured.',
    misconception: "You seem to believe that Go's encoder and JSON.stringify write the same text.",
    origin: 'common',
    law: 'Remembers',
    edits: [['encodeJson(withAnnotations(others))}\\n`', 'encodeJson(withAnnotations(others))}`']],
  },
  {
    id: 'html-unescaped',
    why: 'The annotation has the characters <, > and & as they are.',
    misconception: "You seem to believe that Go's encoder and JSON.stringify write the same text.",
    origin: 'common',
    law: 'Remembers',
    edits: [['/[<>&\\u2028\\u2029]/g', '/[\\u2028\\u2029]/g']],
  },
  {
    id: 'separators-unescaped',
    why: 'The annotation has two line separators as they are.',
    origin: 'common',
    law: 'Remembers',
    edits: [['/[<>&\\u2028\\u2029]/g', '/[<>&]/g']],
  },
  {
    id: 'keys-as-written',
    why: 'The annotation has the keys in the order of the file: reordering the file causes a write.',
    misconception: 'You seem to believe that the order of keys in a manifest has a meaning.',
    origin: 'common',
    law: 'Remembers',
    edits: [['    .toSorted(byBytes)\n', '']],
  },
  {
    id: 'keys-by-utf16',
    why: 'Keys are sorted as JavaScript sorts them, which differs from their bytes beyond U+FFFF.',
    origin: 'common',
    law: 'Remembers',
    edits: [['.toSorted(byBytes)', '.toSorted()']],
  },
  {
    id: 'keys-by-locale',
    why: 'Keys are sorted by the rules of a language: a stands before B.',
    origin: 'common',
    law: 'Remembers',
    edits: [['.toSorted(byBytes)', ".toSorted((a, b) => a.localeCompare(b, 'en'))"]],
  },
  {
    id: 'contains-itself',
    why: 'The annotation contains the annotation of the manifest, and doubles with each apply of an exported object.',
    misconception: 'You seem to believe that a manifest never contains the annotation.',
    origin: 'common',
    law: 'Remembers',
    edits: [['const { [LAST_APPLIED]: _, ...others } = (', 'const { ...others } = (']],
  },
  {
    id: 'annotations-left-out',
    why: 'The annotation has no annotations at all: the next apply removes those of the manifest.',
    origin: 'common',
    law: 'Remembers',
    edits: [['encodeJson(withAnnotations(others))', 'encodeJson(withAnnotations({}))']],
  },
  {
    id: 'never-updated',
    why: 'The annotation is written by the create, and not by a patch: the next apply removes too little.',
    misconception: 'You seem to believe that the first manifest of an object is the one to remember.',
    origin: 'common',
    law: 'Remembers',
    edits: [
      [
        'const body = patchObject({ original, modified, current }, mapping.mergeSchema);',
        'const body = patchObject({ original, modified: original ? manifest : modified, current }, mapping.mergeSchema);\n  if (original && isObject(body.metadata)) delete (body.metadata as Record<string, unknown>).annotations;',
      ],
    ],
  },
  {
    id: 'remembers-the-pruned',
    why: 'The annotation lacks the nulls of the manifest: a null that is later dropped looks like no change.',
    misconception: 'You seem to believe that a null in a manifest means nothing.',
    origin: 'k#125646',
    law: 'Remembers',
    edits: [
      [
        'const modified = withLastApplied(manifest);\n  if (!live)',
        'const modified = withLastApplied(withoutNulls(manifest));\n  if (!live)',
      ],
    ],
  },
  {
    id: 'remembers-the-live',
    why: 'The last configuration is the live object: every field that others or the server set is removed.',
    misconception: 'You seem to believe that a field which the manifest lacks must go.',
    origin: 'common',
    law: 'Nothing foreign',
    isFirstDraft: true,
    edits: [
      [
        'const original = lastAppliedOf(live);',
        'const original = lastAppliedOf(live) && (live as unknown as JsonObject);',
      ],
    ],
  },
  {
    id: 'forgets',
    why: 'The last configuration counts as empty: no field is ever removed.',
    misconception:
      'You seem to believe that the live object and the manifest are enough to find removed fields.',
    origin: 'common',
    law: 'Removed means gone',
    edits: [
      [
        'patchObject({ original, modified, current }, mapping',
        'patchObject({ original: {}, modified, current }, mapping',
      ],
    ],
  },
];
