/** Correct address managers with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'decides for all sets before it writes, creates reservations in place, and treats an empty file as free; none of the given parts',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'in-place',
    why: 'creates the file of an address in place; an empty file of a crashed process counts as free',
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
    why: 'does not sync: after a power loss a file is complete or empty, and an empty one counts as free',
    edits: [['      await this.#files.fsync(draft);\n', '']],
  },
  {
    id: 'locks-each-set',
    why: 'acquires the lock for each range set separately, like host-local',
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
    why: 'links the draft to its final name, which fails if the file exists: an empty file is removed first',
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
    why: 'STATUS tests whether the disk accepts the data of an ADD',
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
    why: 'syncs the directory after each change, so that a power loss undoes none',
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
    why: 'writes the last address before it reserves it: after a crash in between, the round robin skips one address',
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
