import type { Mistake } from '#harness/testing';

/** Level 3 · Service account tokens */
export const tokens: readonly Mistake[] = [
  {
    id: 'token-never-expires',
    why: 'Does not look at the expiry of a token.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [
      [
        "  if (nowMs - LEEWAY_MS > exp * 1_000) return 'service account token has expired';\n",
        '  void exp;\n',
      ],
    ],
  },
  {
    id: 'no-leeway-after-expiry',
    why: 'Rejects a token in the second of its expiry, without the leeway for clocks that differ.',
    misconception: 'You seem to believe that all clocks show the same time.',
    origin: 'common',
    law: 'Works until then',
    edits: [['nowMs - LEEWAY_MS > exp * 1_000', 'nowMs > exp * 1_000']],
  },
  {
    id: 'expires-at-the-edge',
    why: 'Rejects a token at the last instant of its leeway.',
    origin: 'common: off by one',
    law: 'Works until then',
    edits: [['nowMs - LEEWAY_MS > exp * 1_000', 'nowMs - LEEWAY_MS >= exp * 1_000']],
  },
  {
    id: 'not-before-ignored',
    why: 'Accepts a token before it is valid.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [
      [
        "  if (nowMs + LEEWAY_MS < nbf * 1_000) return 'service account token is not valid yet';\n",
        '  void nbf;\n',
      ],
    ],
  },
  {
    id: 'issued-in-the-future',
    why: 'Accepts a token that is issued in the future.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [
      [
        "  if (nowMs + LEEWAY_MS < iat * 1_000) return 'service account token is issued in the future';\n",
        '  void iat;\n',
      ],
    ],
  },
  {
    id: 'times-in-milliseconds',
    why: 'Takes the seconds of the claims for milliseconds: each token expired in 1970.',
    misconception: 'You seem to believe that all times have the unit of the clock.',
    origin: 'common',
    law: 'Works until then',
    edits: [['exp * 1_000) return', 'exp) return']],
  },
  {
    id: 'audience-ignored',
    why: 'Accepts a token that was issued for another service: whoever receives it can use it here.',
    misconception: 'You seem to believe that a signature is all that a token needs.',
    origin: 'common',
    law: 'Right audience',
    edits: [
      [
        '  if (shared.length === 0) return { rejected: [audienceMismatch(claims.aud, audiences)] };',
        '  void audienceMismatch;',
      ],
    ],
  },
  {
    id: 'all-audiences-required',
    why: 'Requires all accepted audiences in a token; one is enough.',
    origin: 'common',
    law: 'Works until then',
    edits: [['  if (shared.length === 0) return {', '  if (shared.length < audiences.length) return {']],
  },
  {
    id: 'reports-all-audiences',
    why: 'Reports all audiences of a token instead of the shared ones.',
    origin: 'common',
    law: 'Right audience',
    edits: [
      [
        'return invalid === undefined ? { user: userOfClaims(claims), audiences: shared }',
        'return invalid === undefined ? { user: userOfClaims(claims), audiences: claims.aud }',
      ],
    ],
  },
  {
    id: 'static-token-for-all-audiences',
    why: 'Accepts a token of the file for any audience.',
    origin: 'common',
    law: 'Right audience',
    edits: [
      [
        '  if (user && shared.length > 0) return { user, audiences: shared };',
        '  if (user) return { user, audiences };',
      ],
    ],
  },
  {
    id: 'account-not-looked-up',
    why: 'Accepts the token of a deleted account.',
    misconception: 'You seem to believe that a token is valid by itself.',
    origin: 'k#106049',
    law: 'Outlives nothing',
    edits: [
      [
        `  if (!account) return \`serviceaccounts "\${name}" not found\`;\n`,
        '  if (!account) return undefined;\n',
      ],
    ],
  },
  {
    id: 'account-by-name',
    why: 'Accepts the token of a deleted account for a new account of the same name.',
    misconception: 'You seem to believe that a name always means the same object.',
    origin: 'k#106049',
    law: 'Outlives nothing',
    edits: [['  if (account.uid !== uid) return', '  if (!uid) return']],
  },
  {
    id: 'account-without-a-uid',
    why: 'Compares the uid of the account only if the claims contain one: a claim without a uid fits each account of the name.',
    misconception: 'You seem to believe that a claim that is absent needs no check.',
    origin: 'common: claim.uid && claim.uid !== uid',
    law: 'Outlives nothing',
    edits: [['  if (account.uid !== uid) return', '  if (uid && account.uid !== uid) return']],
  },
  {
    id: 'object-without-a-uid',
    why: 'Compares the uid of the bound object only if the claims contain one.',
    misconception: 'You seem to believe that a claim that is absent needs no check.',
    origin: 'common: claim.uid && claim.uid !== uid',
    law: 'Outlives nothing',
    edits: [['    if (bound.uid !== claimed) {', '    if (claimed && bound.uid !== claimed) {']],
  },
  {
    id: 'bound-object-by-name',
    why: 'Compares the UID of the claim with itself: any pod of the name will do.',
    misconception: 'You seem to believe that a name always means the same object.',
    origin: 'k#62993',
    law: 'Outlives nothing',
    edits: [['    if (bound.uid !== claimed) {', '    if (!bound.uid) {']],
  },
  {
    id: 'bound-object-not-looked-up',
    why: 'Accepts a token after its pod is gone.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [['    if (!bound) return INVALIDATED;\n', '    if (!bound) return undefined;\n']],
  },
  {
    id: 'dies-with-the-request',
    why: 'Rejects the token of a pod as soon as somebody deletes the pod: it cannot work in its grace period.',
    misconception: 'You seem to believe that a pod with a deletionTimestamp is gone.',
    origin: 'k#89583',
    law: 'Works until then',
    edits: [
      [
        '  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS;',
        '  return deletionTimestamp !== undefined && nowMs > LEEWAY_MS;',
      ],
    ],
  },
  {
    id: 'deletion-without-leeway',
    why: 'Rejects a token in the second of the deletionTimestamp, without the leeway.',
    origin: 'k#89583',
    law: 'Works until then',
    edits: [['Date.parse(deletionTimestamp) < nowMs - LEEWAY_MS', 'Date.parse(deletionTimestamp) < nowMs']],
  },
  {
    id: 'deletion-ignored',
    why: 'Accepts a token as long as a finalizer keeps its object, however long that is.',
    misconception: 'You seem to believe that a deleted object disappears.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [['    return isGone(bound, nowMs) ? INVALIDATED : undefined;', '    return undefined;']],
  },
  {
    id: 'deleted-account-ignored',
    why: 'Accepts the token of an account that is being deleted, however long that takes.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [
      [
        `  if (isGone(account, nowMs)) return \`service account \${namespace}/\${name} has been deleted\`;\n`,
        '',
      ],
    ],
  },
  {
    id: 'node-of-a-pod-checked',
    why: 'Rejects the token of a pod whose node object has gone: the node in it is only information.',
    misconception: 'You seem to believe that each object in the claims binds the token.',
    origin: 'common',
    law: 'Works until then',
    edits: [["check('node', nodes, pod ? undefined : node)", "check('node', nodes, node)"]],
  },
  {
    id: 'node-not-checked',
    why: 'Never checks the node of a token that is bound to a node.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [["check('node', nodes, pod ? undefined : node)", "check('node', nodes, undefined)"]],
  },
  {
    id: 'secret-not-checked',
    why: 'Never checks the secret that a token is bound to.',
    origin: 'common',
    law: 'Outlives nothing',
    edits: [["    check('secret', secrets, secret) ??\n", '']],
  },
  {
    id: 'pod-of-another-namespace',
    why: 'Looks up the node with a namespace, where it never is.',
    origin: 'common',
    law: 'Works until then',
    edits: [
      [
        'const key = resource.namespaced ? { namespace, name: claim.name } : { name: claim.name };',
        "const key = { namespace: resource.namespaced ? namespace : 'default', name: claim.name };",
      ],
    ],
  },
  {
    id: 'cache-only',
    why: 'Reads accounts and pods from the cache alone: a new pod gets a 401 while the cache lags.',
    misconception: 'You seem to believe that an object that your cache lacks does not exist.',
    origin: 'common',
    law: 'Works until then',
    edits: [
      [
        'return (resource, key) => cache.get(resource, key) ?? read(resource, key);',
        'return (resource, key) => cache.get(resource, key);',
      ],
    ],
  },
  {
    id: 'forged-is-foreign',
    why: 'Accepts nothing, but has no opinion about a forged token: the client becomes anonymous.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        "  return { rejected: ['error' in verified ? verified.error : 'invalid bearer token'] };",
        "  return 'error' in verified ? (undefined as never) : { rejected: ['invalid bearer token'] };",
      ],
    ],
  },
];
