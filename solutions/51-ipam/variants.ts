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
        'return (await this.#files.lstat(this.#path(ip.text))) !== undefined;',
        'return ((await this.#files.lstat(this.#path(ip.text)))?.sizeBytes ?? 0) > 0;',
      ],
      [
        `    const draft = this.#path(DRAFT);
    await this.#files.removeAll(draft);
    try {
      await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });
      await this.#files.fsync(draft);
      await this.#files.link(draft, this.#path(name));
      return true;
    } catch (error) {
      if (error instanceof FileError && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      await this.#files.removeAll(draft);
    }`,
        `    await this.#files.removeAll(this.#path(name));
    try {
      await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });
      return true;
    } catch (error) {
      await this.#files.removeAll(this.#path(name));
      throw error;
    }`,
      ],
    ],
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
    id: 'renames',
    why: 'gives the draft its name by a rename: under the lock nothing is there that it could replace',
    edits: [['this.#files.link(draft, this.#path(name))', 'this.#files.rename(draft, this.#path(name))']],
  },
  {
    id: 'syncs-everything',
    why: 'syncs the directory after each change, so that a power cut takes nothing back',
    edits: [
      [
        'await this.#files.link(draft, this.#path(name));',
        'await this.#files.link(draft, this.#path(name));\n      await this.#files.fsync(this.#directory);',
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
      [
        'if ((await this.isReserved(ip)) || !(await this.#create(ip.text, textOf(owner)))) return false;\n    try {',
        'if (await this.isReserved(ip)) return false;\n    try {',
      ],
      [
        `ip.text, { mode: 0o600 });
    } catch`,
        `ip.text, { mode: 0o600 });
      return await this.#create(ip.text, textOf(owner));
    } catch`,
      ],
      [
        `      throw error;
    }
    return true;
  }

  async isReserved`,
        `      throw error;
    }
  }

  async isReserved`,
      ],
    ],
  },
  {
    id: 'keeps-drafts',
    why: 'leaves its draft behind, until the next one or a GC removes it',
    edits: [
      [
        `      throw error;
    } finally {
      await this.#files.removeAll(draft);
    }`,
        `      throw error;
    }`,
      ],
    ],
  },
];
