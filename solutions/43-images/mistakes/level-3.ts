import type { Mistake } from '#harness/testing';

/** Level 3 · Credentials for an image */
export const level3: readonly Mistake[] = [
  {
    id: 'scheme-is-a-host',
    why: 'Keeps the scheme of a key, which then fits no image.',
    origin: 'k#3797',
    law: 'Tries each',
    edits: [[`registry.replace(/^https?:\\/\\//, '').split('/')`, `registry.split('/')`]],
  },
  {
    id: 'version-is-a-path',
    why: 'Keeps the version of the protocol, as if it were a part of the path.',
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
    why: 'Sends the password for one port of a machine to what listens at another.',
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
    why: 'Takes a key for good for every host below it: example.com for registry.example.com.',
    origin: 'common; cookies do it so',
    law: 'Tries each',
    edits: [
      ['wanted.labels.length === given.labels.length &&', 'wanted.labels.length <= given.labels.length &&'],
      [`given.labels[i] ?? ''`, `given.labels.slice(-wanted.labels.length)[i] ?? ''`],
    ],
  },
  {
    id: 'path-does-not-matter',
    why: 'Does not look at the path of a key.',
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
    why: 'Takes the star of a key as it is written.',
    origin: 'common',
    law: 'Level 3',
    edits: [[`escaped.replaceAll('*', '.*')`, `escaped.replaceAll('*', '[*]')`]],
  },
  {
    id: 'least-specific-first',
    why: 'Begins with the most general key.',
    origin: 'common',
    law: 'Tries each',
    edits: [['[...byKey.keys()].sort().reverse()', '[...byKey.keys()].sort()']],
  },
  {
    id: 'best-alone',
    why: 'Tries only the best key: a password that was changed there is the end.',
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
    why: `Forgets the node's credentials as soon as the pod has some.`,
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
    why: 'Goes on to the next secret when one cannot be read: its user is told that the image is private, and looks in the wrong place.',
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
    why: 'Does not know under which key docker login writes.',
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
