import type { Mistake } from '#harness/testing';

/** Levels 6 and 8 · Which rights count, and which writes */
export const heldRights: readonly Mistake[] = [
  {
    id: 'star-is-every-name',
    why: 'Takes the name `*` for all names: who may read the object `*` may grant all objects.',
    misconception: 'You seem to believe that `*` means everything wherever it stands.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    (resourceNames.length === 0 || (right',
        "    (resourceNames.length === 0 || resourceNames.includes('*') || (right",
      ],
    ],
  },
  {
    id: 'fewer-subjects-unchecked',
    why: 'Does not check an update of a binding that adds no subject.',
    misconception: 'You seem to believe that the apiserver checks the difference, not the object.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        "  if ('roleRef' in write.object) checkBinding(write, write.object, checks);\n",
        `  if ('roleRef' in write.object) {
    const before = write.old && 'roleRef' in write.old ? (write.old.subjects ?? []) : [];
    const isNew = (subject: rbac.Subject): boolean =>
      !before.some((each) => JSON.stringify(each) === JSON.stringify(subject));
    if (!write.old || write.object.subjects?.some(isNew)) checkBinding(write, write.object, checks);
  }
`,
      ],
    ],
  },
  {
    id: 'nobody-bound-unchecked',
    why: 'Does not check a binding without subjects.',
    misconception: 'You seem to believe that a binding to nobody is no grant.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        "  if ('roleRef' in write.object) checkBinding(write, write.object, checks);\n",
        `  if ('roleRef' in write.object) {
    if (write.object.subjects?.length) checkBinding(write, write.object, checks);
  }
`,
      ],
    ],
  },
  {
    id: 'old-rules-stay',
    why: 'Checks only the rules that an update adds: whoever may write a role keeps the others in it.',
    misconception: 'You seem to believe that the apiserver checks the difference, not the object.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '  mustHold(write, role.rules ?? [], cache);',
        `  const before = old && 'rules' in old && !role.metadata.labels ? (old.rules ?? []) : [];
  const isNew = (rule: rbac.PolicyRule): boolean =>
    !before.some((each) => JSON.stringify(each) === JSON.stringify(rule));
  mustHold(write, (role.rules ?? []).filter(isNew), cache);`,
      ],
    ],
  },
  {
    id: 'rights-of-the-authorizers',
    why: 'Counts each right that some authorizer allows: a node grants what only nodes may do.',
    misconception: 'You seem to believe that whoever may do something may also give it away.',
    origin: 'common',
    law: 'Nodes only',
    edits: [
      [
        '  mustHold(write, role.rules ?? [], cache);',
        '  mustHold(write, role.rules ?? [], cache, authorize);',
      ],
      ['  mustHold(write, found.rules, cache);', '  mustHold(write, found.rules, cache, authorize);'],
      [
        'function mustHold(write: GrantWrite, rules: readonly rbac.PolicyRule[], cache: ObjectCache): void {',
        'function mustHold(write: GrantWrite, rules: readonly rbac.PolicyRule[], cache: ObjectCache, ask: Authorizer): void {',
      ],
      [
        '  const missing = uncovered(held, rules);',
        `  const missing = uncovered(held, rules).filter(({ verbs: [verb = ''], apiGroups = [], resources = [], resourceNames = [] }) => {
    const [[apiGroup = ''], [resource = ''], [only = '']] = [apiGroups, resources, resourceNames];
    const asked = { verb, apiGroup, resource, namespace: placeOf(write), name: only };
    return ask(resourceAttributes(user, asked)).verdict !== 'allow';
  });`,
      ],
    ],
  },
  {
    id: 'errors-of-others',
    why: 'Reports a missing role although the binding does not name the user: a refusal shows the roles of others.',
    misconception: 'You seem to believe that an error belongs to everybody.',
    origin: 'common',
    law: 'Missing roles',
    edits: [
      [
        '    if (!subject) continue;\n    const found = rulesOfRole(binding.roleRef, home, cache);\n    if (',
        "    const found = rulesOfRole(binding.roleRef, home, cache);\n    if (!subject && !('error' in found)) continue;\n    if (",
      ],
      ['yield { rule, binding, subject };', 'if (subject) yield { rule, binding, subject };'],
    ],
  },
  {
    id: 'ending-bindings-grant-nothing',
    why: 'Ignores a binding that is being deleted: a finalizer takes rights away before the binding is gone.',
    misconception: 'You seem to believe that a deletion timestamp is the end of an object.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        '  for (const binding of bindings) {\n',
        '  for (const binding of bindings) {\n    if (binding.metadata.deletionTimestamp) continue;\n',
      ],
    ],
  },
  {
    id: 'star-without-subresources',
    why: 'Takes `*` for all resources, but not for their subresources.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        '    has(resources, resource) ||\n',
        "    (resource.includes('/') ? resources.includes(resource) : has(resources, resource)) ||\n",
      ],
    ],
  },
  {
    id: 'subresource-star-lacks-itself',
    why: 'Does not know that `*/log` contains `*/log`.',
    misconception: 'You seem to believe that a wildcard contains only names.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        '    has(resources, resource) ||\n',
        "    (has(resources, resource) && !resource.startsWith('*/')) ||\n",
      ],
      ["    (resource.includes('/') && ", '    (/^[^*]+[/]/.test(resource) && '],
    ],
  },
  {
    id: 'star-after-a-slash',
    why: 'Compares paths below a URL only if its `*` follows a slash.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        'nonResourceURLs.some((url) => matchesPath(url, path))',
        'nonResourceURLs.some((url) => url === path || (/(^|[/])[*]$/.test(url) && matchesPath(url, path)))',
      ],
    ],
  },
];
