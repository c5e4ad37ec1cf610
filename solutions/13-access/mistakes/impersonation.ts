import type { Mistake } from '#harness/testing';

/** Level 9 · In the name of another */
export const impersonation: readonly Mistake[] = [
  {
    id: 'anybody-acts-as-anybody',
    why: 'Asks for no right.',
    origin: 'common',
    law: 'No impersonation',
    edits: [
      [
        "    if (verdict !== 'allow') throw forbidden(question,",
        "    if (verdict === 'deny') throw forbidden(question,",
      ],
    ],
  },
  {
    id: 'groups-for-free',
    why: 'Checks the user, but not the groups: with the right to act as bob, one acts as bob in system:masters.',
    misconception: 'You seem to believe that the groups of a user come with the user.',
    origin: 'common',
    law: 'No impersonation',
    edits: [["  for (const name of asked.groups) require({ resource: 'groups', name });\n", '']],
  },
  {
    id: 'first-group-only',
    why: 'Checks only the first group.',
    origin: 'common',
    law: 'No impersonation',
    edits: [
      [
        '  for (const name of asked.groups) require(',
        '  for (const name of asked.groups.slice(0, 1)) require(',
      ],
    ],
  },
  {
    id: 'uid-for-free',
    why: 'Does not check the UID.',
    origin: 'k#110472 in spirit',
    law: 'No impersonation',
    edits: [
      ["  if (asked.uid) require({ apiGroup: AUTHENTICATION, resource: 'uids', name: asked.uid });\n", ''],
    ],
  },
  {
    id: 'extra-for-free',
    why: 'Does not check the extra facts.',
    origin: 'common',
    law: 'No impersonation',
    edits: [
      [
        "      require({ apiGroup: AUTHENTICATION, resource: 'userextras', subresource: key, name });\n",
        '      void [key, name];\n',
      ],
    ],
  },
  {
    id: 'extra-without-its-key',
    why: 'Checks `userextras` without the key: the right to one fact is the right to all.',
    origin: 'common',
    law: 'No impersonation',
    edits: [
      [
        "resource: 'userextras', subresource: key, name });",
        "resource: 'userextras', subresource: key.slice(99), name });",
      ],
    ],
  },
  {
    id: 'extra-in-the-core-group',
    why: 'Checks the extra facts in the core group.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        "      require({ apiGroup: AUTHENTICATION, resource: 'userextras',",
        "      require({ apiGroup: '', resource: 'userextras',",
      ],
    ],
  },
  {
    id: 'account-is-a-user',
    why: 'Checks a service account as a user.',
    misconception: 'You seem to believe that a service account is a user like any other.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        "  if (account) require({ resource: 'serviceaccounts', ...account });\n  else require({ resource: 'users', name: asked.user });",
        "  require({ resource: 'users', name: asked.user });",
      ],
    ],
  },
  {
    id: 'name-not-checked',
    why: 'Checks whether the user may impersonate at all, not whom.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        "  else require({ resource: 'users', name: asked.user });",
        "  else require({ resource: 'users', name: '' });",
      ],
    ],
  },
  {
    id: 'keeps-own-groups',
    why: 'The user keeps its own groups in the name of another.',
    misconception: 'You seem to believe that acting as another adds an identity.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        'account && asked.groups.length === 0 ? serviceAccountGroups(account.namespace) : [...asked.groups];',
        'account && asked.groups.length === 0 ? serviceAccountGroups(account.namespace) : [...asked.groups, ...user.groups];',
      ],
    ],
  },
  {
    id: 'account-without-groups',
    why: 'A service account has no groups if the request names none.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        'account && asked.groups.length === 0 ? serviceAccountGroups(account.namespace) : [...asked.groups];',
        'account && asked.groups.length < 0 ? serviceAccountGroups(account.namespace) : [...asked.groups];',
      ],
    ],
  },
  {
    id: 'account-always-with-its-groups',
    why: 'Adds the groups of a service account although the request names others.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        'account && asked.groups.length === 0 ? serviceAccountGroups(account.namespace) : [...asked.groups];',
        'account ? [...asked.groups, ...serviceAccountGroups(account.namespace)] : [...asked.groups];',
      ],
    ],
  },
  {
    id: 'not-authenticated',
    why: 'Does not add system:authenticated: the other user cannot even discover the API.',
    origin: 'k#94408',
    law: 'Acts as',
    edits: [
      [
        '    groups: withGroup(groups, groupOf(asked.user, groups)),',
        '    groups: groupOf(asked.user, groups) && withGroup(groups, groups[0] ?? UNAUTHENTICATED),',
      ],
    ],
  },
  {
    id: 'anonymous-is-authenticated',
    why: 'Adds system:authenticated to the anonymous user.',
    origin: 'k#94408',
    law: 'Acts as',
    edits: [
      [
        '  name === ANONYMOUS || groups.includes(UNAUTHENTICATED) ? UNAUTHENTICATED : AUTHENTICATED;',
        "  name === '' || name !== ANONYMOUS && groups.includes(UNAUTHENTICATED) ? UNAUTHENTICATED : AUTHENTICATED;",
      ],
    ],
  },
  {
    id: 'unauthenticated-and-authenticated',
    why: 'Adds system:authenticated although the request asks for system:unauthenticated.',
    origin: 'common',
    law: 'Acts as',
    edits: [
      [
        '  name === ANONYMOUS || groups.includes(UNAUTHENTICATED) ? UNAUTHENTICATED : AUTHENTICATED;',
        '  name === ANONYMOUS || groups.length > 99 ? UNAUTHENTICATED : AUTHENTICATED;',
      ],
    ],
  },
  {
    id: 'keeps-own-uid',
    why: 'The user keeps its own UID in the name of another who has none: an audit finds two users in one.',
    misconception: 'You seem to believe that acting as another adds an identity.',
    origin: 'common: { ...user, name }',
    law: 'Acts as',
    edits: [
      [
        '    ...(asked.uid ? { uid: asked.uid } : {}),\n    groups: withGroup',
        '    ...(asked.uid || user.uid ? { uid: asked.uid || user.uid } : {}),\n    groups: withGroup',
      ],
    ],
  },
  {
    id: 'keeps-own-extra',
    why: 'The user keeps its own extra facts in the name of another.',
    misconception: 'You seem to believe that acting as another adds an identity.',
    origin: 'common: { ...user, name }',
    law: 'Acts as',
    edits: [
      [
        '    ...(Object.keys(asked.extra).length > 0 ? { extra: asked.extra } : {}),\n',
        '    ...(user.extra ? { extra: { ...user.extra, ...asked.extra } } : { extra: asked.extra }),\n',
      ],
    ],
  },
  {
    id: 'uid-lost',
    why: 'Drops the UID: the webhooks behind the apiserver see none.',
    origin: 'k#116681',
    law: 'Acts as',
    edits: [
      ['    ...(asked.uid ? { uid: asked.uid } : {}),\n    groups: withGroup', '    groups: withGroup'],
    ],
  },
  {
    id: 'extra-lost',
    why: 'Drops the extra facts.',
    origin: 'common',
    law: 'Acts as',
    edits: [['    ...(Object.keys(asked.extra).length > 0 ? { extra: asked.extra } : {}),\n', '']],
  },
  {
    id: 'group-without-a-user',
    why: 'Accepts groups without a user, for a user with an empty name.',
    origin: 'common',
    law: 'No impersonation',
    edits: [
      [
        "  if (asked.user === '') throw errors.badRequest(withoutUserName(asked));\n",
        '  void [errors, withoutUserName];\n',
      ],
    ],
  },
];
