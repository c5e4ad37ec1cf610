/** Correct image managers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'a single closure with a record for each pod and each image, without the given parts',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'looks-again-and-again',
    why: 'also lists images and containers every five minutes without a request, like Kubernetes',
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
    why: 'checks the images in use before each removal, not only at the start of the collection',
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
    why: 'fails a cancelled request with the reason of the abort, emits no event, and does not mark the image of a pull that had not started as doubtful',
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
    why: 'waits some microtasks before its first call, and before its answer',
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
