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
        'const collector = new ImageGarbageCollector({ ...options, configuration, records });',
        `const collector = new ImageGarbageCollector({ ...options, configuration, records });
  const look = (): void => {
    options.runtime.listContainers().then(() => options.images.listImages()).catch(() => {});
    clock.after(300_000, look);
  };
  look();`,
      ],
    ],
  },
  {
    id: 'answers-slowly',
    why: 'lets some turns pass before it asks for anything, and before it answers',
    edits: [
      [
        'ensureImageExists: (request) => ensurer.ensureImageExists(request),',
        `ensureImageExists: async (request) => {
      for (let i = 0; i < 10; i++) await undefined;
      const imageRef = await ensurer.ensureImageExists(request);
      for (let i = 0; i < 10; i++) await undefined;
      return imageRef;
    },`,
      ],
    ],
  },
];
