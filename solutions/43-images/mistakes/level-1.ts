import type { Mistake } from '#harness/testing';

/** Level 1 · A reference */
export const level1: readonly Mistake[] = [
  {
    id: 'official-images-nowhere',
    why: 'Leaves out the folder of official images: a key for `library` matches none of them.',
    origin: 'common',
    law: 'Level 1',
    edits: [[`? \`library/\${path}\` : path };`, '? path : path };']],
  },
  {
    id: 'old-host-of-docker-hub',
    why: 'Treats index.docker.io as a separate registry: the credentials of docker.io are not used for it.',
    origin: 'common',
    law: 'Tries each',
    edits: [
      [`isRegistry && first !== 'index.docker.io' ? first : 'docker.io'`, `isRegistry ? first : 'docker.io'`],
    ],
  },
  {
    id: 'digest-gets-a-tag',
    why: 'Appends a tag after a digest, where none is allowed.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        `return digest === undefined && !image.endsWith(\`:\${tag}\`) ?`,
        `return !image.endsWith(\`:\${tag}\`) ?`,
      ],
    ],
  },
  {
    id: 'any-text-is-a-name',
    why: 'Accepts an invalid name, which the runtime must reject.',
    origin: 'common',
    law: 'Right reason',
    edits: [
      [
        `if (name === undefined) throw invalid('invalid reference format');`,
        `if (name === undefined) return { repository: image, tag: 'latest' };`,
      ],
    ],
  },
  {
    id: 'a-colon-is-a-tag',
    why: 'Takes every colon for that of a tag, even the one before a port: no tag is added.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'A runtime treats a name without a tag as latest, which is the same image.',
    edits: [
      [
        `!image.endsWith(\`:\${tag}\`) ? \`\${image}:\${tag}\` : image`,
        `!image.includes(':') ? \`\${image}:\${tag}\` : image`,
      ],
    ],
  },
];
