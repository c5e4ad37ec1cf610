/** Image managers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one closure that holds a record for each pod and each image, and none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'looks-again-and-again',
    why: 'also looks at what is there and what is in use every five minutes by itself, as Kubernetes does',
    edits: [
      [
        `export const newImageManager: NewImageManager = (options) =>
  assembleImageManager(options, {`,
        `export const newImageManager: NewImageManager = (options) => {
  const look = (): void => {
    options.runtime.listContainers().then(() => options.images.listImages()).catch(() => {});
    options.clock.after(300_000, look);
  };
  look();
  return assembleImageManager(options, {`,
      ],
      [
        `    newPullRecords,
  });`,
        `    newPullRecords,
  });
};`,
      ],
    ],
  },
  {
    id: 'looks-before-each-removal',
    why: 'looks at what is in use before each removal, and not only when the collection begins',
    edits: [
      [
        '        await this.#options.images.removeImage({ image: image.id });',
        `        if (imagesInUse(await this.#options.runtime.listContainers()).has(image.id)) continue;
        await this.#options.images.removeImage({ image: image.id });`,
      ],
    ],
  },
  {
    id: 'gives-up-in-silence',
    why: 'fails a request that is given up with the reason of the abort, tells no event, and keeps no doubt of a pull that had not begun',
    edits: [
      [
        'readonly #options: ImageEnsurerOptions;',
        `readonly #options: ImageEnsurerOptions;
  readonly #begun = new WeakSet<AbortSignal>();`,
      ],
      [
        `      if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');`,
        `      if (signal) this.#begun.add(signal);
      if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');`,
      ],
      [
        '      const text = errorText(error);',
        `      if (request.signal?.aborted) {
        await records.failed(image, { givenUp: this.#begun.has(request.signal) });
        throw error;
      }
      const text = errorText(error);`,
      ],
    ],
  },
  {
    id: 'answers-slowly',
    why: 'lets some turns pass before it asks for anything, and before it answers',
    edits: [
      [
        `export const newImageManager: NewImageManager = (options) =>
  assembleImageManager(options, {`,
        `export const newImageManager: NewImageManager = (options) => {
  const manager = assembled(options);
  return {
    ...manager,
    ensureImageExists: async (request) => {
      for (let i = 0; i < 10; i++) await undefined;
      const imageRef = await manager.ensureImageExists(request);
      for (let i = 0; i < 10; i++) await undefined;
      return imageRef;
    },
  };
};
const assembled: NewImageManager = (options) =>
  assembleImageManager(options, {`,
      ],
    ],
  },
];
