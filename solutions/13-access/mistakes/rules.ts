import type { Mistake } from '#harness/testing';

/** Levels 5 and 6 · One rule, and whose rules */
export const rules: readonly Mistake[] = [
  {
    id: 'resource-covers-its-subresources',
    why: 'A rule for `pods` allows `pods/exec` and `pods/log`, too.',
    misconception: 'You seem to believe that a subresource belongs to its resource.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        `: includes(resources, \`\${resource}/\${subresource}\`) || includes(resources, \`*/\${subresource}\`)) &&`,
        `: includes(resources, resource) || includes(resources, \`\${resource}/\${subresource}\`) || includes(resources, \`*/\${subresource}\`)) &&`,
      ],
    ],
  },
  {
    id: 'star-after-the-slash',
    why: 'Takes `pods/*` for all subresources of pods. It is no wildcard.',
    misconception: 'You seem to believe that a star is a wildcard wherever it stands.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        `: includes(resources, \`\${resource}/\${subresource}\`) ||`,
        `: includes(resources, \`\${resource}/*\`) || includes(resources, \`\${resource}/\${subresource}\`) ||`,
      ],
    ],
  },
  {
    id: 'star-before-the-slash',
    why: 'Does not know `*/scale`.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        `: includes(resources, \`\${resource}/\${subresource}\`) || includes(resources, \`*/\${subresource}\`)) &&`,
        `: includes(resources, \`\${resource}/\${subresource}\`)) &&`,
      ],
    ],
  },
  {
    id: 'subresource-ignored',
    why: 'Never looks at the subresource.',
    origin: 'common',
    law: 'Sound',
    edits: [["    (subresource === ''\n      ?", "    (subresource !== 'never'\n      ?"]],
  },
  {
    id: 'names-do-not-restrict-collections',
    why: 'Lets a rule with resourceNames allow creates and lists: a request without a name has none of these names.',
    misconception: 'You seem to believe that a request without a name cannot break a restriction of names.',
    origin: 'k#63469',
    law: 'Sound',
    edits: [
      [
        '    (resourceNames.length === 0 || resourceNames.includes(name))\n  );\n}\n\n/** Returns whether a path',
        "    (resourceNames.length === 0 || name === '' || resourceNames.includes(name))\n  );\n}\n\n/** Returns whether a path",
      ],
    ],
  },
  {
    id: 'names-ignored',
    why: 'Ignores resourceNames.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '    (resourceNames.length === 0 || resourceNames.includes(name))\n  );\n}\n\n/** Returns whether a path',
        '    resourceNames.length >= 0\n  );\n}\n\n/** Returns whether a path',
      ],
    ],
  },
  {
    id: 'no-names-is-nothing',
    why: 'A rule without resourceNames allows no named object.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        '    (resourceNames.length === 0 || resourceNames.includes(name))\n  );\n}\n\n/** Returns whether a path',
        "    (name === '' ? resourceNames.length === 0 : resourceNames.includes(name))\n  );\n}\n\n/** Returns whether a path",
      ],
    ],
  },
  {
    id: 'group-ignored',
    why: 'Ignores the API group: a rule for `deployments` in the group `extensions` allows those of `apps`.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '    includes(rule.apiGroups, apiGroup) &&\n',
        '    rule.apiGroups !== undefined && apiGroup !== undefined &&\n',
      ],
    ],
  },
  {
    id: 'core-group-by-name',
    why: 'Takes "core" for the name of the group "".',
    misconception: 'You seem to believe that the core group is called core.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '    includes(rule.apiGroups, apiGroup) &&\n',
        "    (includes(rule.apiGroups, apiGroup) || (apiGroup === '' && includes(rule.apiGroups, 'core'))) &&\n",
      ],
    ],
  },
  {
    id: 'empty-group-is-any',
    why: 'Takes the group "" of a rule for all groups.',
    misconception: 'You seem to believe that an empty group means any group.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '    includes(rule.apiGroups, apiGroup) &&\n',
        "    (includes(rule.apiGroups, apiGroup) || includes(rule.apiGroups, '')) &&\n",
      ],
    ],
  },
  {
    id: 'verbs-in-any-case',
    why: 'Compares verbs without case: `GET` in a rule allows `get`.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '  if (!includes(rule.verbs, verb)) return false;',
        '  if (!includes(rule.verbs.map((each) => each.toLowerCase()), verb)) return false;',
      ],
    ],
  },
  {
    id: 'verbs-by-prefix',
    why: 'Takes `delete` for a permission to `deletecollection`, which deletes everything.',
    misconception: 'You seem to believe that deletecollection is a delete.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '  if (!includes(rule.verbs, verb)) return false;',
        "  if (!includes(rule.verbs, verb) && !(verb === 'deletecollection' && includes(rule.verbs, 'delete'))) return false;",
      ],
    ],
  },
  {
    id: 'list-is-watch',
    why: 'Takes `list` for a permission to `watch`.',
    misconception: 'You seem to believe that a watch is a kind of list.',
    origin: 'k#129201 in reverse',
    law: 'Sound',
    edits: [
      [
        '  if (!includes(rule.verbs, verb)) return false;',
        "  if (!includes(rule.verbs, verb === 'watch' && includes(rule.verbs, 'list') ? 'list' : verb)) return false;",
      ],
    ],
  },
  {
    id: 'url-prefix-without-star',
    why: 'Takes each URL of a rule for a prefix.',
    misconception: 'You seem to believe that a path stands for everything below it.',
    origin: 'common',
    law: 'Sound',
    edits: [['(url.endsWith(ALL) && path.startsWith(', '(url !== path && path.startsWith(']],
  },
  {
    id: 'url-star-includes-its-parent',
    why: '`/healthz/*` allows `/healthz`, too.',
    origin: 'common',
    law: 'Sound',
    edits: [["path.startsWith(url.replace(/\\*+$/, ''))", "path.startsWith(url.replace(/\\/?\\*+$/, ''))"]],
  },
  {
    id: 'url-without-star',
    why: 'Does not know `*` at the end of a URL.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        "return url === path || (url.endsWith(ALL) && path.startsWith(url.replace(/\\*+$/, '')));",
        "return url === path || url === ALL || (url.endsWith('**') && path.startsWith(url));",
      ],
    ],
  },
  {
    id: 'resource-rule-for-paths',
    why: 'Lets a rule for all resources allow all paths, too.',
    misconception: 'You seem to believe that a star for resources includes paths.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        'if (!isResourceRequest) return (rule.nonResourceURLs ?? []).some(',
        'if (!isResourceRequest) return (rule.nonResourceURLs ?? rule.resources ?? []).some(',
      ],
    ],
  },
  {
    id: 'user-is-a-group',
    why: 'Compares the name of a Group with the name of the user, too.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '      return user.groups.includes(subject.name);',
        '      return user.groups.includes(subject.name) || user.name === subject.name;',
      ],
    ],
  },
  {
    id: 'group-is-a-user',
    why: 'Compares the name of a User with the groups, too.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '      return user.name === subject.name;',
        '      return user.name === subject.name || user.groups.includes(subject.name);',
      ],
    ],
  },
  {
    id: 'star-is-everybody',
    why: 'Takes the User `*` for everybody.',
    misconception: 'You seem to believe that a star is a wildcard wherever it stands.',
    origin: 'older versions of Kubernetes',
    law: 'Sound',
    edits: [
      [
        '      return user.name === subject.name;',
        '      return user.name === subject.name || subject.name === ALL;',
      ],
    ],
  },
  {
    id: 'names-in-any-case',
    why: 'Compares user names without case.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '      return user.name === subject.name;',
        '      return user.name.toLowerCase() === subject.name.toLowerCase();',
      ],
    ],
  },
  {
    id: 'account-of-any-namespace',
    why: 'Compares only the name of a service account: the account of the same name in another namespace has its rights.',
    misconception: 'You seem to believe that a service account is known by its name.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        "return namespace !== '' && user.name === serviceAccountName(namespace, subject.name);",
        "return user.name === serviceAccountName(user.name.split(':')[2] ?? namespace, subject.name);",
      ],
    ],
  },
  {
    id: 'account-of-the-binding',
    why: 'Always looks for a service account in the namespace of the binding.',
    misconception: 'You seem to believe that a binding names only accounts of its own namespace.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        'const namespace = subject.namespace || bindingNamespace;',
        'const namespace = bindingNamespace || subject.namespace || bindingNamespace;',
      ],
    ],
  },
  {
    id: 'account-without-namespace',
    why: 'Does not default the namespace of a service account to that of the binding.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        'const namespace = subject.namespace || bindingNamespace;',
        "const namespace = subject.namespace ?? '';",
      ],
    ],
  },
  {
    id: 'account-of-no-namespace',
    why: 'Takes `system:serviceaccount::builder` for the account builder of a ClusterRoleBinding without a namespace. A certificate can name this user.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The apiserver rejects such a subject of a ClusterRoleBinding.',
    edits: [["return namespace !== '' && user.name ===", 'return user.name ===']],
  },
  {
    id: 'account-is-its-bare-name',
    why: 'Takes a user with the name of a service account for that account.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        "return namespace !== '' && user.name === serviceAccountName(namespace, subject.name);",
        "return namespace !== '' && (user.name === serviceAccountName(namespace, subject.name) || user.name === subject.name);",
      ],
    ],
  },
  {
    id: 'first-subject-only',
    why: 'Looks only at the first subject of a binding.',
    origin: 'common',
    law: 'Any order',
    edits: [
      [
        'binding.subjects?.find((each) => appliesTo(each, user, home));',
        'binding.subjects?.slice(0, 1).find((each) => appliesTo(each, user, home));',
      ],
    ],
  },
  {
    id: 'role-of-the-request',
    why: 'Looks up a ClusterRole with a Role of the same name first.',
    misconception: 'You seem to believe that the name of a role says which kind it has.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        "    kind === 'ClusterRole'\n      ? cache.get(clusterRoles, { name })\n      : cache.get(roles, { namespace: bindingNamespace, name });",
        "    kind === 'ClusterRole'\n      ? (cache.get(roles, { namespace: bindingNamespace, name }) ?? cache.get(clusterRoles, { name }))\n      : cache.get(roles, { namespace: bindingNamespace, name });",
      ],
    ],
  },
  {
    id: 'cluster-role-instead-of-role',
    why: 'Falls back to a ClusterRole if the Role does not exist.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        '      : cache.get(roles, { namespace: bindingNamespace, name });',
        '      : (cache.get(roles, { namespace: bindingNamespace, name }) ?? cache.get(clusterRoles, { name }));',
      ],
    ],
  },
  {
    id: 'role-bindings-of-all-namespaces',
    why: 'A RoleBinding grants its rights in all namespaces.',
    misconception: 'You seem to believe that a binding to a ClusterRole counts in the whole cluster.',
    origin: 'common',
    law: 'Sound',
    edits: [
      ["...(namespace === '' ? [] : cache.list(roleBindings, namespace)),", '...cache.list(roleBindings),'],
    ],
  },
  {
    id: 'role-bindings-for-the-cluster',
    why: 'A RoleBinding counts for requests across all namespaces, too.',
    origin: 'common',
    law: 'Sound',
    edits: [
      [
        "...(namespace === '' ? [] : cache.list(roleBindings, namespace)),",
        "...cache.list(roleBindings, namespace === '' ? undefined : namespace),",
      ],
    ],
  },
  {
    id: 'cluster-bindings-for-the-cluster-only',
    why: 'A ClusterRoleBinding does not count in namespaces.',
    misconception: 'You seem to believe that a namespace has only its own bindings.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        '    ...cache.list(clusterRoleBindings),\n',
        "    ...(namespace === '' ? cache.list(clusterRoleBindings) : []),\n",
      ],
    ],
  },
];
