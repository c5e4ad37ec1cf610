import type { Mistake } from '#harness/testing';

/** Level 6 · GC */
export const collection: readonly Mistake[] = [
  {
    id: 'gc-does-nothing',
    why: 'GC succeeds but removes no address: after each reboot, fewer addresses are free.',
    misconception: 'You seem to believe that every container gets its DEL in the end.',
    origin: 'host-local itself',
    law: 'Collects garbage',
    edits: [
      ['await store.withLock(() => store.releaseAllBut(valid));', 'await store.withLock(async () => {});'],
    ],
  },
  {
    id: 'gc-keeps-the-ownerless',
    why: 'GC removes the reservations of other owners, but leaves files without an owner.',
    misconception: 'You seem to believe that every file on the disk has an owner.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [['name === DRAFT || !valid.has(text));', "name !== DRAFT && text !== '' && !valid.has(text));"]],
  },
  {
    id: 'gc-keeps-drafts',
    why: 'GC treats the draft of a crashed process as a valid reservation of its owner.',
    misconception: 'You seem to believe that an unfinished file counts for the owner that it names.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [['name === DRAFT || !valid.has(text));', '!valid.has(text));']],
  },
  {
    id: 'gc-by-container',
    why: 'GC compares containers but not interfaces.',
    misconception: 'You seem to believe that a container is attached to a network only once.',
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
    misconception: 'Does the list of a GC name the attachments that stay, or those that end?',
    origin: 'common: a condition turned round',
    law: 'Persists',
    edits: [['name === DRAFT || !valid.has(text));', 'name === DRAFT || valid.has(text));']],
  },
  {
    id: 'gc-forgets-the-last',
    why: 'GC removes the file with the last address, so that the round robin starts over.',
    misconception: 'You seem to believe that every file that is no reservation is garbage.',
    origin: 'common: everything but the lock',
    law: 'Level 6',
    edits: [
      ["if (name === 'lock' || name.startsWith(LAST)) continue;\n", "if (name === 'lock') continue;\n"],
    ],
  },
  {
    id: 'gc-without-a-list',
    why: 'Treats a missing list as an empty one: with an older runtime, it releases the addresses of all pods.',
    misconception: 'You seem to believe that no list and an empty list mean the same.',
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
    misconception: 'You seem to believe that a GC without a list has done its work.',
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
    misconception:
      'You seem to believe that an address outside the configured ranges belongs to no running pod.',
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
];
