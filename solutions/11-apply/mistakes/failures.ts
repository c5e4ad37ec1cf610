import type { Mistake } from '#harness/testing';

/** Levels 1, 2, 7, 10 and 11 · Requests that fail halfway, and odd documents */
export const halfway: readonly Mistake[] = [
  {
    id: 'unreadable-is-gone',
    why: 'A read that fails while --force waits counts as the end of the deletion: the create meets the old object.',
    misconception: 'You seem to believe that a read fails only if the object is missing.',
    origin: 'common',
    law: 'Reads first',
    edits: [
      ['  while (await requests.find()) {', '  while (await requests.find().catch(() => undefined)) {'],
    ],
  },
  {
    id: 'delete-refused',
    why: '--force ignores that the server refuses the delete, and waits without an end.',
    origin: 'common',
    law: 'Always reports',
    edits: [['    await requests.delete();\n', '    await requests.delete().catch(() => undefined);\n']],
  },
  {
    id: 'waits-past-the-timeout',
    why: '--force ignores the timeout of its wait.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      [
        '(options.timeoutMs || Number.POSITIVE_INFINITY)',
        '(options.timeoutMs ? Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY)',
      ],
    ],
  },
  {
    id: 'timeout-in-seconds',
    why: '--force checks its timeout only once a second.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [['    await clock.sleep(Math.min(PAUSE_MS, restMs));', '    await clock.sleep(PAUSE_MS);']],
  },
  {
    id: 'replaces-with-nulls',
    why: '--force creates the new object with the nulls of its manifest.',
    origin: 'common',
    law: 'Creates whole',
    edits: [['requests.create(withoutNulls(modified))', 'requests.create(modified)']],
  },
  {
    id: 'retries-timeouts',
    why: 'A patch that timed out is tried again, although the server may have done it.',
    misconception: 'You seem to believe that a timeout means that nothing happened.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      [
        'if (!isConflict(error) || retries === MAX_RETRIES) {',
        "if (!hasReason(error, 'Conflict', 'Timeout') || retries === MAX_RETRIES) {",
      ],
      [
        "import { hasReason, isConflict, type KubeObject } from '#harness';",
        "import { hasReason, type KubeObject } from '#harness';",
      ],
    ],
  },
  {
    id: 'warns-by-first-read',
    why: 'An object whose deletion begins during the apply causes no warning.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        'if (live && result.object.metadata.deletionTimestamp) warn',
        'if (live?.metadata.deletionTimestamp) warn',
      ],
    ],
  },
  {
    id: 'empty-namespace',
    why: 'A namespace that is an empty text is used as the namespace.',
    origin: 'common',
    law: 'One result',
    edits: [["if (typeof own !== 'string' || own === '')", "if (typeof own !== 'string')"]],
  },
  {
    id: 'inner-list-first',
    why: 'The items of a list in a list come before the objects beside that list.',
    origin: 'common',
    law: 'In order',
    edits: [
      ['      queue.push(...value.items.map', '      objects.push(...value.items.flatMap'],
      ['((item) => withKindOf(value, item)));', '((item) => objectsOf(withKindOf(value, item))));'],
    ],
  },
  {
    id: 'half-typed-items',
    why: 'An item with only a kind gets the apiVersion of its list, and is applied.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      [
        '!isObject(item) || item.kind || item.apiVersion)',
        '!isObject(item) || (item.kind && item.apiVersion))',
      ],
    ],
  },
  {
    id: 'bad-item-ends-list',
    why: 'One bad item of a list stops the items after it.',
    origin: 'common',
    law: 'Independent',
    edits: [
      [
        '        errors.push(applyErrorOf(source, error));\n      }\n    }',
        '        errors.push(applyErrorOf(source, error));\n        break;\n      }\n    }',
      ],
    ],
  },
  {
    id: 'broken-memory-is-empty',
    why: 'An annotation that is no JSON object counts as empty: removed fields stay, and nobody learns why.',
    misconception: 'You seem to believe that a missing memory and a broken one are the same.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      [
        "  const configuration: Json = text === '' ? {} : JSON.parse(text);\n",
        "  let configuration: Json = {};\n  try {\n    configuration = text === '' ? {} : JSON.parse(text);\n  } catch {}\n",
      ],
    ],
  },
  {
    id: 'list-as-memory',
    why: 'An annotation that is JSON, but no object, counts as empty.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      [
        '  if (!isObject(configuration)) throw',
        '  if (!isObject(configuration)) return {};\n  if (!configuration) throw',
      ],
    ],
  },
  {
    id: 'null-items-lost',
    why: 'The nulls in the lists of a new object disappear with the null fields.',
    origin: 'common',
    law: 'Creates whole',
    edits: [
      [
        'value.map(withoutNulls) as unknown as T',
        'value.filter((item) => item !== null).map(withoutNulls) as unknown as T',
      ],
    ],
  },
  {
    id: 'nulls-in-items',
    why: 'The items of the lists of a new object keep their null fields.',
    origin: 'common',
    law: 'Creates whole',
    edits: [
      [
        '  if (isList(value)) return value.map(withoutNulls) as unknown as T;\n',
        '  if (isList(value)) return value;\n',
      ],
    ],
  },
  {
    id: 'scalars-unordered',
    why: 'A list of scalars keeps its order on the server.',
    origin: 'common',
    law: 'Keeps order',
    edits: [
      [
        '  if (deletions.length > 0) return order;\n',
        '  if (mergeKey === undefined) return [];\n  if (deletions.length > 0) return order;\n',
      ],
    ],
  },
  {
    id: 'force-takes-fields',
    why: 'A server-side apply with --force takes over the fields of other managers.',
    misconception: 'You seem to believe that --force and --force-conflicts are one flag.',
    origin: 'common',
    law: 'Server-side',
    edits: [['options.forceConflicts ?? false);', 'options.forceConflicts ?? options.force ?? false);']],
  },
  {
    id: 'moves-over-others',
    why: 'The move of the owners overwrites those that another client has changed meanwhile.',
    origin: 'common',
    law: 'Owners move',
    edits: [
      ["      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },\n", ''],
      [
        'const { managedFields = [], resourceVersion } = current.metadata;',
        'const { managedFields = [] } = current.metadata;',
      ],
    ],
  },
  {
    id: 'status-moves',
    why: 'The owner of the status loses its fields to the manager that applies.',
    origin: 'common',
    law: 'Owners move',
    edits: [
      [
        "entry.manager === manager && entry.operation === 'Update' && !entry.subresource;",
        "entry.manager === manager && entry.operation === 'Update';",
      ],
    ],
  },
  {
    id: 'moves-without-annotation',
    why: 'The owners move, although the server has refused to keep the annotation.',
    origin: 'common',
    law: 'Owners move',
    edits: [
      [
        'object = (await keepLastApplied(send, object)) ?? object;',
        'object = (await keepLastApplied(send, object).catch(() => undefined)) ?? object;',
      ],
    ],
  },
  {
    id: 'prune-spares-names',
    why: 'Prune spares every object that has the name of an applied one.',
    origin: 'common',
    law: 'Prunes exactly',
    edits: [
      [
        'const visited = new Set(applied.map(({ object }) => object.metadata.uid));',
        'const visited = new Set(applied.map(({ key }) => key.name));',
      ],
      ['visited.has(uid)) continue;', 'visited.has(name)) continue;'],
      [
        'const { uid, name, annotations } = object.metadata;',
        'const { name, annotations } = object.metadata;',
      ],
    ],
  },
  {
    id: 'prunes-the-context',
    why: "Prune also looks into the namespace of kubectl's context, in which nothing was applied.",
    origin: 'common',
    law: 'Prunes exactly',
    edits: [['if (options.namespace.required) namespaces.add', 'namespaces.add']],
  },
  {
    id: 'prune-ignores-refusals',
    why: 'An object that the server refuses to delete is reported as pruned.',
    origin: 'common',
    law: 'Prunes exactly',
    edits: [
      [
        "        ...(dryRun === 'server' && { dryRun: true }),\n      });",
        "        ...(dryRun === 'server' && { dryRun: true }),\n      }).catch(() => {});",
      ],
    ],
  },
];
