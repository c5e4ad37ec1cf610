import type { Mistake } from '#harness/testing';

/** Level 8 · No more than you have */
export const grants: readonly Mistake[] = [
  {
    id: 'roles-unchecked',
    why: 'Whoever may write roles may write any role: a user with edit on roles becomes an administrator.',
    misconception:
      'You seem to believe that the right to write a role is the right to write anything into it.',
    origin: 'common',
    law: 'No escalation',
    edits: [['  else checkRole(write, write.object, checks);', '  else void checkRole;']],
  },
  {
    id: 'bindings-unchecked',
    why: 'Whoever may write bindings may bind any role.',
    misconception: 'You seem to believe that a binding grants nothing new, because its role exists already.',
    origin: 'k#39383',
    law: 'No escalation',
    edits: [
      [
        "  if ('roleRef' in write.object) checkBinding(write, write.object, checks);\n",
        "  if ('roleRef' in write.object) void checkBinding;\n",
      ],
    ],
  },
  {
    id: 'updates-unchecked',
    why: 'Checks creates only: an update can add any rule.',
    misconception: 'You seem to believe that what was checked once stays checked.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '  if (write.user.groups.includes(MASTERS) || changesOnlyCollectorFields(write)) return;',
        '  if (write.user.groups.includes(MASTERS) || write.old || changesOnlyCollectorFields(write)) return;',
      ],
    ],
  },
  {
    id: 'binding-updates-unchecked',
    why: 'Checks the creation of a binding, but not its update: its role stays the same, but its subjects do not.',
    misconception:
      'You seem to believe that an update of a binding grants nothing, because its role never changes.',
    origin: 'common',
    law: 'No escalation',
    isFirstDraft: true,
    edits: [
      [
        "  if ('roleRef' in write.object) checkBinding(write, write.object, checks);\n",
        "  if ('roleRef' in write.object) {\n    if (!write.old) checkBinding(write, write.object, checks);\n  }\n",
      ],
    ],
  },
  {
    id: 'collector-is-refused',
    why: 'Refuses updates that change only finalizers: the garbage collector cannot delete roles.',
    misconception: 'You seem to believe that each update of a role grants its rules.',
    origin: 'k#90534',
    law: 'May share',
    edits: [[' || changesOnlyCollectorFields(write)) return;', ' || !changesOnlyCollectorFields) return;']],
  },
  {
    id: 'rule-by-rule',
    why: 'Requires that one rule contains each whole rule: rights of two rules cannot be granted together.',
    misconception: 'You seem to believe that a user has rules, not rights.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        '  return granted.flatMap(singleRights).filter((right) => !held.some((rule) => contains(rule, right)));',
        '  return granted.filter((rule) => !held.some((own) => singleRights(rule).every((right) => contains(own, right))));',
      ],
    ],
  },
  {
    id: 'equal-rules-only',
    why: 'Compares rights for equality: `*` contains nothing.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        "    values.includes('*') || values.includes(value);\n  const hasResource",
        '    values.includes(value);\n  const hasResource',
      ],
    ],
  },
  {
    id: 'verbs-uncompared',
    why: 'Compares resources, but not verbs: who may read secrets may grant their deletion.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    right.verbs.every((verb) => has(verbs, verb)) &&\n',
        "    (verbs.length > 0 || has(verbs, '')) &&\n",
      ],
    ],
  },
  {
    id: 'names-uncompared',
    why: 'Ignores resourceNames: who may read one secret may grant all.',
    misconception: 'You seem to believe that a right to one object is a right to the resource.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    (resourceNames.length === 0 || (right.resourceNames ?? []).some((name) => resourceNames.includes(name)))\n',
        '    resourceNames.length >= 0\n',
      ],
    ],
  },
  {
    id: 'no-name-is-every-name',
    why: 'Takes a granted right without a name for one that any name covers.',
    misconception: 'You seem to believe that no names are fewer than some names.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '(resourceNames.length === 0 || (right.resourceNames ?? []).some((name) => resourceNames.includes(name)))',
        '(resourceNames.length === 0 || (right.resourceNames ?? []).every((name) => resourceNames.includes(name)))',
      ],
    ],
  },
  {
    id: 'groups-uncompared',
    why: 'Ignores API groups when it compares rights.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    (right.apiGroups ?? []).every((group) => has(apiGroups, group)) &&\n',
        '    apiGroups !== undefined &&\n',
      ],
    ],
  },
  {
    id: 'urls-uncompared',
    why: 'Does not compare paths: everybody who may write ClusterRoles may grant all of them.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    (right.nonResourceURLs ?? []).every((path) => nonResourceURLs.some((url) => matchesPath(url, path))) &&\n',
        "    (nonResourceURLs.length >= 0 || matchesPath('', '')) &&\n",
      ],
    ],
  },
  {
    id: 'subresources-by-resource',
    why: 'Takes the right to a resource for the right to its subresources when it compares.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '    has(resources, resource) ||\n',
        "    has(resources, resource.split('/')[0] ?? '') ||\n    has(resources, resource) ||\n",
      ],
    ],
  },
  {
    id: 'scale-of-one-resource',
    why: 'Does not know that `*/scale` contains `deployments/scale`.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        "    (resource.includes('/') && resources.includes(resource.replace(/^[^/]*/, '*')));",
        "    (resource.includes('//') && resources.includes(resource.replace(/^[^/]*/, '*')));",
      ],
    ],
  },
  {
    id: 'rights-of-the-cluster-only',
    why: 'Compares with cluster-wide rights only: the admin of a namespace cannot write a Role in it.',
    misconception: 'You seem to believe that rights in one namespace are no rights.',
    origin: 'common',
    law: 'May share',
    edits: [
      [
        'const found = [...rulesFor(user, placeOf(write), cache)];\n  const held',
        "const found = [...rulesFor(user, placeOf(write) && '', cache)];\n  const held",
      ],
    ],
  },
  {
    id: 'rights-of-any-namespace',
    why: 'Compares a ClusterRole with rights in the namespace `a`: who has them there gets them everywhere.',
    misconception: 'You seem to believe that a right is the same wherever it holds.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        'const found = [...rulesFor(user, placeOf(write), cache)];\n  const held',
        "const found = [...rulesFor(user, placeOf(write) || 'a', cache)];\n  const held",
      ],
    ],
  },
  {
    id: 'namespace-of-a-cluster-role',
    why: 'Compares a ClusterRole with the rights in the namespace that its metadata name.',
    misconception: 'You seem to believe that an object is in the namespace of its metadata.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'The apiserver removes the namespace of such an object before the check.',
    edits: [
      [
        "resource.namespaced ? (object.metadata.namespace ?? '') : '';",
        "resource.namespaced ? (object.metadata.namespace ?? '') : (object.metadata.namespace ?? '');",
      ],
    ],
  },
  {
    id: 'missing-role-binds',
    why: 'Allows a binding to a missing role: whoever creates this role later decides what it grants.',
    misconception: 'You seem to believe that a role that does not exist can do no harm.',
    origin: 'k#39383',
    law: 'No escalation',
    edits: [
      [
        "  if ('error' in found) throw errors.notFound({ group: RBAC, plural: asked.resource }, name);",
        "  if ('error' in found) return;",
      ],
    ],
  },
  {
    id: 'aggregate-unchecked',
    why: 'Lets everybody write an aggregationRule: it fills the role with rules that nobody compared.',
    misconception: 'You seem to believe that a role grants only the rules in its own list.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        '  if (isAggregate(role) || isAggregate(old)) {',
        '  if (isAggregate(role) && isAggregate(old) && role === old) {',
      ],
    ],
  },
  {
    id: 'aggregate-checked-when-new',
    why: 'Checks an aggregationRule only in a create, not in an update.',
    origin: 'common',
    law: 'No escalation',
    edits: [['  if (isAggregate(role) || isAggregate(old)) {', '  if (isAggregate(role) && !old) {']],
  },
  {
    id: 'no-escalate',
    why: 'Does not know the verb `escalate`: the controller that reconciles roles cannot work.',
    origin: 'common',
    law: 'Escalate and bind',
    edits: [
      [
        "{ ...asked, verb: 'escalate' })).verdict === 'allow') return;",
        "{ ...asked, verb: 'escalate' })).verdict === 'deny') return;",
      ],
    ],
  },
  {
    id: 'no-bind',
    why: 'Does not know the verb `bind`.',
    origin: 'common',
    law: 'Escalate and bind',
    edits: [
      [
        "{ ...asked, verb: 'bind' })).verdict === 'allow') return;",
        "{ ...asked, verb: 'bind' })).verdict === 'deny') return;",
      ],
    ],
  },
  {
    id: 'bind-of-the-binding',
    why: 'Asks for `bind` on the binding instead of on its role.',
    misconception: 'You seem to believe that the verb bind is about bindings.',
    origin: 'common',
    law: 'Escalate and bind',
    edits: [
      [
        "const asked = { apiGroup: RBAC, resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name };",
        "const asked = { apiGroup: RBAC, resource: kind === 'Role' ? 'rolebindings' : 'clusterrolebindings', namespace, name };",
      ],
    ],
  },
  {
    id: 'bind-any-name',
    why: 'Ignores the name of the role in `bind`: the right to bind one role is the right to bind all.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        "resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name };",
        "resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name: name && 'r1' };",
      ],
    ],
  },
  {
    id: 'escalate-is-bind',
    why: 'Takes `escalate` for `bind`: who may write strong roles may also give them away.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        "{ ...asked, verb: 'bind' })).verdict === 'allow') return;",
        "{ ...asked, verb: 'escalate' })).verdict === 'allow') return;",
      ],
    ],
  },
  {
    id: 'role-from-the-cache',
    why: 'Reads the role of a binding from the cache: while it lags, a role can be bound that has become stronger.',
    misconception: 'You seem to believe that your cache is as new as the storage.',
    origin: 'this reference, before these laws',
    law: 'No escalation',
    edits: [['    get: read,\n', '    get: (resource, key) => cache.get(resource, key),\n']],
  },
  {
    id: 'rights-from-the-cache',
    why: 'Lists bindings from the cache alone: while it lags, a user grants a right that the user has just lost.',
    misconception: 'You seem to believe that your cache is as new as the storage.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        'cache.list(resource, namespace).flatMap((object) => read(resource, keyOf(object)) ?? []),',
        'cache.list(resource, namespace).filter((object) => keyOf(object)),',
      ],
    ],
  },
  {
    id: 'refused-as-internal',
    why: 'Answers an escalation with a 500.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        'throw errors.forbidden(resource, name, notHeld(user, missing, problems));',
        `throw errors.internal(\`\${resource.plural} \${name}: \${notHeld(user, missing, problems)}\`);`,
      ],
    ],
  },
];
