import type { Mistake } from '#harness/testing';

/** Mistakes of Level 6 ★ · Images that are there already. */
export const level6: readonly Mistake[] = [
  {
    id: 'port-is-a-tag',
    why: 'Takes the port of a registry for a tag, and finds no untagged image of that registry.',
    origin: 'common',
    law: 'Level 6',
    edits: [["name.lastIndexOf(':') <= name.lastIndexOf('/')", "!name.includes(':')"]],
  },
  {
    id: 'untagged-is-unknown',
    why: 'Looks for images by the name that the pod says, which on the node has a tag.',
    origin: 'common',
    law: 'Counts images',
    edits: [['const name = normalizedImageName(image);', 'const name = image;']],
  },
  {
    id: 'one-threshold-for-all',
    why: 'However many containers a pod has, 1000 MiB are all that counts: where one large image is, others are not worth anything.',
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
    why: 'Images of init containers are pulled as well.',
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
    why: 'An image that is on one node is worth all of its size: all pods with it go there, and no other node ever gets it.',
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
    why: 'Counts the nodes that are left, and not those of the cluster: an image may be on more nodes than there are.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      ['preScore(state, { spec }, _feasible, snapshot) {', 'preScore(state, { spec }, feasible, snapshot) {'],
      ['totalNumNodes: snapshot.nodeInfos.length,', 'totalNumNodes: feasible.length,'],
    ],
  },
  {
    id: 'multiplies-first',
    why: 'Multiplies first and divides then, where the share of the nodes is a fraction: 62 become 63.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'It is a byte more, and a law takes a byte more for right.',
    edits: [
      [
        'return Math.trunc(sizeBytes * (numNodes / totalNumNodes));',
        'return Math.trunc((sizeBytes * numNodes) / totalNumNodes);',
      ],
    ],
  },
  {
    id: 'rounds-images-at-last',
    why: 'Adds up parts of bytes, so that two halves are a byte more.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'It is a byte more, and a law takes a byte more for right.',
    edits: [
      [
        'sum += scaledImageScore(sizeBytes, numNodes, totalNumNodes);',
        'sum += sizeBytes * (numNodes / totalNumNodes);',
      ],
    ],
  },
  {
    id: 'a-digest-gets-a-tag',
    why: 'Adds `:latest` to a name with a digest, under which no node has the image.',
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
