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

/** An empty file is taken for a reservation. */
const emptyIsTaken = [
  'return ((await this.#files.lstat(this.#path(ip.text)))?.sizeBytes ?? 0) > 0;',
  'return (await this.#files.lstat(this.#path(ip.text))) !== undefined;',
] as const;

/** Level 3 · The store */
export const store: readonly Mistake[] = [
  {
    id: 'in-place',
    why: 'Makes the file of an address and writes to it then: a process that dies in between leaves an address without an owner for ever.',
    origin: 'host-local itself; cnip#498',
    law: 'Serves',
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
    why: 'Leaves an empty file where the disk was full: each try takes one more address, until none is left.',
    origin: 'cnip#498, before its fix',
    law: 'Undoes',
    edits: [
      emptyIsTaken,
      [create, '    await this.#files.writeFile(this.#path(name), text, { mode: 0o600, exclusive: true });'],
    ],
  },
  {
    id: 'empty-is-taken',
    why: 'Leaves no empty file, and takes those that host-local has left for taken: no DEL ever finds them.',
    origin: 'host-local itself; a hint of this kata once said so',
    law: 'Serves',
    edits: [emptyIsTaken],
  },
  {
    id: 'linked-over-an-empty-file',
    why: 'Knows that an address with an empty file is free, and links to its name: that fails where there is a file.',
    origin: 'found in a trial of this kata',
    law: 'Serves',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.link(draft, this.#path(name));\n      await this.#files.removeAll(draft);',
      ],
    ],
  },
  {
    id: 'not-synced',
    why: 'Renames a draft that is not on disk yet, and takes an empty file for taken: after a power cut the name is there, and the owner is not.',
    origin: 'common',
    law: 'Serves',
    edits: [emptyIsTaken, ['      await this.#files.fsync(draft);\n', '']],
  },
  {
    id: 'keeps-its-draft',
    why: 'Leaves its draft where the disk was full, and so has a part in that it stays full.',
    origin: 'found in a trial of this kata',
    law: 'Undoes',
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
    why: 'Links its draft to the name, and never removes it.',
    origin: 'common',
    law: 'Kept',
    edits: [
      [
        'await this.#files.rename(draft, this.#path(name));',
        'await this.#files.removeAll(this.#path(name));\n      await this.#files.link(draft, this.#path(name));',
      ],
    ],
  },
  {
    id: 'writes-into-the-draft',
    why: 'Writes into the draft that another left: where drafts are linked, it is a second name of the reservation that the other made before it died.',
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
    why: 'Cannot make its draft where another has left one: no pod starts any more.',
    origin: 'common',
    law: 'Serves',
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
    why: 'Makes its files as the system makes any file: all users can read which pods there are.',
    origin: 'common',
    law: 'Kept',
    edits: [
      [
        'await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });',
        'await this.#files.writeFile(draft, text, { exclusive: true });',
      ],
    ],
  },
  {
    id: 'undo-is-left-to-others',
    why: 'Fails when it cannot write down that an address was the last, and leaves it reserved.',
    origin: 'host-local itself',
    law: 'Level 3',
    hidden: '`add` takes back what it has reserved, whatever failed.',
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
    why: 'Does without a lock: two look, both find the address free, and the second takes it from the first.',
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
    why: 'Takes the existence of a file for the lock: when its process dies, all others wait for ever.',
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
    id: 'a-last-that-others-cut',
    why: 'Writes the last as a whole, and fails where another program, which died, has left it empty: no pod starts any more.',
    origin: 'found in a trial of this kata',
    law: 'Serves',
    edits: [
      [
        `await this.#files.writeFile(this.#path(\`\${LAST}\${set}\`), ip.text, { mode: 0o600 });`,
        `await this.#put(\`\${LAST}\${set}\`, ip.text);`,
      ],
      ['readIP(await this.#files.readFile(path));', 'parseIP(await this.#files.readFile(path));'],
    ],
  },
];
