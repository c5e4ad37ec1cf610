import type { Mistake } from '#harness/testing';

/** Levels 5 and 6 · ADD, DEL and CHECK, and GC */
export const commands: readonly Mistake[] = [
  {
    id: 'one-more-address',
    why: 'Allocates a second address when the runtime repeats an ADD: the first one is lost.',
    origin: 'host-local until cnip#299',
    law: 'Rejects duplicates',
    edits: [['  if (held) {\n', '  if (held && index < 0) {\n']],
  },
  {
    id: 'the-same-again',
    why: "A repeated ADD returns the container's existing address: the runtime does not notice that it repeats the call.",
    origin: 'common; the specification wants an error',
    law: 'Rejects duplicates',
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
    why: "A repeated ADD releases the container's existing address: a running pod loses its address.",
    origin: 'common: undo by owner',
    law: 'Persists',
    edits: [
      ['await store.release(request, before);', 'await store.release(request, before.slice(before.length));'],
    ],
  },
  {
    id: 'no-undo',
    why: 'Keeps the address of the first set if the second is full: the pod never starts, but holds an address.',
    origin: 'common',
    law: 'Rolls back',
    edits: [['      await store.release(request, before);\n', '']],
  },
  {
    id: 'first-set-only',
    why: 'Allocates an address only from the first set: the pod has no IPv6 address.',
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
    why: 'Merges all sets into one, so that the pod gets one address instead of two.',
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
    why: 'The result lacks the routes: the pod has an address, but no route out of its network.',
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
    why: 'The result contains an interface that it has not created: the calling plugin reports it a second time.',
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
    why: 'Uses another message when no address is free: a search for the usual message does not find the solution.',
    origin: 'common',
    law: 'Reports full',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** Formats an address`,
        `throw new Error(\`no IP addresses available in network: \${formatRangeSet(set)}\`);\n}\n\n/** Formats an address`,
      ],
    ],
  },
  {
    id: 'full-is-no-error',
    why: 'Returns a result without an address if none is free: the pod starts without a network.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** Formats an address`,
        "return { address: '' };\n}\n\n/** Formats an address",
      ],
    ],
  },
  {
    id: 'full-takes-the-last',
    why: 'If no address is free, it allocates the one that was allocated longest ago.',
    origin: 'common in DHCP servers',
    law: 'Unique',
    edits: [
      [
        `throw new Error(\`no IP addresses available in range set: \${formatRangeSet(set)}\`);\n}\n\n/** Formats an address`,
        `for (const { ip, range } of offers(set, await store.lastReserved(index))) return addressIn(range, ip);
  throw new Error('no range');
}

/** Formats an address`,
      ],
    ],
  },
  {
    id: 'del-wants-something',
    why: 'DEL fails if there is no address to release: the runtime repeats it forever, and the pod is never removed.',
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
    law: 'Persists',
    edits: [
      [
        'await store.withLock(() => store.release(request));\n',
        'await store.withLock(() => store.releaseAllBut([]));\n',
      ],
    ],
  },
  {
    id: 'check-is-well',
    why: 'CHECK always succeeds.',
    origin: 'plugins before CNI 0.4',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length < 0)\n']],
  },
  {
    id: 'check-reserves',
    why: 'CHECK fails for a container with an address, because it checks whether the address is free.',
    origin: 'common',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length > 0)\n']],
  },
  {
    id: 'check-without-a-lock',
    why: 'CHECK reads without the lock, and fails if a file is released meanwhile.',
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
    why: 'DEL releases without the lock: an ADD fails if a file disappears that it is about to read.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [
      [
        'await store.withLock(() => store.release(request));\n',
        'await store.withLock(async () => {});\n  await store.release(request);\n',
      ],
    ],
  },
  {
    id: 'gc-does-nothing',
    why: 'GC succeeds but removes no address: after each reboot, fewer addresses are free.',
    origin: 'host-local itself',
    law: 'Collects garbage',
    edits: [
      ['await store.withLock(() => store.releaseAllBut(valid));', 'await store.withLock(async () => {});'],
    ],
  },
  {
    id: 'gc-keeps-the-ownerless',
    why: 'GC removes the reservations of other owners, but leaves files without an owner.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [['name === DRAFT || !valid.has(text));', "name !== DRAFT && text !== '' && !valid.has(text));"]],
  },
  {
    id: 'gc-keeps-drafts',
    why: 'GC treats the draft of a crashed process as a valid reservation of its owner.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [['name === DRAFT || !valid.has(text));', '!valid.has(text));']],
  },
  {
    id: 'gc-by-container',
    why: 'GC compares containers but not interfaces.',
    origin: 'wa#176',
    law: 'Collects garbage',
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
    why: 'GC removes the valid reservations.',
    origin: 'common: a condition turned round',
    law: 'Persists',
    edits: [['name === DRAFT || !valid.has(text));', 'name === DRAFT || valid.has(text));']],
  },
  {
    id: 'gc-forgets-the-last',
    why: 'GC removes the file with the last address, so that the round robin starts over.',
    origin: 'common: everything but the lock',
    law: 'Level 6',
    edits: [
      ["if (name === 'lock' || name.startsWith(LAST)) continue;\n", "if (name === 'lock') continue;\n"],
    ],
  },
  {
    id: 'gc-without-a-list',
    why: 'Treats a missing list as an empty one: with an older runtime, it releases the addresses of all pods.',
    origin: 'aws#711, in another form',
    law: 'Collects garbage',
    edits: [
      [
        "if (!valid) throw new CniError(cniCodes.invalidNetworkConfig, 'cni.dev/valid-attachments is missing');",
        'if (!valid) return open(request).store.withLock(() => open(request).store.releaseAllBut([]));',
      ],
    ],
  },
  {
    id: 'gc-without-a-list-is-well',
    why: 'GC succeeds without a list: the runtime never learns that it removed no address.',
    origin: 'found in a trial of this kata',
    law: 'Collects garbage',
    edits: [
      [
        "if (!valid) throw new CniError(cniCodes.invalidNetworkConfig, 'cni.dev/valid-attachments is missing');",
        'if (!valid) return;',
      ],
    ],
  },
  {
    id: 'gc-looks-before-it-locks',
    why: 'GC searches for stale addresses before it holds the lock, and removes one that another container gets meanwhile.',
    origin: 'wa#207',
    law: 'Level 6',
    hidden: 'The specification forbids other calls during a GC.',
    edits: [
      [
        'await store.withLock(() => store.releaseAllBut(valid));',
        'await request.process.files.mkdirAll(readIpamConfiguration(request).directory);\n  await store.releaseAllBut(valid);',
      ],
    ],
  },
  {
    id: 'gc-in-the-ranges-only',
    why: "GC keeps a valid container's address only if it is in a configured range: after a change of the ranges, a running pod loses its address.",
    origin: 'found in a trial of this kata',
    law: 'Persists',
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
    why: 'DEL releases only addresses in the configured ranges: after a change of the ranges, the old addresses are never released.',
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
    why: 'CHECK considers only addresses in the configured ranges: after a change of the ranges, it fails for every pod.',
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
    why: 'CHECK requires an address from each set: after a set is added to the configuration, it fails for every pod.',
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
    why: 'Rejects a container that has an address from an earlier range: it cannot get one from the present ranges.',
    origin: 'found in a trial of this kata',
    law: 'Finds free addresses',
    edits: [
      [
        '(await store.addressesOf(owner)).find((ip) => set',
        '(await store.addressesOf(owner)).find((ip) => index === 0 || set',
      ],
    ],
  },
];
