import type { Mistake } from '#harness/testing';

/** Levels 1, 2 and 8, and the list of rules: mistakes that need a certain place, name or old object */
export const delegation: readonly Mistake[] = [
  {
    id: 'bind-in-the-cluster',
    why: 'Asks for `bind` in the whole cluster if the role is a ClusterRole: a right in the namespace does not count.',
    misconception: 'You seem to believe that the place of a role is the place of its binding.',
    origin: 'common',
    law: 'Escalate and bind',
    edits: [
      [
        "resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace, name };",
        "resource: kind === 'Role' ? 'roles' : 'clusterroles', namespace: kind === 'Role' ? namespace : '', name };",
      ],
    ],
  },
  {
    id: 'escalate-by-name-creates',
    why: 'Asks for `escalate` with the name of a new role: a right to one existing role creates it with any rules.',
    misconception: 'You seem to believe that a create has a name.',
    origin: 'common',
    law: 'No escalation',
    edits: [["name: old ? name : '' };", 'name };']],
  },
  {
    id: 'old-aggregate-unchecked',
    why: 'Looks for an aggregationRule only in the new role: an update that removes it passes.',
    misconception: 'You seem to believe that an update cannot take a rule away from its owners.',
    origin: 'common',
    law: 'No escalation',
    edits: [['  if (isAggregate(role) || isAggregate(old)) {', '  if (isAggregate(role)) {']],
  },
  {
    id: 'missing-role-forbidden',
    why: 'Refuses a binding to a missing role with a 403 instead of a 404.',
    misconception: 'You seem to believe that each refusal of a grant is a 403.',
    origin: 'common',
    law: 'No escalation',
    edits: [
      [
        'throw errors.notFound({ group: RBAC, plural: asked.resource }, name);',
        'throw errors.forbidden(write.resource, write.object.metadata.name, found.error);',
      ],
    ],
  },
  {
    id: 'list-without-errors',
    why: 'Leaves out the errors: a list of rules hides that a role is missing.',
    origin: 'common',
    law: 'Lists rules',
    edits: [
      [
        "        errors: isNode ? ['node authorizer does not support user rule resolution', ...errors] : errors,",
        "        errors: isNode ? ['node authorizer does not support user rule resolution', ...errors] : [],",
      ],
    ],
  },
  {
    id: 'list-of-a-node-complete',
    why: 'Calls the list of rules of a node complete, although the node authorizer allows more.',
    misconception: 'You seem to believe that all rights are rules.',
    origin: 'common',
    law: 'Nodes read',
    edits: [['        incomplete: isNode,', '        incomplete: false,']],
  },
  {
    id: 'empty-uid',
    why: 'Accepts a certificate with an empty UID.',
    origin: 'common',
    law: 'Right user',
    edits: [["  if (uid === '') return { rejected: ['UID cannot be an empty string'] };\n", '']],
  },
  {
    id: 'static-token-keeps-all-audiences',
    why: 'Returns all audiences of the apiserver for a static token, also those that the review did not ask for.',
    origin: 'common',
    law: 'Right audience',
    edits: [
      [
        '  if (user && shared.length > 0) return { user, audiences: shared };',
        '  if (user && shared.length > 0) return { user, audiences: configuration.audiences };',
      ],
    ],
  },
];
