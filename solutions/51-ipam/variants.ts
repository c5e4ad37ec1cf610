/** Address managers that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'decides over all sets before it writes, reserves in place, and takes an empty file for free; none of the parts of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'in-place',
    why: 'makes the file of an address in its place; an empty one, which a process left that died, counts as free',
    edits: [
      [
        `    const draft = this.#path(DRAFT);
    await this.#files.removeAll(draft);
    try {
      await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });
      await this.#files.fsync(draft);
      await this.#files.rename(draft, this.#path(name));
    } catch (error) {
      await this.#files.removeAll(draft);
      throw error;
    }`,
        `    await this.#files.removeAll(this.#path(name));
    try {
      await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });
    } catch (error) {
      await this.#files.removeAll(this.#path(name));
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'not-synced',
    why: 'syncs nothing: a file is on the disk as a whole or is empty, and an empty one counts as free',
    edits: [['      await this.#files.fsync(draft);\n', '']],
  },
  {
    id: 'locks-each-set',
    why: 'takes the lock for each range set by itself, as host-local does',
    edits: [
      [
        `  return store.withLock(async () => {
    const before = await store.addressesOf(request);
    const ips`,
        `  {
    const before = await store.withLock(() => store.addressesOf(request));
    const ips`,
      ],
      [
        'ips.push(await allocate(store, allocation).catch(',
        'ips.push(await store.withLock(() => allocate(store, allocation)).catch(',
      ],
      [
        `      await store.release(request, before);
      throw error;
    }
  });`,
        `      await store.withLock(() => store.release(request, before));
      throw error;
    }
  }`,
      ],
    ],
  },
  {
    id: 'links',
    why: 'gives the draft its name by a link, which fails where a file is: an empty one is removed before',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        `await this.#files.removeAll(this.#path(name));
      await this.#files.link(draft, this.#path(name));
      await this.#files.removeAll(draft);`,
      ],
    ],
  },
  {
    id: 'tries-to-write',
    why: 'tries in STATUS whether the disk takes what an ADD writes',
    edits: [
      [
        '    await store.withLock(async () => {\n      for (const set of sets)\n',
        `    await store.withLock(async () => {
      const { files } = request.process;
      const path = \`\${open(request).configuration.directory}/trial\`;
      await files.writeFile(path, 'x'.repeat(99)).finally(() => files.removeAll(path));
      for (const set of sets)
`,
      ],
    ],
  },
  {
    id: 'syncs-everything',
    why: 'syncs the directory after each change, so that a power cut takes nothing back',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.rename(draft, this.#path(name));\n      await this.#files.fsync(this.#directory);',
      ],
      [
        'for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));',
        `for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));
    await this.#files.fsync(this.#directory);`,
      ],
    ],
  },
  {
    id: 'notes-the-last-first',
    why: 'writes down which address is the last before it reserves it: if it dies in between, the round leaves one out',
    edits: [
      ['    await this.#put(ip.text, textOf(owner));\n    try {', '    try {'],
      [
        `ip.text, { mode: 0o600 });
    } catch`,
        `ip.text, { mode: 0o600 });
      await this.#put(ip.text, textOf(owner));
    } catch`,
      ],
    ],
  },
];
