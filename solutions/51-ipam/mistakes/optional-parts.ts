import type { Mistake } from '#harness/testing';

/** Levels 7 ★ and 8 ★ · An address that is asked for, and STATUS */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'any-will-do',
    why: 'Gives any address when the one that is asked for is taken.',
    origin: 'common',
    law: 'Asked',
    edits: [
      [
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);',
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);\n  if (index >= 0) return allocate(store, { set, index, owner });',
      ],
    ],
  },
  {
    id: 'asks-in-vain',
    why: 'Does not listen: gives the next address.',
    origin: 'common',
    law: 'Asked',
    edits: [['if (requested) return allocateRequested(store, { ...allocation, requested });\n', '']],
  },
  {
    id: 'gateway-on-request',
    why: "Gives the gateway's address to a container that asks for it.",
    origin: 'common',
    law: 'Asked',
    edits: [['if (requested.text === range.gateway.text)\n', "if (requested.text === '')\n"]],
  },
  {
    id: 'taken-on-request',
    why: 'Gives an address that is asked for, though another container has it.',
    origin: 'common',
    law: 'Still',
    edits: [
      [
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);',
        'await store.reserve(requested, owner, index);\n  if (index >= 0) return addressIn(range, requested);',
      ],
    ],
  },
  {
    id: 'what-is-left-over',
    why: 'Says nothing of an address that no set has.',
    origin: 'common',
    law: 'Asked',
    edits: [['      if (left.length > 0)\n', '      if (left.length < 0)\n']],
  },
  {
    id: 'requested-is-not-the-last',
    why: 'Goes on from the first set for every set: an address of the second is asked for in vain.',
    origin: 'common',
    law: 'Asked',
    edits: [
      [
        'const wanted = left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));',
        'const wanted = index > 0 ? -1 : left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));',
      ],
    ],
  },
  {
    id: 'always-ready',
    why: 'Is always well: the node takes pods that it has no address for.',
    origin: 'host-local itself',
    law: 'Ready',
    edits: [['if (await isFull(store, set))\n', 'if (sets.length === 0 && (await isFull(store, set)))\n']],
  },
  {
    id: 'ready-with-one-set',
    why: 'Is well as long as one set has an address.',
    origin: 'common',
    law: 'Ready',
    edits: [['      for (const set of sets)\n', '      for (const set of sets.slice(0, 1))\n']],
  },
  {
    id: 'never-ready',
    why: 'Counts the gateway among the addresses that must be free.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        'for (const { ip } of offers(set)) if (!(await store.isReserved(ip))) return false;\n  return true;',
        'for (const { ip } of offers(set)) if (await store.isReserved(ip)) return true;\n  return false;',
      ],
    ],
  },
  {
    id: 'ready-in-its-own-words',
    why: 'Says in its own words that nothing is left.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        `          throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);
    });`,
        `          throw new Error(\`\${formatRangeSet(set)} is full\`);
    });`,
      ],
    ],
  },
  {
    id: 'ready-leaves-a-file',
    why: 'Tries whether it can write, and leaves what it wrote.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        '    await store.withLock(async () => {\n      for (const set of sets)\n',
        `    await store.withLock(async () => {
      const { directory } = open(request).configuration;
      await request.process.files.writeFile(directory.concat('/trial'), '', { mode: 0o600 });
      for (const set of sets)
`,
      ],
    ],
  },
  {
    id: 'ready-whatever-the-ranges',
    why: 'Is well where the configuration is wrong, and no ADD can succeed.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        'throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);',
        'if (/^invalid|^range set/.test((error as Error).message)) return;\n    throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);',
      ],
    ],
  },
  {
    id: 'ready-is-an-error-of-its-own',
    why: 'Says with code 999 that no address is left: the runtime takes it for a failure of the plugin.',
    origin: 'common',
    law: 'Ready',
    edits: [['throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);', 'throw error;']],
  },
  {
    id: 'first-that-is-asked-for',
    why: 'Looks at the first of the addresses that are asked for: the others are asked for in vain, and the ADD succeeds.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [['const left = [...requested];', 'const left = requested.slice(0, 1);']],
  },
  {
    id: 'asked-within-the-subnet',
    why: 'Gives an address that is asked for, if it is in the subnet, though no range has it.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [
      [
        'const wanted = left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));',
        'const wanted = left.findIndex((ip) => set.some((range) => contains(range.subnet, ip)));',
      ],
      [
        'const range = set.find((each) => rangeContains(each, requested));',
        'const range = set.find((each) => contains(each.subnet, requested));',
      ],
    ],
  },
  {
    id: 'has-it-already',
    why: 'Answers that all is well when a container asks for the address that it has: the runtime does not notice that it asks twice.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [
      [
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);',
        `const own = await store.addressesOf(owner);
  if (own.some(({ text }) => text === requested.text)) return addressIn(range, requested);
  if (await store.reserve(requested, owner, index)) return addressIn(range, requested);`,
      ],
    ],
  },
  {
    id: 'asked-in-another-set',
    why: 'Lets a container that asks for an address of one set have a second one of the others, too.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [
      [
        'const allocation = { set, index, owner: request, requested: ip };',
        'const allocation = { set, index, owner: request, requested: ip, asks: requested.length > 0 };',
      ],
      [
        `  if (held) {
`,
        `  if (held && !('asks' in allocation && allocation.asks)) {
`,
      ],
    ],
  },
  {
    id: 'one-of-those-left-over',
    why: 'Names the first of the addresses that no set has, and none of the others.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [["left.map(({ text }) => text).join(' ')", 'left[0]?.text']],
  },
  {
    id: 'gateway-in-its-own-words',
    why: 'Says in its own words that the gateway was asked for.',
    origin: 'found in a trial of this kata',
    law: 'Asked',
    edits: [["is subnet's gateway`", 'is the gateway`']],
  },
  {
    id: 'ready-without-the-empty',
    why: 'Takes an address for taken whose file is empty, though an ADD would give it away: a node that has room is not ready.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        'async isReserved(ip: IP): Promise<boolean> {',
        'async isReserved(ip: IP, least = 0): Promise<boolean> {',
      ],
      ['?.sizeBytes ?? 0) > 0;', '?.sizeBytes ?? -1) > least;'],
      [
        'if (!(await store.isReserved(ip))) return false;',
        'if (!(await store.isReserved(ip, -1))) return false;',
      ],
    ],
  },
  {
    id: 'ready-and-begins-anew',
    why: 'Looks whether it can write where the last address is, and empties it: the round begins anew with each STATUS.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        `    await store.withLock(async () => {
      for (const set of sets)
`,
        `    await store.withLock(async () => {
      const { directory } = open(request).configuration;
      await request.process.files.writeFile(directory.concat('/last_reserved_ip.0'), '', { mode: 0o600 });
      for (const set of sets)
`,
      ],
    ],
  },
  {
    id: 'ready-without-a-directory',
    why: 'Is well where a file is in place of the directory, and no ADD can succeed.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        'throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);',
        `if ((error as Error).message.includes('not a directory')) return;
    throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);`,
      ],
    ],
  },
  {
    id: 'ready-is-the-kernels-error',
    why: 'Says with code 999 that the directory cannot be used: the runtime takes it for a failure of the plugin.',
    origin: 'found in a trial of this kata',
    law: 'Ready',
    edits: [
      [
        'throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);',
        `if ((error as Error).message.includes('not a directory')) throw error;
    throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);`,
      ],
    ],
  },
];
