import type { Mistake } from '#harness/testing';

/** Levels 1 and 8 · Documents to objects, and many objects */
export const documents: readonly Mistake[] = [
  {
    id: 'first-error-ends',
    why: 'The first object that fails ends the run: every object after it is neither created nor reported.',
    misconception: 'You seem to believe that an error of one object concerns the others.',
    origin: 'kubectl 26ca5b340, before its fix',
    law: 'Independent',
    edits: [
      [
        `    try {
      applied.push(await (options.serverSide ? optionalSteps.applyOnServer : applyOne)(step));
    } catch (error) {
      errors.push(applyErrorOf(target.source, error));
    }`,
        `    try {
      applied.push(await (options.serverSide ? optionalSteps.applyOnServer : applyOne)(step));
    } catch (error) {
      errors.push(applyErrorOf(target.source, error));
      break;
    }`,
      ],
    ],
  },
  {
    id: 'broken-stops-all',
    why: 'A document that cannot be parsed stops all others: a typo in the last file leaves the first ones unapplied.',
    misconception: 'You seem to believe that a run with a broken document is pointless.',
    origin: 'kubectl 34abefcfa, before its fix',
    law: 'Independent',
    edits: [
      [
        '  for (const target of targets) {\n    const step',
        '  for (const target of errors.length > 0 ? [] : targets) {\n    const step',
      ],
    ],
  },
  {
    id: 'broken-is-silent',
    why: 'A document that cannot be parsed is skipped without an error, and kubectl exits with 0.',
    misconception: 'You seem to believe that a document without an object is empty.',
    origin: 'common',
    law: 'Names errors',
    edits: [["    if ('error' in document) errors.push({ source, message: document.error });\n", '']],
  },
  {
    id: 'rejects',
    why: 'An object with an error rejects the whole apply: the results of the objects before it are lost.',
    misconception: 'You seem to believe that a caller can do without the report when something failed.',
    origin: 'common',
    law: 'Always reports',
    edits: [
      [
        `      applied.push(await (options.serverSide ? optionalSteps.applyOnServer : applyOne)(step));
    } catch (error) {
      errors.push(applyErrorOf(target.source, error));
    }`,
        `      applied.push(await (options.serverSide ? optionalSteps.applyOnServer : applyOne)(step));
    } catch (error) {
      if (targets.length > 1) errors.push(applyErrorOf(target.source, error));
      else throw error;
    }`,
      ],
    ],
  },
  {
    id: 'list-unopened',
    why: 'A list in a list is not opened: its objects are reported as an error.',
    misconception: 'You seem to believe that the items of a list are objects.',
    origin: 'common',
    law: 'One result',
    edits: [
      [
        'queue.push(...value.items.map((item) => withKindOf(value, item)));',
        'objects.push(...value.items.map((item) => withKindOf(value, item)));',
      ],
    ],
  },
  {
    id: 'list-by-kind',
    why: 'Only the kind List is a list: the items of a ConfigMapList are not applied.',
    misconception: 'You seem to believe that the kind of a document decides whether it is a list.',
    origin: 'common',
    law: 'One result',
    edits: [
      [
        'if (isObject(value) && isList(value.items))',
        "if (isObject(value) && value.kind === 'List' && isList(value.items))",
      ],
    ],
  },
  {
    id: 'items-without-kind',
    why: 'The items of a ConfigMapList get no kind from their list.',
    misconception: 'You seem to believe that every object of a document names its kind.',
    origin: 'common',
    law: 'One result',
    edits: [
      ['queue.push(...value.items.map((item) => withKindOf(value, item)));', 'queue.push(...value.items);'],
    ],
  },
  {
    id: 'namespace-for-cluster-kinds',
    why: 'A cluster-scoped object gets the namespace of the flag, and is refused if it names another one.',
    misconception: 'You seem to believe that every object is in a namespace.',
    origin: 'common',
    law: 'One result',
    edits: [['  if (!resource.namespaced) return manifest;\n', '']],
  },
  {
    id: 'flag-overrides',
    why: 'An object with another namespace than the flag is moved into that of the flag.',
    misconception: 'You seem to believe that a flag is stronger than a manifest.',
    origin: 'common',
    law: 'One result',
    edits: [
      [
        'if (namespace.required && own !== namespace.name) throw failures.otherNamespace(own, namespace.name);',
        'if (namespace.required && own !== namespace.name) return { ...manifest, metadata: { ...manifest.metadata, namespace: namespace.name } };',
      ],
    ],
  },
  {
    id: 'context-requires',
    why: "An object with another namespace than kubectl's context is refused, even without -n.",
    misconception: 'You seem to believe that the default namespace is the only one allowed.',
    origin: 'common',
    law: 'Names errors',
    edits: [['if (namespace.required && own', 'if (own']],
  },
  {
    id: 'context-wins',
    why: 'The namespace of the manifest is ignored if kubectl has a context.',
    origin: 'common',
    law: 'One result',
    edits: [["if (typeof own !== 'string' || own === '')", 'if (!namespace.required)']],
  },
  {
    id: 'namespace-forgotten',
    why: 'The annotation lacks the namespace that the flag gave: the next apply with another kubectl says configured.',
    misconception: 'You seem to believe that the annotation records the file as it was written.',
    origin: 'common',
    law: 'Remembers',
    edits: [
      [
        'const modified = withLastApplied(manifest);\n  if (!live)',
        `const placed = withLastApplied(manifest);
  const { namespace: _, ...bare } = manifest.metadata;
  const { annotations } = withLastApplied({ ...manifest, metadata: bare }).metadata;
  const modified: Manifest = { ...placed, metadata: { ...placed.metadata, annotations: annotations as Json } };
  if (!live)`,
      ],
    ],
  },
  {
    id: 'last-first',
    why: 'Objects are applied from the last document to the first: a namespace comes after its content.',
    misconception: 'You seem to believe that the order of documents has no meaning.',
    origin: 'common',
    law: 'In order',
    edits: [
      [
        '  for (const target of targets) {\n    const step',
        '  for (const target of targets.toReversed()) {\n    const step',
      ],
    ],
  },
  {
    id: 'sorted-by-kind',
    why: 'Objects are applied in the order of their kinds, as kustomize sorts them.',
    misconception: 'You seem to believe that apply knows dependencies between kinds.',
    origin: 'common',
    law: 'In order',
    edits: [
      [
        '  for (const target of targets) {\n    const step',
        '  for (const target of targets.toSorted((a, b) => (a.manifest.kind < b.manifest.kind ? -1 : 1))) {\n    const step',
      ],
    ],
  },
  {
    id: 'all-at-once',
    why: 'All objects are applied at the same time: a ConfigMap is created before its namespace.',
    misconception: 'You seem to believe that objects of one run are independent.',
    origin: 'common',
    law: 'In order',
    edits: [
      [
        `  for (const target of targets) {
    const step`,
        `  await Promise.all([...targets].toReversed().map(async (target) => {
    const step`,
      ],
      [
        `      errors.push(applyErrorOf(target.source, error));
    }
  }
  if (targets.length`,
        `      errors.push(applyErrorOf(target.source, error));
    }
  }));
  if (targets.length`,
      ],
    ],
  },
  {
    id: 'errors-without-file',
    why: 'The errors do not name their file.',
    origin: 'common',
    law: 'Names errors',
    edits: [['errors.push(applyErrorOf(target.source, error));', "errors.push(applyErrorOf('', error));"]],
  },
  {
    id: 'first-error-only',
    why: 'Only the first error is reported.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      ['return { applied, warnings, errors };', 'return { applied, warnings, errors: errors.slice(0, 1) };'],
    ],
  },
];
