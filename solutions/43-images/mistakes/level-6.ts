import type { Mistake } from '#harness/testing';

/** Level 6 · The image of a container */
export const level6: readonly Mistake[] = [
  {
    id: 'looks-with-always',
    why: 'With policy Always it queries the image, and fails if the runtime does not answer.',
    origin: 'common',
    law: 'Right reason',
    edits: [
      [
        `policy === 'Always' ? undefined : await this.#lookUp(request, spec)`,
        'await this.#lookUp(request, spec)',
      ],
    ],
  },
  {
    id: 'looks-when-its-turn-has-come',
    why: `Queries the image only when its turn has come: a pod with a present image waits for another pod's pull.`,
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
    why: 'Emits events about pulls, but not about a present image.',
    origin: 'common',
    law: 'Emits events',
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
    why: 'Reports the name with the default tag: a user does not find it in the manifest.',
    origin: 'common',
    law: 'Emits events',
    edits: [['imageMessages.pulling(image)', 'imageMessages.pulling(spec)']],
  },
  {
    id: 'no-time-to-wait',
    why: 'The reported duration of a pull includes the wait for its turn.',
    origin: 'common',
    law: 'Emits events',
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
    why: 'A pull fails if the size of the image cannot be queried.',
    origin: 'common',
    law: 'Right reason',
    edits: [
      ['await images.imageStatus({ image }).catch(() => undefined);', 'await images.imageStatus({ image });'],
    ],
  },
  {
    id: 'every-failure-is-the-same',
    why: `Does not recognize the runtime's own error names.`,
    origin: 'common',
    law: 'Right reason',
    edits: [
      [
        'const refusal = pullError(image, text);',
        "const refusal = text === '' ? pullError(image, text) : new ImageError('ErrImagePull', text);",
      ],
    ],
  },
  {
    id: 'no-limit',
    why: 'Ignores the rate limit.',
    origin: 'common',
    law: 'Rate limit',
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
    why: 'Reports a failed pull if a secret cannot be read, although it has not pulled.',
    origin: 'common',
    law: 'Emits events',
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
    why: 'A pod backs off because its pull could not be recorded on disk.',
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
    why: 'A deleted pod keeps waiting for its turn.',
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
    why: 'A pod backs off because of an invalid name, or because the runtime did not answer.',
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
    why: 'Reports ErrImagePull if the runtime does not answer: users blame the registry for a problem of the node.',
    origin: 'common',
    law: 'Right reason',
    edits: [
      [
        `throw new ImageError('ImageInspectError', message);`,
        `throw new ImageError('ErrImagePull', message);`,
      ],
    ],
  },
  {
    id: 'a-secret-is-a-failure',
    why: 'A pod backs off because its secret could not be read: it still waits after the secret is fixed.',
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
    why: 'Reads the secrets before it needs them: a pod with a present image waits for a secret.',
    origin: 'common',
    law: 'Right reason',
    edits: [
      [
        "    const present = policy === 'Always'",
        "    credentials();\n    const present = policy === 'Always'",
      ],
    ],
  },
  {
    id: 'pulls-the-tag-of-a-digest',
    why: 'Pulls the tag although the name has a digest.',
    origin: 'common: drops the part after @',
    law: 'Follows policy',
    edits: [
      [
        'pullWithCredentials(images, { image, credentials, sandboxConfig, signal })',
        `pullWithCredentials(images, { image: image.replace(/@.*$/, ''), credentials, sandboxConfig, signal })`,
      ],
    ],
  },
];
