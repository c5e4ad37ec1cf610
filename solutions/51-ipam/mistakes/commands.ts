import type { Mistake } from '#harness/testing';

/** Levels 5 and 6 · ADD, DEL and CHECK, and GC */
export const commands: readonly Mistake[] = [
  {
    id: 'one-more-address',
    why: 'Gives a container a second address when the runtime calls ADD again: the first is lost.',
    origin: 'host-local until cnip#299',
    law: 'Refuses',
    edits: [['  if (held) {\n', '  if (held && index < 0) {\n']],
  },
  {
    id: 'the-same-again',
    why: 'Answers a second ADD with the address that the container has: the runtime does not notice that it asks twice.',
    origin: 'common; the specification wants an error',
    law: 'Refuses',
    edits: [
      [
        '  if (held) {\n',
        `  const range = held && set.find((each) => rangeContains(each, held));
  if (held && range) return addressIn(range, held);
  if (held) {
`,
      ],
    ],
  },
  {
    id: 'refused-and-released',
    why: 'Undoes a second ADD by releasing what the container has: a running pod loses its address.',
    origin: 'common: undo by owner',
    law: 'Kept',
    edits: [
      ['await store.release(request, before);', 'await store.release(request, before.slice(before.length));'],
    ],
  },
  {
    id: 'no-undo',
    why: 'Keeps the address of the first set when the second is full: the pod that never starts has it.',
    origin: 'common',
    law: 'Undoes',
    edits: [['      await store.release(request, before);\n', '']],
  },
  {
    id: 'first-set-only',
    why: 'Gives an address of the first set: the pod has no IPv6.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'for (const [index, set] of sets.entries()) {',
        'for (const [index, set] of [...sets.entries()].slice(0, 1)) {',
      ],
    ],
  },
  {
    id: 'sets-in-one',
    why: 'Takes all sets for one, so that the pod has one address instead of two.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'for (const [index, set] of sets.entries()) {',
        'for (const [index, set] of [sets.flat()].entries()) {',
      ],
    ],
  },
  {
    id: 'routes-are-left-out',
    why: 'Answers without the routes: the pod has an address, and no way out.',
    origin: 'found in a trial of this kata',
    law: 'Usable',
    edits: [
      [
        'return { cniVersion, interfaces: [], ips, routes };',
        'return { cniVersion, interfaces: [], ips, routes: routes.slice(routes.length) };',
      ],
    ],
  },
  {
    id: 'makes-an-interface-up',
    why: 'Tells of an interface that it has not made: the plugin that has asked tells of it twice.',
    origin: 'found in a trial of this kata',
    law: 'Usable',
    edits: [
      [
        'return { cniVersion, interfaces: [], ips, routes };',
        'return { cniVersion, interfaces: [{ name: request.ifname, sandbox: request.netns }], ips, routes };',
      ],
    ],
  },
  {
    id: 'says-full-otherwise',
    why: 'Says in its own words that nothing is left: a search for the message does not find what to do.',
    origin: 'common',
    law: 'Full',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** An address as`,
        `throw new Error(\`no IP addresses available in network: \${formatRangeSet(set)}\`);\n}\n\n/** An address as`,
      ],
    ],
  },
  {
    id: 'full-is-no-error',
    why: 'Answers without an address when none is left: the pod starts, and has no network.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** An address as`,
        "return { address: '' };\n}\n\n/** An address as",
      ],
    ],
  },
  {
    id: 'full-takes-the-last',
    why: 'When nothing is free, it gives the address away that was given away longest ago.',
    origin: 'common in DHCP servers',
    law: 'Unique',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** An address as`,
        `for (const { ip, range } of offers(set, await store.lastReserved(index))) return addressIn(range, ip);
  throw new Error('no range');
}

