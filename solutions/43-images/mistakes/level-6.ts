import type { Mistake } from '#harness/testing';

/** Level 6 · The image of a container */
export const level6: readonly Mistake[] = [
  {
    id: 'looks-with-always',
    why: 'Asks with Always whether the image is there, and fails if the runtime does not say.',
    origin: 'common',
    law: 'Says why',
    edits: [
      [
        `policy === 'Always' ? undefined : await this.#lookUp(request, spec)`,
        'await this.#lookUp(request, spec)',
      ],
    ],
  },
  {
    id: 'looks-when-its-turn-has-come',
    why: `Asks in the queue whether the image is there: a pod whose image is there waits for another one's pull.`,
    origin: 'k#109673',
    law: 'Independent',
    edits: [
      [
        'await this.#lookUp(request, spec);',
        'await this.#options.puller.run(() => this.#lookUp(request, spec));',
      ],
    ],
  },
  {
    id: 'says-nothing-of-what-is-there',
    why: 'Tells of pulls, and not of an image that is used as it is.',
    origin: 'common',
    law: 'Tells',
    edits: [
      [
        `        this.#tell(request, 'Normal', 'Pulled', imageMessages.present(image));
`,
        '',
      ],
    ],
  },
  {
    id: 'tells-another-name',
    why: 'Tells of the name that the runtime is asked for: a user does not find it in the manifest.',
    origin: 'common',
    law: 'Tells',
    edits: [['imageMessages.pulling(image)', 'imageMessages.pulling(spec)']],
  },
  {
    id: 'no-time-to-wait',
    why: 'Counts the wait for its turn as a part of the pull.',
    origin: 'common',
    law: 'Tells',
    edits: [
      [
        `    return puller.run(async () => {
      const startedMs = clock.now();`,
        `    const startedMs = clock.now();
    return puller.run(async () => {`,
      ],
    ],
  },
  {
    id: 'a-size-or-nothing',
    why: 'Takes a pull for failed because the size of what was pulled could not be looked up.',
    origin: 'common',
    law: 'Says why',
    edits: [
      ['await images.imageStatus({ image }).catch(() => undefined);', 'await images.imageStatus({ image });'],
    ],
  },
  {
    id: 'every-failure-is-the-same',
    why: `Does not know the runtime's own words for a failure.`,
    origin: 'common',
    law: 'Says why',
    edits: [
      [
        'const refusal = pullError(image, text);',
        "const refusal = text === '' ? pullError(image, text) : new ImageError('ErrImagePull', text);",
      ],
    ],
  },
  {
    id: 'no-limit',
    why: 'Does not ask whether pulls come too fast.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        `      if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');
`,
        '',
      ],
    ],
  },
  {
    id: 'an-event-for-a-secret',
    why: 'Tells of a pull that failed when a secret cannot be read, though nothing was pulled.',
    origin: 'common',
    law: 'Tells',
    edits: [
      ['#credentialsFor({ pullSecrets }: ImageRequest,', '#credentialsFor(request: ImageRequest,'],
      [
        '    const { node } = this.#options;',
        `    const { pullSecrets } = request;
    const { node } = this.#options;`,
      ],
      [
        `      throw new ImageError('ErrImagePull', errorText(error));`,
        `      this.#tell(request, 'Warning', 'Failed', errorText(error));
      throw new ImageError('ErrImagePull', errorText(error));`,
      ],
    ],
  },
  {
    id: 'a-full-disk-is-a-failed-pull',
    why: 'Lets a pod wait because its pull could not be written down.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'await records.intend(image);',
        `await records.intend(image).catch((error: Error) => {
      backOff.failed(key, error.message);
      throw error;
    });`,
      ],
    ],
  },
  {
    id: 'waits-although-it-is-gone',
    why: 'Lets a deleted pod wait for its turn.',
    origin: 'k#15925',
    law: 'Independent',
    edits: [
      [
        `tookMs: clock.now() - startedMs };
    }, signal);`,
        `tookMs: clock.now() - startedMs };
    });`,
      ],
    ],
  },
  {
    id: 'every-refusal-is-a-failure',
    why: 'Lets a pod wait because a name is none, or the runtime did not answer.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `      throw new ImageError('ImageInspectError', message);`,
        `      const { pod, container } = request;
      this.#options.backOff.failed(\`\${pod.metadata.uid}_\${container.image}\`, message);
      throw new ImageError('ImageInspectError', message);`,
      ],
    ],
  },
  {
    id: 'looks-the-same-to-its-user',
    why: 'Says ErrImagePull when the runtime does not answer: the registry is searched for what is wrong with the node.',
    origin: 'common',
    law: 'Says why',
    edits: [
      [
        `throw new ImageError('ImageInspectError', message);`,
        `throw new ImageError('ErrImagePull', message);`,
      ],
    ],
  },
  {
    id: 'a-secret-is-a-failure',
    why: 'Lets a pod wait because its secret could not be read: it still waits when the secret has been mended.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      ['#credentialsFor({ pullSecrets }: ImageRequest,', '#credentialsFor(request: ImageRequest,'],
      [
        '    const { node } = this.#options;',
        `    const { pullSecrets, pod, container } = request;
    const { node, backOff } = this.#options;`,
      ],
      [
        `      throw new ImageError('ErrImagePull', errorText(error));`,
        `      backOff.failed(\`\${pod.metadata.uid}_\${container.image}\`, errorText(error));
      throw new ImageError('ErrImagePull', errorText(error));`,
      ],
    ],
  },
  {
    id: 'reads-all-secrets',
    why: 'Reads the secrets before it knows that it needs them: a pod whose image is there waits for a secret.',
    origin: 'common',
    law: 'Says why',
    edits: [
      [
        "    const present = policy === 'Always'",
        "    credentials();\n    const present = policy === 'Always'",
      ],
    ],
  },
];
