import type { Mistake } from '#harness/testing';

/** Level 5 · ADD, DEL and CHECK */
export const commands: readonly Mistake[] = [
  {
    id: 'one-more-address',
    why: 'Allocates a second address when the runtime repeats an ADD: the first one is lost.',
    misconception: 'You seem to believe that each ADD comes for a container without an address.',
    origin: 'host-local until cnip#299',
    law: 'Rejects duplicates',
    edits: [['  if (held) {\n', '  if (held && index < 0) {\n']],
  },
  {
    id: 'the-same-again',
    why: "A repeated ADD returns the container's existing address: the runtime does not notice that it repeats the call.",
    misconception: 'You seem to believe that a runtime that repeats an ADD need not notice it.',
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
    misconception: 'You seem to believe that a container holds only addresses of the call that fails.',
    origin: 'common: undo by owner',
    law: 'Persists',
    edits: [
      ['await store.release(request, before);', 'await store.release(request, before.slice(before.length));'],
    ],
  },
  {
    id: 'no-undo',
    why: 'Keeps the address of the first set if the second is full: the pod never starts, but holds an address.',
    misconception: 'You seem to believe that an ADD that fails has changed nothing.',
    origin: 'common',
    law: 'Rolls back',
    edits: [['      await store.release(request, before);\n', '']],
  },
  {
    id: 'first-set-only',
    why: 'Allocates an address only from the first set: the pod has no IPv6 address.',
    misconception: 'You seem to believe that a pod has one address.',
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
    misconception: 'You seem to believe that all sets together are one large pool.',
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
    misconception: 'You seem to believe that an address is all that a pod needs from you.',
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
    misconception: 'You seem to believe that your plugin creates the interface, too.',
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
    misconception: 'You seem to believe that no program reads the words of this error.',
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
    misconception: 'You seem to believe that a pod without an address is better than no pod.',
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
    misconception: 'You seem to believe that an address that was allocated long ago is free by now.',
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
    misconception: 'You seem to believe that a DEL comes once, and only after an ADD that succeeded.',
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
    misconception: 'You seem to believe that a DEL speaks for more than its own container.',
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
    misconception: 'You seem to believe that a CHECK only asks whether the plugin runs.',
    origin: 'plugins before CNI 0.4',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length < 0)\n']],
  },
  {
    id: 'check-reserves',
    why: 'CHECK fails for a container with an address, because it checks whether the address is free.',
    misconception: 'You seem to believe that a CHECK asks the same question as an ADD.',
    origin: 'common',
    law: 'Checks',
    edits: [['  if (held.length === 0)\n', '  if (held.length > 0)\n']],
  },
  {
    id: 'check-without-a-lock',
    why: 'CHECK reads without the lock, and fails if a file is released meanwhile.',
    misconception: 'You seem to believe that a process that only reads needs no protection.',
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
    misconception: 'You seem to believe that a release disturbs no other process.',
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
    id: 'del-in-the-ranges-only',
    why: 'DEL releases only addresses in the configured ranges: after a change of the ranges, the old addresses are never released.',
    misconception: 'You seem to believe that a container holds only addresses of the present ranges.',
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
    misconception: 'You seem to believe that the ranges of a network never change under a running pod.',
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
    misconception:
      'You seem to believe that a running pod has whatever the present configuration gives to a new one.',
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
    misconception: 'You seem to believe that a container with any address needs no other.',
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
