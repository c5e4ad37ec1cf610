import type { Mistake } from '#harness/testing';

/** Level 8 · Garbage collection */
export const level8: readonly Mistake[] = [
  {
    id: 'running-containers-only',
    why: 'Lets the image of a container go that has exited, though the pod may start it again.',
    origin: 'common',
    law: 'Spares the used',
    edits: [
      [
        'containers.map(({ imageId }) => imageId)',
        `containers.filter(({ state }) => state === 'CONTAINER_RUNNING').map(({ imageId }) => imageId)`,
      ],
    ],
  },
  {
    id: 'in-use-does-not-matter',
    why: 'Looks at when images were used, and not at whether they are in use.',
    origin: 'k#57020',
    law: 'Spares the used',
    edits: [['!inUse.has(image.id) && !image.pinned', '!image.pinned']],
  },
  {
    id: 'by-name-not-by-id',
    why: 'Compares the ids of images with the names that containers have for them.',
    origin: 'common',
    law: 'Spares the used',
    edits: [['containers.map(({ imageId }) => imageId)', 'containers.map(({ image: { image } }) => image)']],
  },
  {
    id: 'sandbox-image',
    why: 'Lets the image of sandboxes go: no new pod can start.',
    origin: 'k#111796',
    law: 'Spares the used',
    edits: [['!inUse.has(image.id) && !image.pinned', '!inUse.has(image.id)']],
  },
  {
    id: 'old-after-a-restart',
    why: 'Takes what it sees for the first time for old: after a restart on a full disk, all goes.',
    origin: 'k#119642',
    law: 'Spares the young',
    edits: [['const { firstDetectedMs = nowMs,', 'const { firstDetectedMs = 0,']],
  },
  {
    id: 'newest-first',
    why: 'Removes first what was used last.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['a.lastUsedMs - b.lastUsedMs ||', 'b.lastUsedMs - a.lastUsedMs ||']],
  },
  {
    id: 'largest-first',
    why: 'Removes the largest images first: few removals, and those that are pulled the longest.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['a.lastUsedMs - b.lastUsedMs ||', 'b.image.sizeBytes - a.image.sizeBytes ||']],
  },
  {
    id: 'use-is-forgotten',
    why: 'Forgets when an image was used as soon as it is not.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['inUse.has(image.id) ? nowMs : lastUsedMs }', 'inUse.has(image.id) ? nowMs : lastUsedMs * 0 }']],
  },
  {
    id: 'sweeps-the-disk',
    why: 'Removes all that may go, however little is needed.',
    origin: 'common',
    law: 'Removes no more',
    edits: [
      [
        `      if (freedBytes >= bytes) break;
`,
        '',
      ],
    ],
  },
  {
    id: 'down-to-the-high-mark',
    why: 'Frees only as much as brings the disk below the high threshold: five minutes later it begins anew.',
    origin: 'common',
    law: 'Frees enough',
    edits: [
      [
        '(usage.capacityBytes * (100 - low)) / 100',
        '(usage.capacityBytes * (100 - Math.min(high, low + 99))) / 100',
      ],
    ],
  },
  {
    id: 'one-error-ends-it',
    why: 'Ends at the first image that cannot be removed.',
    origin: 'common',
    law: 'Frees enough',
    edits: [
      [
        `        failures.push(errorText(error));
      }
    }
    this.#known`,
        `        failures.push(errorText(error));
        break;
      }
    }
    this.#known`,
      ],
    ],
  },
  {
    id: 'a-shortfall-and-an-error',
    why: 'Tells of the node that its disk stays full, though images could not be removed: that is another story.',
    origin: 'common',
    law: 'Level 8',
    hidden:
      'The laws leave it open whether an event tells of the bytes, too, when images could not be removed.',
    edits: [
      [
        `    if (failures.length === 0) return freedBytes;
`,
        `    if (failures.length === 0) return freedBytes;
    this.#warn('FreeDiskSpaceFailed', failures.join());
`,
      ],
    ],
  },
  {
    id: 'a-shortfall-in-silence',
    why: 'Does not tell of the node that its disk stays full.',
    origin: 'common',
    law: 'Frees enough',
    edits: [
      [
        `    this.#warn('FreeDiskSpaceFailed', message);
`,
        '',
      ],
    ],
  },
];
