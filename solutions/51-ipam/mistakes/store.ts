import type { Mistake } from '#harness/testing';

const create = `    const draft = this.#path(DRAFT);
    await this.#files.removeAll(draft);
    try {
      await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });
      await this.#files.fsync(draft);
      await this.#files.rename(draft, this.#path(name));
    } catch (error) {
      await this.#files.removeAll(draft);
      throw error;
    }`;

/** An empty file counts as a reservation. */
const emptyIsTaken = [
  'return ((await this.#files.lstat(this.#path(ip.text)))?.sizeBytes ?? 0) > 0;',
  'return (await this.#files.lstat(this.#path(ip.text))) !== undefined;',
] as const;

/** Level 3 · The store */
export const store: readonly Mistake[] = [
  {
    id: 'in-place',
    why: 'Creates the file of an address first and writes its content later: a crash in between leaves an address without an owner forever.',
    misconception: 'You seem to believe that the process that creates a file always lives to fill it.',
    origin: 'host-local itself; cnip#498',
    law: 'Finds free addresses',
    edits: [
      emptyIsTaken,
      [
        create,
        `    try {
      await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });
    } catch (error) {
      await this.#files.removeAll(this.#path(name));
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'in-place-and-full',
    why: 'Leaves an empty file if the disk is full: each attempt uses up one more address, until none is free.',
    misconception: 'You seem to believe that a write that fails leaves no file.',
    origin: 'cnip#498, before its fix',
    law: 'Rolls back',
    isFirstDraft: true,
    edits: [
      emptyIsTaken,
      [create, '    await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });'],
    ],
  },
  {
    id: 'empty-is-taken',
    why: 'Creates no empty file, but treats those of host-local as allocated: no DEL ever finds them.',
    misconception: 'You seem to believe that a file without an owner still belongs to a container.',
    origin: 'host-local itself; a hint of this kata once said so',
    law: 'Finds free addresses',
    edits: [emptyIsTaken],
  },
  {
    id: 'linked-over-an-empty-file',
    why: 'Treats an address with an empty file as free, but links to its name, which fails if the file exists.',
    misconception: 'You seem to believe that a free address has no file on the disk.',
    origin: 'found in a trial of this kata',
    law: 'Finds free addresses',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.link(draft, this.#path(name));\n      await this.#files.removeAll(draft);',
      ],
    ],
  },
  {
    id: 'not-synced',
    why: 'Renames a draft that is not on disk yet, and treats an empty file as allocated: after a power loss the name exists without an owner.',
    misconception: 'You seem to believe that a file with its final name has its content on the disk.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [emptyIsTaken, ['      await this.#files.fsync(draft);\n', '']],
  },
  {
    id: 'keeps-its-draft',
    why: 'Leaves its draft on a full disk, which therefore stays full.',
    misconception: 'You seem to believe that a write that fails takes up no space.',
    origin: 'found in a trial of this kata',
    law: 'Rolls back',
    edits: [
      [
        `    } catch (error) {
      await this.#files.removeAll(draft);
      throw error;
    }`,
        `    } catch (error) {
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'links-and-leaves-the-draft',
    why: 'Links its draft to the final name, and never removes the draft.',
    misconception: 'You seem to believe that a file with two names is harmless.',
    origin: 'common',
    law: 'Persists',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.removeAll(this.#path(name));\n      await this.#files.link(draft, this.#path(name));',
      ],
    ],
  },
  {
    id: 'writes-into-the-draft',
    why: "Writes into another process's draft: if drafts are linked, it is a second name of the reservation of a crashed process.",
    misconception: 'You seem to believe that a file of a crashed process has only the name that you see.',
    origin: 'found while this was written',
    law: 'Releases',
    edits: [
      [
        '    await this.#files.removeAll(draft);\n    try {',
        '    await this.#files.removeAll(this.#path(name));\n    try {',
      ],
      [
        'await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });',
        'await this.#files.writeFile(draft, text, { mode: 0o600 });',
      ],
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.link(draft, this.#path(name));\n      await this.#files.removeAll(draft);',
      ],
    ],
  },
  {
    id: 'draft-in-the-way',
    why: 'Fails if a draft of another process exists: no pod can start any more.',
    misconception: 'You seem to believe that no process before yours has stopped halfway.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [
      ['    await this.#files.removeAll(draft);\n    try {', '    try {'],
      [
        `    } catch (error) {
      await this.#files.removeAll(draft);
      throw error;
    }`,
        `    } catch (error) {
      if (!(error as Error).message.includes('exists')) await this.#files.removeAll(draft);
      throw error;
    }`,
      ],
    ],
  },
  {
    id: 'every-user-may-read',
    why: 'Creates its files with default permissions: all users can read which pods exist.',
    misconception: 'You seem to believe that any user of the node may know its pods.',
    origin: 'common',
    law: 'Persists',
    edits: [
      [
        'await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });',
        'await this.#files.writeFile(draft, text, { exclusive: true });',
      ],
    ],
  },
  {
    id: 'undo-is-left-to-others',
    why: 'If it cannot record the last address, it fails and leaves the address reserved.',
    origin: 'host-local itself',
    law: 'Level 3',
    hidden: '`add` releases its reservations after every failure.',
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
    ],
  },
  {
    id: 'no-lock',
    why: 'Has no lock: two processes find the same address free, and the second overwrites the reservation of the first.',
    misconception: 'You seem to believe that your process is alone between its look and its write.',
    origin: 'common: check, then act',
    law: 'Unique',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        '    const unlock = async (): Promise<void> => {};',
      ],
    ],
  },
  {
    id: 'lock-is-a-file',
    why: 'Uses the existence of a file as the lock: if its process crashes, all others wait forever.',
    misconception: 'You seem to believe that every process lives to clean up.',
    origin: 'Azure/azure-container-networking#186',
    law: 'Terminates',
    edits: [
      [
        "    const unlock = await this.#files.flock(this.#path('lock'));",
        `    const lock = this.#path('lock');
    for (let tries = 0; ; tries++) {
      try {
        await this.#files.writeFile(lock, '', { exclusive: true });
        break;
      } catch (error) {
        if ((error as { code?: string }).code !== 'EEXIST') throw error;
        if (tries > 500) await new Promise(() => {});
      }
    }
    const unlock = () => this.#files.removeAll(lock);`,
      ],
    ],
  },
  {
    id: 'store-is-locked',
    why: 'Fails if the lock file exists, which it does forever after a crash.',
    misconception: 'You seem to believe that a lock is held as long as its file exists.',
    origin: 'Azure/azure-container-networking#186',
    law: 'Finds free addresses',
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
    why: 'Removes the lock file after use: a waiting process has the old file, the next one creates a new file, and both enter.',
    misconception: 'You seem to believe that all processes that wait for a lock wait for the same file.',
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
    why: 'Does not release the lock after a failure.',
    origin: 'common: no finally',
    law: 'Level 3',
    hidden: 'The process exits after a failure, which releases the lock.',
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
    why: 'Does not record the last address: the lowest free one is allocated next.',
    misconception: 'You seem to believe that the next process knows where yours stopped.',
    origin: 'cni#194',
    law: 'Round robin',
    edits: [
      [
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set}\`), ip.text, { mode: 0o600 });`,
        'void set;',
      ],
    ],
  },
  {
    id: 'one-last-for-all-sets',
    why: 'Records the last address of all sets in one file: each set reads that of another, and starts over.',
    misconception: 'You seem to believe that all sets share one position.',
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
    why: 'Fails if the file of the last address is empty: after one crash no pod can start.',
    misconception: 'You seem to believe that a file is either complete or absent.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [['readIP(await this.#files.readFile(path));', 'parseIP(await this.#files.readFile(path));']],
  },
  {
    id: 'no-last-is-an-error',
    why: 'Fails if the file of the last address does not exist: the first pod never starts.',
    misconception: 'You seem to believe that another ADD always came before this one.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [['return (await this.#files.stat(path)) && readIP(', 'return readIP(']],
  },
  {
    id: 'keeps-what-was-not-noted',
    why: 'Leaves the address reserved if it cannot record it as the last one.',
    misconception:
      'You seem to believe that a failure after the reservation does not concern the reservation.',
    origin: 'host-local itself',
    law: 'Rolls back',
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
    id: 'undoes-for-the-owner',
    why: 'If it cannot record the last address, it releases all addresses of the container: a running pod loses the one from earlier ranges.',
    misconception: 'You seem to believe that a container holds only addresses of the attempt that fails.',
    origin: 'common: undo by owner',
    law: 'Persists',
    edits: [
      [
        `      await this.#files.removeAll(this.#path(ip.text));
      throw error;
    }
    return true;`,
        `      await this.release(owner);
      throw error;
    }
    return true;`,
      ],
    ],
  },
  {
    id: 'a-last-that-others-cut',
    why: 'Writes the last address atomically, but fails if another, crashed program has left the file empty: no pod can start.',
    misconception: 'You seem to believe that only your own code writes these files.',
    origin: 'found in a trial of this kata',
    law: 'Finds free addresses',
    edits: [
      [
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set}\`), ip.text, { mode: 0o600 });`,
        `await this.#put(\`\${LAST}\${set}\`, ip.text);`,
      ],
      ['readIP(await this.#files.readFile(path));', 'parseIP(await this.#files.readFile(path));'],
    ],
  },
];
