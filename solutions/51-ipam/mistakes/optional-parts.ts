import type { Mistake } from '#harness/testing';

/** Levels 7 ★ and 8 ★ · Requested addresses, and STATUS */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'any-will-do',
    why: 'Allocates any address if the requested one is not free.',
    misconception: 'You seem to believe that a requested address is only a preference.',
    origin: 'common',
    law: 'Requested',
    edits: [
      [
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);',
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);\n  if (index >= 0) return allocate(store, { set, index, owner });',
      ],
    ],
  },
  {
    id: 'asks-in-vain',
    why: 'Ignores the request, and allocates the next address.',
    misconception: 'You seem to believe that a container never asks for a certain address.',
    origin: 'common',
    law: 'Requested',
    edits: [['if (requested) return allocateRequested(store, { ...allocation, requested });\n', '']],
  },
  {
    id: 'gateway-on-request',
    why: "Allocates the gateway's address to a container that requests it.",
    misconception: 'You seem to believe that a request may have any address of the range.',
    origin: 'common',
    law: 'Requested',
    edits: [['if (requested.text === range.gateway.text)\n', "if (requested.text === '')\n"]],
  },
  {
    id: 'taken-on-request',
    why: 'Allocates a requested address although another container has it.',
    misconception: 'You seem to believe that a request gives a right to the address.',
    origin: 'common',
    law: 'Also if requested',
    edits: [
      [
        'if (await store.reserve(requested, owner, index)) return addressIn(range, requested);',
        'await store.reserve(requested, owner, index);\n  if (index >= 0) return addressIn(range, requested);',
      ],
    ],
  },
  {
    id: 'what-is-left-over',
    why: 'Ignores a requested address that is in no set.',
    misconception: 'You seem to believe that every requested address lies in one of your sets.',
    origin: 'common',
    law: 'Requested',
    edits: [['      if (left.length > 0)\n', '      if (left.length < 0)\n']],
  },
  {
    id: 'requested-is-not-the-last',
    why: 'Looks for a requested address only in the first set: an address of the second set is ignored.',
    misconception: 'You seem to believe that requested addresses all lie in the same set.',
    origin: 'common',
    law: 'Requested',
    edits: [
      [
        'const wanted = left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));',
        'const wanted = index > 0 ? -1 : left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));',
      ],
    ],
  },
  {
    id: 'always-ready',
    why: 'STATUS always succeeds: the node accepts pods without having an address for them.',
    misconception: 'You seem to believe that a plugin that runs is ready.',
    origin: 'host-local itself',
    law: 'Ready',
    edits: [['if (await isFull(store, set))\n', 'if (sets.length === 0 && (await isFull(store, set)))\n']],
  },
  {
    id: 'ready-with-one-set',
    why: 'STATUS succeeds while one set has a free address.',
    misconception: 'You seem to believe that one free address is always enough for a pod.',
    origin: 'common',
    law: 'Ready',
    edits: [['      for (const set of sets)\n', '      for (const set of sets.slice(0, 1))\n']],
  },
  {
    id: 'never-ready',
    why: 'STATUS requires the gateway to be free.',
    misconception: 'You seem to believe that a node is ready only while every address could be allocated.',
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
    why: 'STATUS uses another message when no address is free.',
    misconception: 'You seem to believe that STATUS and ADD may report the same problem in different words.',
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
    why: 'STATUS tests whether it can write, and leaves the file.',
    misconception: 'You seem to believe that one more file in the directory disturbs nothing.',
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
    why: 'STATUS succeeds with an invalid configuration, with which every ADD fails.',
    misconception: 'You seem to believe that a configuration is valid once you can parse it.',
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
    why: 'STATUS uses code 999 when no address is free: the runtime treats it as a failure of the plugin.',
    misconception: 'You seem to believe that the runtime treats all error codes alike.',
    origin: 'common',
    law: 'Ready',
    edits: [['throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);', 'throw error;']],
  },
  {
    id: 'first-that-is-asked-for',
    why: 'Considers only the first of the requested addresses: the others are ignored, and the ADD succeeds.',
    misconception: 'You seem to believe that a container asks for at most one address.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
    edits: [['const left = [...requested];', 'const left = requested.slice(0, 1);']],
  },
  {
    id: 'asked-within-the-subnet',
    why: 'Allocates a requested address in the subnet, even if it is in no range.',
    misconception: 'You seem to believe that every address of the subnet is yours to allocate.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
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
    why: 'Succeeds if a container requests its own address again: the runtime does not notice that it repeats the call.',
    misconception: 'You seem to believe that a container may ask again for an address that it holds.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
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
    why: 'A container that requests an address of one set can also get a second address from the other sets.',
    misconception: 'You seem to believe that a requested address comes in addition to the usual ones.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
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
    why: 'The error lists only the first of the addresses that are in no set.',
    misconception: 'You seem to believe that one example explains an error to its user.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
    edits: [["left.map(({ text }) => text).join(' ')", 'left[0]?.text']],
  },
  {
    id: 'gateway-in-its-own-words',
    why: 'Uses another message when the gateway is requested.',
    misconception: 'You seem to believe that the words of this error are yours to choose.',
    origin: 'found in a trial of this kata',
    law: 'Requested',
    edits: [["is subnet's gateway`", 'is the gateway`']],
  },
  {
    id: 'ready-without-the-empty',
    why: 'An address with an empty file counts as allocated, although an ADD would use it: a node with free addresses is not ready.',
    misconception: 'You seem to believe that an ADD and a STATUS may count free addresses differently.',
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
    why: 'STATUS tests the write with the file of the last address, and empties it: the round robin starts over after each STATUS.',
    misconception: 'You seem to believe that a STATUS may write to any file of the store.',
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
    why: 'STATUS succeeds if a file is in place of the directory, so that every ADD fails.',
    misconception: 'You seem to believe that a path that exists is a directory.',
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
    why: 'STATUS uses code 999 if the directory cannot be used: the runtime treats it as a failure of the plugin.',
    misconception: 'You seem to believe that the runtime understands errors of the file system.',
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
