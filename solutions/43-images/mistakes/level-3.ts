import type { Mistake } from '#harness/testing';

/** Level 3 · Credentials for an image */
export const level3: readonly Mistake[] = [
  {
    id: 'scheme-is-a-host',
    why: 'Keeps the scheme of a key, which then matches no image.',
    origin: 'k#3797',
    law: 'Tries each',
    edits: [[`registry.replace(/^https?:\\/\\//, '').split('/')`, `registry.split('/')`]],
  },
  {
    id: 'version-is-a-path',
    why: 'Keeps the version of the protocol as a part of the path.',
    origin: 'k#3797',
    law: 'Tries each',
    edits: [
      [
        `  if (path.length > 1 && /^v[12]$/.test(path[0] ?? '')) path.shift();
`,
        '',
      ],
    ],
  },
  {
    id: 'port-does-not-matter',
    why: 'Ignores the port: sends the password for one port of a machine to another one.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        `    wanted.port === given.port &&
`,
        '',
      ],
    ],
  },
  {
    id: 'domain-is-good-for-hosts',
    why: 'A key also matches hosts below its host: example.com matches registry.example.com.',
    origin: 'common; cookies do it so',
    law: 'Tries each',
    edits: [
      ['wanted.labels.length === given.labels.length &&', 'wanted.labels.length <= given.labels.length &&'],
      [`given.labels[i] ?? ''`, `given.labels.slice(-wanted.labels.length)[i] ?? ''`],
    ],
  },
  {
    id: 'path-does-not-matter',
    why: 'Ignores the path of a key.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        `    given.path.startsWith(wanted.path) &&
`,
        '',
      ],
    ],
  },
  {
    id: 'star-is-a-letter',
    why: 'Treats a star in a key literally.',
    origin: 'common',
    law: 'Level 3',
    edits: [[`escaped.replaceAll('*', '.*')`, `escaped.replaceAll('*', '[*]')`]],
  },
  {
    id: 'least-specific-first',
    why: 'Starts with the most general key.',
    origin: 'common',
    law: 'Tries each',
    edits: [['[...byKey.keys()].sort().reverse()', '[...byKey.keys()].sort()']],
  },
  {
    id: 'best-alone',
    why: 'Tries only the best key: if its password is outdated, the pull fails.',
    origin: 'common',
    law: 'Tries each',
    edits: [['return matching.flatMap(', 'return matching.slice(0, 1).flatMap(']],
  },
  {
    id: 'node-before-pod',
    why: `Tries the node's credentials before those of the pod.`,
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        '[...lookup(ofPod, repository), ...lookup(node, repository)]',
        '[...lookup(node, repository), ...lookup(ofPod, repository)]',
      ],
    ],
  },
  {
    id: 'pod-instead-of-node',
    why: `Ignores the node's credentials if the pod has some.`,
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        'return [...lookup(ofPod, repository), ...lookup(node, repository)];',
        `const own = lookup(ofPod, repository);
  return own.length > 0 ? own : lookup(node, repository);`,
      ],
    ],
  },
  {
    id: 'skips-what-it-cannot-read',
    why: 'Skips an unreadable secret: the user gets the message that the image is private, and searches for the wrong error.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        `  const ofPod = pullSecrets.flatMap((secret) =>
    (dockerConfigOf(secret) ?? []).map((entry) => ({ ...entry, secret })),
  );`,
        `  const ofPod = pullSecrets.flatMap((secret) => {
    try {
      return (dockerConfigOf(secret) ?? []).map((entry) => ({ ...entry, secret }));
    } catch {
      return [];
    }
  });`,
      ],
    ],
  },
  {
    id: 'docker-login-in-vain',
    why: 'Does not know the key that docker login uses.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [
        `  if (matching.length === 0 && repository.startsWith('docker.io/')) matching.push('index.docker.io');
`,
        '',
      ],
    ],
  },
];
