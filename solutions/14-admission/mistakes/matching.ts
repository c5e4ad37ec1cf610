import type { Mistake } from '#harness/testing';

const called = { origin: 'common', law: 'Called rightly' } as const;

/** Mistakes about the webhooks that match. */
export const matching: readonly Mistake[] = [
  {
    id: 'star-has-subresources',
    why: '`*` matches updates of a status.',
    misconception: 'You seem to believe that a subresource belongs to its resource.',
    ...called,
    edits: [
      ["(sub === '*' || sub === subresource);", "(sub === '*' || entry === '*' || sub === subresource);"],
    ],
  },
  {
    id: 'only-subresources',
    why: '`pods/*` does not match pods.',
    misconception: 'You seem to believe that a slash in a rule is always followed by a subresource.',
    ...called,
    edits: [
      ["(sub === '*' || sub === subresource);", "(sub === '*' ? subresource !== '' : sub === subresource);"],
    ],
  },
  {
    id: 'no-scope',
    why: 'A rule for namespaced resources matches nodes.',
    misconception: 'You seem to believe that a resource name says enough about the objects.',
    ...called,
    edits: [
      [
        "(scope === '*' || scope === (isNamespaced ? 'Namespaced' : 'Cluster')) &&",
        "(scope === '*' || isNamespaced || !isNamespaced) &&",
      ],
    ],
  },
  {
    id: 'namespaces-are-namespaced',
    why: 'A namespace counts as an object in itself.',
    misconception: 'You seem to believe that a request with a namespace is about an object in one.',
    ...called,
    edits: [
      [
        "const isNamespaced = namespace !== '' && !(resource.group === '' && resource.plural === 'namespaces');",
        "const isNamespaced = namespace !== '';",
      ],
    ],
  },
  {
    id: 'any-group',
    why: 'A rule for apps matches pods.',
    ...called,
    edits: [['    includes(rule.apiGroups, resource.group) &&\n', '']],
  },
  {
    id: 'any-version',
    why: 'A rule for v2 matches v1.',
    ...called,
    edits: [['    includes(rule.apiVersions, resource.version) &&\n', '']],
  },
  {
    id: 'any-operation',
    why: 'A rule for CREATE matches DELETE.',
    ...called,
    edits: [['includes(rule.operations, operation) &&', "includes(rule.operations, operation || '') | 1 &&"]],
  },
  {
    id: 'slips-away',
    why: 'The update that removes the label escapes the webhook.',
    misconception: 'You seem to believe that only the new object matters.',
    ...called,
    edits: [
      [
        'return selector.empty || selects(object) || selects(oldObject);',
        'return selector.empty || selects(object ?? oldObject);',
      ],
    ],
  },
  {
    id: 'both-labelled',
    why: 'The update that adds the label escapes the webhook.',
    misconception: 'You seem to believe that a selector must match an object before and after its update.',
    ...called,
    edits: [
      [
        'selects(object) || selects(oldObject)',
        '(selects(object) && (!oldObject || selects(oldObject))) || (!object && selects(oldObject))',
      ],
    ],
  },
  {
    id: 'nothing-is-unlabelled',
    why: 'The missing object of a delete matches a selector for objects without a label.',
    misconception: 'You seem to believe that a missing object is an object without labels.',
    origin: 'kubernetes/kubernetes#66412',
    law: 'Called rightly',
    edits: [
      [
        'each?.metadata !== undefined && selector.matches(each.metadata.labels);',
        'selector.matches(each?.metadata?.labels);',
      ],
    ],
  },
  {
    id: 'stored-labels',
    why: 'A new namespace is judged by stored labels, which it does not have.',
    misconception: 'You seem to believe that the labels of a namespace stand only in the storage.',
    ...called,
    edits: [
      [
        "const hasOwn = isNamespace && subresource === '' && isWrite;",
        "const hasOwn = isNamespace && subresource === '' && operation === 'CREATE';",
      ],
    ],
  },
  {
    id: 'no-labels-at-the-end',
    why: 'The delete of a namespace is judged without labels.',
    misconception: 'You seem to believe that only the new object of a request has labels.',
    ...called,
    edits: [
      [
        "const isWrite = operation === 'CREATE' || operation === 'UPDATE';",
        "const isWrite = operation !== 'CONNECT';",
      ],
    ],
  },
  {
    id: 'cluster-scoped-escape',
    why: 'A namespaceSelector exempts cluster-scoped objects.',
    misconception:
      'You seem to believe that an object outside of all namespaces matches no selector of namespaces.',
    origin: 'kubernetes/kubernetes#72310',
    law: 'Called rightly',
    edits: [
      [
        "if (selector.empty || (namespace === '' && !isNamespace)) return true;",
        "if (selector.empty) return true;\n  if (namespace === '' && !isNamespace) return false;",
      ],
    ],
  },
  {
    id: 'locks-itself-out',
    why: 'A webhook that refuses everything refuses its own removal.',
    misconception: 'You seem to call webhooks for every kind.',
    ...called,
    edits: [
      [
        'if (resource.group === EXEMPT_GROUP) return undefined;',
        'if (resource.kind === EXEMPT_GROUP) return undefined;',
      ],
    ],
  },
  {
    id: 'first-rule',
    why: 'Only the first rule of a webhook counts.',
    misconception: 'You seem to believe that a webhook has one rule.',
    ...called,
    edits: [['const rules = hook.rules ?? [];', 'const rules = (hook.rules ?? []).slice(0, 1);']],
  },
  {
    id: 'first-resource',
    why: 'Only the first resource of a rule counts.',
    misconception: 'You seem to believe that a rule names one resource.',
    ...called,
    edits: [
      ['(rule.resources ?? []).some((entry) => {', '(rule.resources ?? []).slice(0, 1).some((entry) => {'],
    ],
  },
  {
    id: 'no-object-selector',
    why: 'The objectSelector is ignored.',
    ...called,
    edits: [
      [
        'if (!selectsObject(hook, attributes)) return undefined;',
        'if (!selectsObject(hook, attributes) && !resource) return undefined;',
      ],
    ],
  },
];
