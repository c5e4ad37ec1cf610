import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 ★ · Images that are there already. */
export const level6: readonly Mistake[] = [
  {
    id: 'port-is-a-tag',
    why: 'Mistakes the port of a registry for a tag, and finds no untagged image of that registry.',
    origin: 'common',
    law: 'Level 6',
    edits: [["name.lastIndexOf(':') <= name.lastIndexOf('/')", "!name.includes(':')"]],
  },
  {
    id: 'untagged-is-unknown',
    why: 'Searches untagged images without the tag `latest`, which their names on the node have.',
    origin: 'common',
    law: 'Counts images',
    edits: [['const name = normalizedImageName(image);', 'const name = image;']],
  },
  {
    id: 'one-threshold-for-all',
    why: 'The maximum is 1000 MiB in total, for any number of containers: next to one large image, others do not count.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 6',
    edits: [
      [
        'const max = MAX_CONTAINER_THRESHOLD_BYTES * numContainers;',
        'const max = MAX_CONTAINER_THRESHOLD_BYTES;',
      ],
    ],
  },
  {
    id: 'init-images-are-free',
    why: 'Ignores the images of init containers, although they are pulled, too.',
    origin: 'kubernetes/kubernetes@v1.19.0',
    law: 'Level 6',
    edits: [
      [
        'const containers = [...(spec.initContainers ?? []), ...spec.containers];',
        'const { containers } = spec;',
      ],
    ],
  },
  {
    id: 'heats-one-node',
    why: 'An image on a single node counts with its full size: all pods with it go there, and no other node ever gets it.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'return Math.trunc(sizeBytes * (numNodes / totalNumNodes));',
        'return numNodes > totalNumNodes ? 0 : sizeBytes;',
      ],
    ],
  },
  {
    id: 'cluster-of-the-feasible',
    why: 'Divides by the number of feasible nodes, not of all nodes: the share can exceed 1.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ['preScore(state, { spec }, _feasible, snapshot) {', 'preScore(state, { spec }, feasible, snapshot) {'],
      ['totalNumNodes: snapshot.nodeInfos.length,', 'totalNumNodes: feasible.length,'],
    ],
  },
  {
    id: 'multiplies-first',
    why: 'Multiplies before it divides, instead of using the share of the nodes: 62 become 63.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The difference is one byte, and the law accepts it.',
    edits: [
      [
        'return Math.trunc(sizeBytes * (numNodes / totalNumNodes));',
        'return Math.trunc((sizeBytes * numNodes) / totalNumNodes);',
      ],
    ],
  },
  {
    id: 'rounds-images-at-last',
    why: 'Adds fractions of bytes, so that two halves count one byte more.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The difference is one byte, and the law accepts it.',
    edits: [
      [
        'sum += scaledImageScore(sizeBytes, numNodes, totalNumNodes);',
        'sum += sizeBytes * (numNodes / totalNumNodes);',
      ],
    ],
  },
  {
    id: 'a-digest-gets-a-tag',
    why: 'Appends `:latest` to a name with a digest, so that no node has the image.',
    origin: 'common',
    law: 'Counts images',
    edits: [
      [
        "name.lastIndexOf(':') <= name.lastIndexOf('/')",
        "name.includes('@') || name.lastIndexOf(':') <= name.lastIndexOf('/')",
      ],
    ],
  },
];
