import type { Mistake } from '#harness/testing';

/** Levels 1, 2 and 4 · Certificates, bearer tokens, and their order */
export const identity: readonly Mistake[] = [
  {
    id: 'certificate-not-verified',
    why: 'Accepts each certificate: anybody can sign one with the name of an administrator.',
    misconception: 'You seem to believe that a client with a certificate is known.',
    origin: 'common',
    law: 'Right user',
    edits: [
      [
        '  if (invalid !== undefined) return { rejected: [invalid] };\n  const { commonName,',
        '  if (invalid === "") return { rejected: [invalid] };\n  const { commonName,',
      ],
    ],
  },
  {
    id: 'certificate-verified-once',
    why: 'Verifies a certificate at the start of time only: it is accepted after its expiry, for as long as a connection lives.',
    misconception: 'You seem to believe that a certificate is as valid later as at the start.',
    origin: 'common: verify at the handshake',
    law: 'Right user',
    edits: [['certificate.verify(nowMs)', 'certificate.verify(nowMs - 3_600_000)']],
  },
  {
    id: 'invalid-certificate-has-no-opinion',
    why: 'Treats an invalid certificate as none: its client becomes anonymous.',
    misconception: 'You seem to believe that an invalid certificate is the same as none.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        '  if (invalid !== undefined) return { rejected: [invalid] };\n  const { commonName,',
        '  if (invalid !== undefined) return undefined;\n  const { commonName,',
      ],
    ],
  },
  {
    id: 'nameless-certificate-is-a-user',
    why: 'Creates a user with an empty name from a certificate without a common name.',
    misconception: 'You seem to believe that each valid certificate has a common name.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [["  if (commonName === '') return undefined;\n", '']],
  },
  {
    id: 'organizations-forgotten',
    why: 'Ignores the organizations of a certificate: an administrator has no groups.',
    origin: 'common',
    law: 'Right user',
    edits: [['    groups: organizations,\n', '    groups: [],\n']],
  },
  {
    id: 'first-organization-only',
    why: 'Uses only the first organization as a group.',
    misconception: 'You seem to believe that a certificate names a single organization.',
    origin: 'common: subject.O as a string',
    law: 'Right user',
    edits: [['    groups: organizations,\n', '    groups: organizations.slice(0, 1),\n']],
  },
  {
    id: 'uid-forgotten',
    why: 'Ignores the UID of a certificate.',
    origin: 'common',
    law: 'Right user',
    edits: [
      ['    ...(uid === undefined ? {} : { uid }),\n    groups: organizations', '    groups: organizations'],
    ],
  },
  {
    id: 'no-credential-id',
    why: 'Does not record the fingerprint of the certificate: an audit cannot name it.',
    origin: 'common',
    law: 'Right user',
    edits: [
      [
        `    groups: organizations,\n    extra: { 'authentication.kubernetes.io/credential-id': [\`X509SHA256=\${fingerprint}\`] },`,
        "    groups: organizations,\n    ...(fingerprint === '' && { extra: {} }),",
      ],
    ],
  },
  {
    id: 'scheme-is-case-sensitive',
    why: 'Accepts `Bearer` but not `bearer`: HTTP does not distinguish the case of a scheme.',
    misconception: 'You seem to believe that a scheme has one spelling.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [["if (scheme.toLowerCase() !== 'bearer')", "if (scheme !== 'Bearer')"]],
  },
  {
    id: 'any-scheme-is-bearer',
    why: 'Takes the password of Basic authentication for a token.',
    misconception: 'You seem to believe that the header contains nothing but bearer tokens.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        "  if (scheme.toLowerCase() !== 'bearer') return undefined;\n",
        "  if (scheme === '') return undefined;\n",
      ],
    ],
  },
  {
    id: 'whole-rest-is-the-token',
    why: 'Takes the rest of the header for the token, with the text after the next space.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        "const [scheme = '', token = ''] = authorization.trim().split(' ');",
        "const [scheme = '', ...words] = authorization.trim().split(' ');\n  const token = words.join(' ');",
      ],
    ],
  },
  {
    id: 'spaces-are-skipped',
    why: 'Finds a token after two spaces, where the first word is empty.',
    origin: 'common: split(/\\s+/)',
    law: 'Never anonymous',
    edits: [["authorization.trim().split(' ')", 'authorization.trim().split(/ +/)']],
  },
  {
    id: 'not-trimmed',
    why: 'Does not remove spaces before the scheme.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [["authorization.trim().split(' ')", "authorization.split(' ')"]],
  },
  {
    id: 'unknown-token-has-no-opinion',
    why: 'Treats an unknown token as none: the client becomes anonymous.',
    misconception: 'You seem to believe that a client with an unknown token has sent nothing.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        '  if (rejections.length > 0 || !allowsAnonymous(anonymous, path))',
        '  if (!allowsAnonymous(anonymous, path))',
      ],
    ],
  },
  {
    id: 'rejection-without-a-reason',
    why: 'Takes a rejection without a reason for no credentials: the client becomes anonymous.',
    misconception: 'You seem to believe that a rejection is its list of reasons.',
    origin: 'this reference, before its levels saw it',
    law: 'Level 4',
    hidden: 'Each authenticator of newAccess gives a reason.',
    edits: [
      [
        '  if (rejections.length > 0 || !allowsAnonymous',
        '  if (rejections.flat().length > 0 || !allowsAnonymous',
      ],
    ],
  },
  {
    id: 'anonymous-is-always-on',
    why: 'Ignores that anonymous requests are disabled.',
    origin: 'k#73807 in spirit',
    law: 'Never anonymous',
    edits: [
      [
        "  if (typeof anonymous === 'boolean') return anonymous;",
        "  if (typeof anonymous === 'boolean') return true;",
      ],
    ],
  },
  {
    id: 'anonymous-below-paths',
    why: 'Allows anonymous requests below the configured paths, too.',
    misconception: 'You seem to believe that a path stands for everything below it.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [['anonymous.paths.includes(path)', 'anonymous.paths.some((each) => path.startsWith(each))']],
  },
  {
    id: 'no-credentials-is-an-error',
    why: 'Rejects requests without credentials.',
    misconception: 'You seem to believe that each request has a user who proved something.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        '  return { user: { name: ANONYMOUS, groups: [UNAUTHENTICATED] } };',
        "  return { rejected: ['no credentials'] };",
      ],
    ],
  },
  {
    id: 'first-error-ends',
    why: 'Stops at the first invalid credentials: a valid token beside an expired certificate is rejected.',
    misconception: 'You seem to believe that one invalid part makes all credentials invalid.',
    origin: 'common',
    law: 'Never anonymous',
    edits: [
      [
        '    if (opinion) rejections.push(opinion.rejected);',
        '    if (opinion) return { rejected: opinion.rejected };',
      ],
    ],
  },
  {
    id: 'last-user-counts',
    why: 'Prefers the last valid credentials: a token replaces the certificate.',
    misconception: 'You seem to believe that the last proof counts.',
    origin: 'common',
    law: 'Right user',
    edits: [
      [
        '  for (const authenticator of authenticators) {',
        '  for (const authenticator of authenticators.toReversed()) {',
      ],
    ],
  },
  {
    id: 'no-group-of-the-authenticated',
    why: 'Does not add system:authenticated: users cannot even discover the API.',
    origin: 'common',
    law: 'Right user',
    edits: [
      [
        '  return settled ? user : { ...user, groups: [...groups, AUTHENTICATED] };',
        '  return settled ? user : user;',
      ],
    ],
  },
  {
    id: 'group-added-twice',
    why: 'Adds system:authenticated although the credentials contain it.',
    origin: 'common',
    law: 'Right user',
    edits: [
      [
        'const settled = name === ANONYMOUS || groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);',
        'const settled = name === ANONYMOUS || groups.includes(UNAUTHENTICATED);',
      ],
    ],
  },
  {
    id: 'group-added-to-the-shared-user',
    why: 'Adds the group to the user object of the token file, which all requests share.',
    misconception: 'You seem to believe that the user of a request belongs to this request alone.',
    origin: 'k#109969',
    law: 'Right user',
    edits: [
      [
        '  return settled ? user : { ...user, groups: [...groups, AUTHENTICATED] };',
        '  if (name === ANONYMOUS || groups.includes(UNAUTHENTICATED)) return user;\n  (groups as string[]).push(AUTHENTICATED);\n  return settled ? user : user;',
      ],
    ],
  },
];