/** An address as`,
      ],
    ],
  },
  {
    id: 'del-wants-something',
    why: 'Fails when there is nothing to release: the runtime calls DEL again and again, and the pod is never gone.',
    origin: 'many plugins; CNI SPEC.md, DEL',
    law: 'Releases',
    edits: [
      [
        'await store.withLock(() => store.release(request));\n',
        `await store.withLock(async () => {
    if ((await store.addressesOf(request)).length === 0) throw new Error('no such container');
    await store.release(request);
  });
`,
      ],
    ],
  },
  {
    id: 'del-of-the-network',
    why: 'Releases all addresses of the network.',
    origin: 'common',
    law: 'Kept',
    edits: [
      [
        'await store.withLock(() => store.release(request));\n',
        'await store.withLock(() => store.releaseAllBut([]));\n',
      ],
    ],
  },
  {
    id: 'check-is-well',
    why: 'Answers that all is well, whatever there is.',
    origin: 'plugins before CNI 0.4',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length < 0)\n']],
  },
  {
    id: 'check-reserves',
    why: 'Says of a container that has an address that it has none, because it asks whether the address is free.',
    origin: 'common',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length > 0)\n']],
  },
  {
    id: 'check-without-a-lock',
    why: 'Looks without the lock, and fails when a file that it was about to read is released meanwhile.',
    origin: 'common',
    law: 'Checks',
    edits: [
      [
        'const held = await store.withLock(() => store.addressesOf(request));',
        'await request.process.files.mkdirAll(readIpamConfiguration(request).directory);\n  const held = await store.addressesOf(request);',
      ],
    ],
  },
  {
    id: 'del-without-a-lock',
    why: 'Releases without the lock: an ADD fails when a file that it was about to read is gone.',
    origin: 'common',
    law: 'Serves',
    edits: [
      [
        'await store.withLock(() => store.release(request));\n',
        'await store.withLock(async () => {});\n  await store.release(request);\n',
      ],
    ],
  },
  {
    id: 'gc-does-nothing',
    why: 'Answers a GC and removes nothing: after each reboot there are fewer addresses.',
    origin: 'host-local itself',
    law: 'Collects',
    edits: [
      ['await store.withLock(() => store.releaseAllBut(valid));', 'await store.withLock(async () => {});'],
    ],
  },
  {
    id: 'gc-keeps-the-ownerless',
    why: 'Removes the reservations of others, and leaves files without an owner.',
    origin: 'common',
    law: 'Collects',
    edits: [['name === DRAFT || !valid.has(text));', "name !== DRAFT && text !== '' && !valid.has(text));"]],
  },
  {
    id: 'gc-keeps-drafts',
    why: 'Takes the draft that a process left for a reservation of its owner, which is valid.',
    origin: 'common',
    law: 'Collects',
    edits: [['name === DRAFT || !valid.has(text));', '!valid.has(text));']],
  },
  {
    id: 'gc-by-container',
    why: 'Matches containers and not interfaces.',
    origin: 'wa#176',
    law: 'Collects',
    edits: [
      [
        'const valid = new Set(owners.map(textOf));',
        "const valid = new Set(owners.map((each) => textOf({ ...each, ifname: '' })));",
      ],
      [
        'name === DRAFT || !valid.has(text));',
        "name === DRAFT || !valid.has(text.slice(0, text.indexOf('\\n') + 1)));",
      ],
    ],
  },
  {
    id: 'gc-of-the-valid',
    why: 'Removes the valid ones.',
    origin: 'common: a condition turned round',
    law: 'Kept',
    edits: [['name === DRAFT || !valid.has(text));', 'name === DRAFT || valid.has(text));']],
  },
  {
    id: 'gc-forgets-the-last',
    why: 'Removes the file that says which address was the last, so that the round begins anew.',
    origin: 'common: everything but the lock',
    law: 'Level 6',
    edits: [
      ["if (name === 'lock' || name.startsWith(LAST)) continue;\n", "if (name === 'lock') continue;\n"],
    ],
  },
  {
    id: 'gc-without-a-list',
    why: 'Takes a list that is missing for one that is empty: an older runtime frees the addresses of all pods.',
    origin: 'aws#711, in another form',
    law: 'Collects',
    edits: [
      [
        "if (!valid) throw new CniError(cniCodes.invalidNetworkConfig, 'cni.dev/valid-attachments is missing');",
        'if (!valid) return open(request).store.withLock(() => open(request).store.releaseAllBut([]));',
      ],
    ],
  },
  {
    id: 'gc-without-a-list-is-well',
    why: 'Says that all is well where it was not told what is valid: the runtime never learns that it has collected nothing.',
    origin: 'found in a trial of this kata',
    law: 'Collects',
    edits: [
      [
        "if (!valid) throw new CniError(cniCodes.invalidNetworkConfig, 'cni.dev/valid-attachments is missing');",
        'if (!valid) return;',
      ],
    ],
  },
  {
    id: 'gc-looks-before-it-locks',
    why: 'Looks for what is stale before it has the lock, and removes it when another container has it.',
    origin: 'wa#207',
    law: 'Level 6',
    hidden: 'The specification forbids the runtime to call anything beside a GC.',
    edits: [
      [
        'await store.withLock(() => store.releaseAllBut(valid));',
        'await request.process.files.mkdirAll(readIpamConfiguration(request).directory);\n  await store.releaseAllBut(valid);',
      ],
    ],
  },
  {
    id: 'gc-in-the-ranges-only',
    why: 'Keeps what a valid container has only where a range of the configuration has it: after the ranges have changed, a pod that runs loses its address.',
    origin: 'found in a trial of this kata',
    law: 'Kept',
    edits: [
      [
        `const { store } = open(request);
  await store.withLock(() => store.releaseAllBut(valid));`,
        `const { store, sets } = open(request);
  await store.withLock(async () => {
    await store.releaseAllBut(valid);
    for (const owner of valid)
      await store.release(owner, (await store.addressesOf(owner)).filter((ip) => sets.flat().some((range) => rangeContains(range, ip))));
  });`,
      ],
    ],
  },
  {
    id: 'del-in-the-ranges-only',
    why: 'Releases only what a range of the configuration has: after the ranges have changed, what the pods had before is never released.',
    origin: 'found in a trial of this kata',
    law: 'Releases',
    edits: [
      [
        `const { store } = open(request);
  await store.withLock(() => store.release(request));`,
        `const { store, sets } = open(request);
  await store.withLock(async () =>
    store.release(request, (await store.addressesOf(request)).filter((ip) => !sets.flat().some((range) => rangeContains(range, ip)))),
  );`,
      ],
    ],
  },
  {
    id: 'check-in-the-ranges-only',
    why: 'Looks only for addresses of the ranges of the configuration: after these have changed, every pod is without an address.',
    origin: 'found in a trial of this kata',
    law: 'Checks',
    edits: [
      [
        `const { store } = open(request);
  const held`,
        `const { store, sets } = open(request);
  const held`,
      ],
      [
        `  if (held.length === 0)
`,
        `  if (!held.some((ip) => sets.flat().some((range) => rangeContains(range, ip))))
`,
      ],
    ],
  },
  {
    id: 'check-wants-each-set',
    why: 'Wants an address of each set: after a set was added to the configuration, every pod is without an address.',
    origin: 'found in a trial of this kata',
    law: 'Checks',
    edits: [
      [
        `const { store } = open(request);
  const held`,
        `const { store, sets } = open(request);
  const held`,
      ],
      [
        `  if (held.length === 0)
`,
        `  if (!sets.every((set) => held.some((ip) => set.some((range) => rangeContains(range, ip)))))
`,
      ],
    ],
  },
  {
    id: 'duplicate-in-any-range',
    why: 'Refuses a container that has an address of a range of before: it cannot get one of those that the configuration has now.',
    origin: 'found in a trial of this kata',
    law: 'Serves',
    edits: [
      [
        '(await store.addressesOf(owner)).find((ip) => set',
        '(await store.addressesOf(owner)).find((ip) => index === 0 || set',
      ],
    ],
  },
];
