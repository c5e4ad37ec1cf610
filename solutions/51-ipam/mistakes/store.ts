import type { Mistake } from '#harness/testing';

const create = `    const draft = this.#path(DRAFT);
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
    }`;

/** Levels 3 and 4 · The store, and release */
export const store: readonly Mistake[] = [
  {
    id: 'in-place',
    why: 'Makes the file of an address and writes to it then: a process that dies in between leaves an address that is nobody’s for ever.',
    origin: 'host-local itself; cnip#498',
    law: 'Serves',
    edits: [
      [
        create,
        `    try {
      await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });
      return true;
    } catch (error) {
      if (error instanceof FileError && error.code === 'EEXIST') return false;
      await this.#files.removeAll(this.#path(name));
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'in-place-and-full',
    why: 'Leaves an empty file where the disk was full: each try takes one more address, until none is left.',
    origin: 'cnip#498, before its fix',
    law: 'Serves',
    edits: [
      [
        create,
        `    try {
      await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });
      return true;
    } catch (error) {
      if (error instanceof FileError && error.code === 'EEXIST') return false;
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'not-synced',
    why: 'Links a draft that is not on disk yet: after a power cut the name is there, and the owner is not.',
    origin: 'common',
    law: 'Serves',
    edits: [['      await this.#files.fsync(draft);\n', '']],
  },
  {
    id: 'writes-into-the-draft',
    why: 'Writes into the draft that another left: it is a second name of the reservation that the other made before it died.',
    origin: 'found while this was written',
    law: 'Releases',
    edits: [
      ['    await this.#files.removeAll(draft);\n    try {', '    try {'],
      [
        'await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });',
        'await this.#files.writeFile(draft, text, { mode: 0o600 });',
      ],
    ],
  },
  {
    id: 'draft-in-the-way',
    why: 'Cannot make its draft where another has left one: no pod starts any more.',
    origin: 'common',
    law: 'Serves',
    edits: [
      ['    await this.#files.removeAll(draft);\n    try {', '    try {'],
      [
        'await this.#files.link(draft, this.#path(name));\n',
        'await this.#files.link(draft, this.#path(name));\n      await this.#files.removeAll(draft);\n',
      ],
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
  {
    id: 'overwrites',
    why: 'Writes over the reservation of another, because it looked before the other wrote, and without a lock.',
    origin: 'common: check, then act',
    law: 'Unique',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        '    const unlock = async (): Promise<void> => {};',
      ],
      [
        'await this.#files.link(draft, this.#path(name));',
        'await this.#files.rename(draft, this.#path(name));',
      ],
    ],
  },
  {
    id: 'no-lock',
    why: 'Does without a lock: of two that overlap, the slower one writes down which was the last.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        '    const unlock = async (): Promise<void> => {};',
      ],
    ],
  },
  {
    id: 'lock-is-a-file',
    why: 'Takes the existence of a file for the lock: when its process dies, everybody waits for ever.',
    origin: 'Azure/azure-container-networking#186',
    law: 'Answers',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        `    const lock = this.#path('lock');
    for (let tries = 0; ; tries++) {
      try {
        await this.#files.writeFile(lock, '', { exclusive: true });
        break;
      } catch (error) {
        if (!(error instanceof FileError && error.code === 'EEXIST')) throw error;
        if (tries > 500) await new Promise(() => {});
      }
    }
    const unlock = () => this.#files.removeAll(lock);`,
      ],
    ],
  },
  {
    id: 'store-is-locked',
    why: 'Fails when the lock file is there, and it is there for ever once a process has died.',
    origin: 'Azure/azure-container-networking#186',
    law: 'Serves',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        `    const lock = this.#path('lock');
    await this.#files.writeFile(lock, '', { exclusive: true }).catch(() => {
      throw new Error('store is locked');
    });
    const unlock = () => this.#files.removeAll(lock);`,
      ],
    ],
  },
  {
    id: 'removes-its-lock',
    why: 'Removes the lock file when it is done: the one that waited has the old file, the next makes a new one, and both go in.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        '      await unlock();',
        `      await this.#files.removeAll(this.#path('lock'));
      await unlock();`,
      ],
    ],
  },
  {
    id: 'keeps-its-lock',
    why: 'Does not give the lock up when it fails.',
    origin: 'common: no finally',
    law: 'Level 3',
    hidden: 'The process ends after a failure, and with it the lock.',
    edits: [
      [
        `    try {
      return await act();
    } finally {
      await unlock();
    }`,
        `    const result = await act();
    await unlock();
    return result;`,
      ],
    ],
  },
  {
    id: 'last-is-not-noted',
    why: 'Does not write down which address was the last: the lowest one that is free comes next.',
    origin: 'cni#194',
    law: 'Fair',
    edits: [
      [
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set}\`), ip.text, { mode: 0o600 });`,
        'void set;',
      ],
    ],
  },
  {
    id: 'one-last-for-all-sets',
    why: 'Notes the last address of all sets in one file: each set finds that of another, and begins anew.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set}\`), ip.text, { mode: 0o600 });`,
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set - set}\`), ip.text, { mode: 0o600 });`,
      ],
      [
        `const path = this.#path(\`\${LAST}\${set}\`);`,
        `const path = this.#path(\`\${LAST}\${set - set}\`);`,
      ],
    ],
  },
  {
    id: 'an-empty-last-is-an-error',
    why: 'Fails when the file of the last address is empty: after one crash no pod starts any more.',
    origin: 'common',
    law: 'Serves',
    edits: [['readIP(await this.#files.readFile(path));', 'parseIP(await this.#files.readFile(path));']],
  },
  {
    id: 'no-last-is-an-error',
    why: 'Fails when there is no file of the last address: the first pod never starts.',
    origin: 'common',
    law: 'Serves',
    edits: [['return (await this.#files.stat(path)) && readIP(', 'return readIP(']],
  },
  {
    id: 'keeps-what-was-not-noted',
    why: 'Leaves the address reserved when it cannot write down that it was the last.',
    origin: 'host-local itself',
    law: 'Undoes',
    edits: [
      [
        `      await this.#files.removeAll(this.#path(ip.text));
      throw error;
    }
    return true;`,
        `      throw error;
    }
    return true;`,
      ],
      [
        '      await store.release(request, before);\n',
        '      if (before.length > 0 || !(error as Error).message.includes("no space")) await store.release(request, before);\n',
      ],
    ],
  },
  {
    id: 'another-line-break',
    why: 'Separates container and interface by a line feed alone: host-local, which comes with the next update, finds nothing.',
    origin: 'common',
    law: 'Kept',
    edits: [[`\`\${containerID.trim()}\\r\\n\${ifname}\``, `\`\${containerID.trim()}\\n\${ifname}\``]],
  },
  {
    id: 'without-the-interface',
    why: 'Notes the container alone: the DEL of its second interface takes the address of the first.',
    origin: 'host-local until 0.7',
    law: 'Kept',
    edits: [[`\`\${containerID.trim()}\\r\\n\${ifname}\``, `\`\${containerID.trim()}\${ifname.slice(99)}\``]],
  },
  {
    id: 'begins-alike',
    why: 'Takes pod-1 for pod-10, because it begins alike.',
    origin: 'common: startsWith',
    law: 'Level 4',
    hidden: 'Containers are known by random names of one length, so that none is the beginning of another.',
    edits: [
      [
        'await this.#removeWhere((text, name) => text === textOf(owner) && !names.has(name));',
        'await this.#removeWhere((text, name) => text.startsWith(owner.containerID.trim()) && !names.has(name));',
      ],
    ],
  },
  {
    id: 'first-only',
    why: 'Releases the first address that it finds: a pod with IPv4 and IPv6 leaves one behind.',
    origin: 'common',
    law: 'Releases',
    edits: [
      [
        'for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));',
        'for (const name of (await this.#namesWhere(matches)).slice(0, 1)) await this.#files.removeAll(this.#path(name));',
      ],
    ],
  },
  {
    id: 'forgets-the-last',
    why: 'Removes the file of the last address with the reservation: what came free is given away at once.',
    origin: 'common',
    law: 'Fair',
    edits: [
      [
        "if (name === 'lock' || name.startsWith(LAST)) continue;\n",
        "if (name === 'lock') continue;\n      if (name.startsWith(LAST)) {\n        if (matches('', name)) found.push(name);\n        continue;\n      }\n",
      ],
      [
        'text === textOf(owner) && !names.has(name));',
        '(text === textOf(owner) && !names.has(name)) || name.startsWith(LAST));',
      ],
    ],
  },
  {
    id: 'by-name-of-the-container',
    why: 'Has one directory for all networks: a container loses its address in one when it leaves the other.',
    origin: 'common',
    law: 'Apart',
    edits: [
      [
        'new Store(request.process.files, configuration.directory)',
        "new Store(request.process.files, '/var/lib/cni/networks/cbr0')",
      ],
    ],
  },
];
