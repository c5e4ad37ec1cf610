import type { Mistake } from '#harness/testing';

/** Level 7 · The answer */
export const decisions: readonly Mistake[] = [
  {
    id: 'missing-role-stops',
    why: 'A binding to a missing role ends the search: the binding after it grants nothing.',
    misconception: 'You seem to believe that a role that does not exist is a reason to give up.',
    origin: 'common',
    law: 'Missing roles',
    edits: [
      [
        "    if ('error' in found) errors.push(found.error);\n    else if (ruleAllows",
        `    if ('error' in found) return { verdict: 'no opinion', reason: \`RBAC: \${found.error}\` };\n    else if (ruleAllows`,
      ],
    ],
  },
  {
    id: 'missing-role-is-an-error',
    why: 'A missing role is an internal error: the request gets a 500 instead of a 403.',
    misconception: 'You seem to believe that a role that does not exist is an error of the server.',
    origin: 'common',
    law: 'Missing roles',
    edits: [
      [
        `  return { verdict: 'no opinion', reason: \`RBAC: \${aggregated(errors)}\` };`,
        `  return { verdict: 'no opinion', error: \`RBAC: \${aggregated(errors)}\` };`,
      ],
    ],
  },
  {
    id: 'missing-role-throws',
    why: 'A missing role throws.',
    origin: 'common',
    law: 'Missing roles',
    edits: [
      [
        "    if ('error' in found) errors.push(found.error);\n    else if (ruleAllows",
        "    if ('error' in found) throw new Error(found.error);\n    else if (ruleAllows",
      ],
    ],
  },
  {
    id: 'paths-in-a-namespace',
    why: 'Uses the namespace of a request for a path: a RoleBinding to a ClusterRole with paths allows them.',
    misconception: 'You seem to believe that each field of a request has a meaning.',
    origin: 'this reference, before its laws saw it',
    law: 'Sound',
    edits: [
      [
        "rulesFor(user, isResourceRequest ? namespace : '', cache)",
        'rulesFor(user, isResourceRequest ? namespace : namespace, cache)',
      ],
    ],
  },
  {
    id: 'first-binding-decides',
    why: 'The first binding of the user decides: the second grants nothing more.',
    misconception: 'You seem to believe that a user has one binding.',
    origin: 'common',
    law: 'Any order',
    edits: [
      [
        '    else for (const rule of found.rules) yield { rule, binding, subject };',
        '    else {\n      for (const rule of found.rules) yield { rule, binding, subject };\n      return;\n    }',
      ],
    ],
  },
  {
    id: 'first-rule-decides',
    why: 'Looks only at the first rule of a role.',
    origin: 'common',
    law: 'Any order',
    edits: [
      [
        '    else for (const rule of found.rules) yield { rule, binding, subject };',
        '    else for (const rule of found.rules.slice(0, 1)) yield { rule, binding, subject };',
      ],
    ],
  },
  {
    id: 'no-opinion-is-deny',
    why: 'Takes the first authorizer without an opinion for a refusal.',
    misconception: 'You seem to believe that an authorizer that does not allow a request refuses it.',
    origin: 'common',
    law: 'Complete',
    edits: [
      [
        "    if (decision.verdict !== 'no opinion') return decision;\n",
        "    if (decision.verdict !== 'no opinion' || authorizers.length > 0) return decision;\n",
      ],
    ],
  },
  {
    id: 'masters-need-a-role',
    why: 'Gives system:masters no rights of their own: an administrator who breaks the roles cannot repair them.',
    origin: 'common',
    law: 'Masters',
    edits: [["  if (attributes.user.groups.includes(MASTERS)) return { verdict: 'allow' };\n", '']],
  },
  {
    id: 'masters-by-name',
    why: 'Takes the user `admin` for an administrator.',
    origin: 'common',
    law: 'Masters',
    edits: [
      [
        '  if (attributes.user.groups.includes(MASTERS)) return',
        "  if (attributes.user.name === 'admin' && attributes.user.groups.includes(MASTERS)) return",
      ],
    ],
  },
  {
    id: 'allowed-is-remembered',
    why: 'Remembers each allow: a deleted binding keeps its effect.',
    misconception: 'You seem to believe that an answer stays right.',
    origin: 'common: a cache of decisions',
    law: 'Prompt',
    edits: [
      [
        '  const ask: Authorizer = (attributes) =>\n    authorize(\n      attributes,\n      order.map((name) => authorizers[name]),\n    );',
        `  const known = new Map<string, ReturnType<Authorizer>>();
  const ask: Authorizer = (attributes) => {
    const key = JSON.stringify(attributes);
    const decision =
      known.get(key) ??
      authorize(
        attributes,
        order.map((name) => authorizers[name]),
      );
    if (decision.verdict === 'allow') known.set(key, decision);
    return decision;
  };`,
      ],
    ],
  },
  {
    id: 'refused-is-remembered',
    why: 'Remembers each refusal: a new binding has no effect on a user who asked before.',
    misconception: 'You seem to believe that an answer stays right.',
    origin: 'k#128910 in spirit',
    law: 'Prompt',
    edits: [
      [
        '  const ask: Authorizer = (attributes) =>\n    authorize(\n      attributes,\n      order.map((name) => authorizers[name]),\n    );',
        `  const known = new Map<string, ReturnType<Authorizer>>();
  const ask: Authorizer = (attributes) => {
    const key = JSON.stringify(attributes);
    const decision =
      known.get(key) ??
      authorize(
        attributes,
        order.map((name) => authorizers[name]),
      );
    if (decision.verdict !== 'allow') known.set(key, decision);
    return decision;
  };`,
      ],
    ],
  },
  {
    id: 'existence-shows',
    why: 'Adds to a refusal whether the object exists: a user without any right can list names.',
    misconception: 'You seem to believe that a helpful refusal is harmless.',
    origin: 'common',
    law: 'Silent',
    edits: [
      [
        '  const ask: Authorizer = (attributes) =>\n    authorize(\n      attributes,\n      order.map((name) => authorizers[name]),\n    );',
        `  const ask: Authorizer = (attributes) => {
    const decision = authorize(
      attributes,
      order.map((name) => authorizers[name]),
    );
    const { apiGroup, resource, namespace, name } = attributes;
    if (decision.verdict === 'allow' || apiGroup !== '' || name === '') return decision;
    const place = { group: '', version: 'v1', plural: resource, namespaced: true } as Parameters<typeof read>[0];
    return read(place, { namespace, name }) ? decision : { ...decision, reason: \`\${name} not found\` };
  };`,
      ],
    ],
  },
  {
    id: 'lists-only-the-cluster',
    why: 'Lists only the rules of ClusterRoleBindings.',
    origin: 'common',
    law: 'Lists rules',
    edits: [['? [...rulesFor(user, namespace, cache)] : [];', "? [...rulesFor(user, '', cache)] : [];"]],
  },
  {
    id: 'lists-only-the-first',
    why: 'Lists one rule of each error-free role twice, and hides the last one.',
    origin: 'common',
    law: 'Lists rules',
    edits: [
      [
        "        rules: found.flatMap((each) => ('rule' in each ? [each.rule] : [])),\n        incomplete",
        "        rules: found.slice(0, 1).flatMap((each) => ('rule' in each ? [each.rule] : [])),\n        incomplete",
      ],
    ],
  },
];
