import type { Mistake } from '#harness/testing';

/** Level 8 · Garbage collection */
export const level8: readonly Mistake[] = [
  {
    id: 'running-containers-only',
    why: 'Removes the image of an exited container, although the pod may restart it.',
    origin: 'common',
    law: 'Keeps used images',
    edits: [
      [
        'containers.map(({ imageId }) => imageId)',
        `containers.filter(({ state }) => state === 'CONTAINER_RUNNING').map(({ imageId }) => imageId)`,
      ],
    ],
  },
  {
    id: 'in-use-does-not-matter',
    why: 'Checks when images were last used, but not whether they are in use.',
    origin: 'k#57020',
    law: 'Keeps used images',
    edits: [['!inUse.has(image.id) && !image.pinned', '!image.pinned']],
  },
  {
    id: 'by-name-not-by-id',
    why: 'Compares the ids of images with the names in containers.',
    origin: 'common',
    law: 'Keeps used images',
    edits: [['containers.map(({ imageId }) => imageId)', 'containers.map(({ image: { image } }) => image)']],
  },
  {
    id: 'sandbox-image',
    why: 'Removes the image of sandboxes: no new pod can start.',
    origin: 'k#111796',
    law: 'Keeps used images',
    edits: [['!inUse.has(image.id) && !image.pinned', '!inUse.has(image.id)']],
  },
  {
    id: 'old-after-a-restart',
    why: 'An image that is seen for the first time counts as old: after a restart on a full disk, all are removed.',
    origin: 'k#119642',
    law: 'Keeps new images',
    edits: [['const { firstDetectedMs = nowMs,', 'const { firstDetectedMs = 0,']],
  },
  {
    id: 'newest-first',
    why: 'Removes the most recently used images first.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['a.lastUsedMs - b.lastUsedMs ||', 'b.lastUsedMs - a.lastUsedMs ||']],
  },
  {
    id: 'largest-first',
    why: 'Removes the largest images first: few removals, but the longest pulls.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['a.lastUsedMs - b.lastUsedMs ||', 'b.image.sizeBytes - a.image.sizeBytes ||']],
  },
  {
    id: 'use-is-forgotten',
    why: 'Drops the last use of an image as soon as it is not in use.',
    origin: 'common',
    law: 'Longest unused first',
    edits: [['inUse.has(image.id) ? nowMs : lastUsedMs }', 'inUse.has(image.id) ? nowMs : lastUsedMs * 0 }']],
  },
  {
    id: 'sweeps-the-disk',
    why: 'Removes all removable images, however little space is needed.',
    origin: 'common',
    law: 'No excess',
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
    why: 'Frees only enough to get below the high threshold: five minutes later it starts again.',
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
    why: 'Stops at the first image that cannot be removed.',
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
    why: 'Reports that the disk stays full, although the reason is that images could not be removed.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'The laws allow an event about the missing bytes in addition when images could not be removed.',
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
    why: 'Does not report that the disk stays full.',
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
