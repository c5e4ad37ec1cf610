import type { Mistake } from '#harness/testing';

const COMPARES = 'return equalJson(current, modified) ? {} : { [name]: modified };';
const WALKS = 'const fields = Object.entries(modified).map(([name, value]) => {';

/** Levels 3 and 4 · Values that differ in a detail, and fields with a meaning */
export const values: readonly Mistake[] = [
  {
    id: 'order-of-scalars',
    why: 'A list of texts that only changes its order counts as equal: the arguments of a container stay swapped.',
    misconception: 'You seem to believe that a list of scalars is a set.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        COMPARES,
        'const sorted = (value: Json | undefined): Json | undefined =>\n    isList(value) ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value;\n  return equalJson(sorted(current), sorted(modified) as Json) ? {} : { [name]: modified };',
      ],
    ],
  },
  {
    id: 'case-of-texts',
    why: 'A text that only changes its case counts as equal.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        COMPARES,
        "const lower = (value: Json | undefined): Json | undefined => (typeof value === 'string' ? value.toLowerCase() : value);\n  return equalJson(lower(current), lower(modified) as Json) ? {} : { [name]: modified };",
      ],
    ],
  },
  {
    id: 'trimmed-texts',
    why: 'A text that only changes its white space counts as equal: a file of a ConfigMap keeps its missing last newline.',
    misconception: 'You seem to believe that white space at the end of a text has no meaning.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        COMPARES,
        "const trimmed = (value: Json | undefined): Json | undefined => (typeof value === 'string' ? value.trim() : value);\n  return equalJson(trimmed(current), trimmed(modified) as Json) ? {} : { [name]: modified };",
      ],
    ],
  },
  {
    id: 'whole-numbers',
    why: 'A number that only changes its fraction counts as equal.',
    misconception: 'You seem to believe that every number of a manifest is an integer.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        COMPARES,
        "const whole = (value: Json | undefined): Json | undefined => (typeof value === 'number' ? Math.trunc(value) : value);\n  return equalJson(whole(current), whole(modified) as Json) ? {} : { [name]: modified };",
      ],
    ],
  },
  {
    id: 'version-left-out',
    why: 'The resourceVersion of a manifest is left out of the patch: it overwrites a newer object, which it should not.',
    misconception: 'You seem to believe that a resourceVersion in a manifest has no meaning.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [[WALKS, `${WALKS}\n    if (name === 'resourceVersion') return {};`]],
  },
  {
    id: 'uid-left-out',
    why: 'The uid of a manifest is left out of the patch: it changes another object of the same name.',
    misconception: 'You seem to believe that a name identifies an object.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [[WALKS, `${WALKS}\n    if (name === 'uid') return {};`]],
  },
  {
    id: 'status-left-out',
    why: 'The status of a manifest is left out of the patch, even for a custom resource whose status is a field like others.',
    misconception: 'You seem to believe that a status always belongs to a controller.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [[WALKS, `${WALKS}\n    if (name === 'status') return {};`]],
  },
  {
    id: 'dollar-left-out',
    why: 'A field of a custom resource whose name begins with $ is never changed.',
    misconception: 'You seem to believe that $ begins a directive in every patch.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [[WALKS, `${WALKS}\n    if (name.startsWith('$')) return {};`]],
  },
  {
    id: 'fields-by-assignment',
    why: 'A ConfigMap keeps the old value of its key __proto__: an assignment to this name adds no field.',
    misconception:
      'You seem to believe that every name is a field of a JavaScript object after an assignment.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'No scenario has a field of this name.',
    edits: [
      [
        'return Object.fromEntries([...fields.flatMap(Object.entries), ...removed.map((name) => [name, null])]);',
        'const patch: { [name: string]: Json } = {};\n  for (const [name, value] of [...fields.flatMap(Object.entries), ...removed.map((name) => [name, null])])\n    patch[name] = value;\n  return patch;',
      ],
    ],
  },
  {
    id: 'twin-not-deleted',
    why: 'An item is not deleted if another one has the same key, as port 53 for UDP and TCP.',
    origin: 'common',
    law: 'Level 4',
    hidden:
      'The result of a patch of two items with one key is not defined, so that the laws do not judge it.',
    edits: [
      [
        'const deletions = applied?.rest.map(',
        'const deletions = applied?.rest.filter((old) => !modified.some((item) => (item as JsonObject)[mergeKey] === old[mergeKey])).map(',
      ],
    ],
  },
];
