import type { Mistake } from '#harness/testing';

/** Levels 1 and 2 · A range, and the next address */
export const ranges: readonly Mistake[] = [
  {
    id: 'broadcast-is-an-address',
    why: 'Allocates the broadcast address: packets of the pod to itself reach every pod.',
    misconception:
      'You seem to believe that the last address of an IPv4 subnet is an address like any other.',
    origin: 'common',
    law: 'Usable',
    edits: [['subnet.ip.family === 4 ? plus(last, -1) : last', 'last']],
  },
  {
    id: 'broadcast-in-ipv6',
    why: 'Leaves out the last address of an IPv6 subnet, although IPv6 has no broadcast address.',
    misconception: 'You seem to believe that IPv6 sets the same addresses aside as IPv4.',
    origin: 'common',
    law: 'Level 1',
    edits: [['subnet.ip.family === 4 ? plus(last, -1) : last', 'plus(last, -1)']],
  },
  {
    id: 'network-is-an-address',
    why: 'Starts with the address of the network.',
    misconception: 'You seem to believe that the first address of a subnet is an address like any other.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'const { gateway = first, rangeStart = first } = range;',
        'const { gateway = first, rangeStart = network } = range;',
      ],
    ],
  },
  {
    id: 'gateway-is-the-last',
    why: 'Uses the last address as the gateway, as some routers do.',
    misconception:
      'At which end of a subnet do other machines expect its gateway, if the configuration names none?',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'const { gateway = first, rangeStart = first } = range;',
        'const { gateway = plus(last, -1), rangeStart = first } = range;',
      ],
    ],
  },
  {
    id: 'a-31-is-large-enough',
    why: 'Accepts a subnet of two addresses, whose range then ends before it starts.',
    misconception: 'You seem to believe that every subnet with two addresses has room for a pod.',
    origin: 'socketplane#106, cnip',
    law: 'Usable',
    edits: [['if (last.value - network.value < 3n)', 'if (last.value - network.value < 1n)']],
  },
  {
    id: 'host-bits-are-ignored',
    why: 'Treats 10.1.2.3/24 as 10.1.2.0/24: the configuration is invalid, but no error reports it.',
    misconception: 'You seem to believe that a subnet with stray bits is clear enough to use.',
    origin: 'common',
    law: 'Usable',
    edits: [['if (subnet.ip.text !== network.text) {', 'if (subnet.ip.family !== network.family) {']],
  },
  {
    id: 'start-is-not-checked',
    why: 'Does not check rangeStart: pods get addresses of another network.',
    misconception: 'You seem to trust the start of a range that a user configures.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'if (!contains(subnet, rangeStart) || (range.rangeStart && range.rangeEnd && isTurned))',
        'if (range.rangeStart && range.rangeEnd && isTurned)',
      ],
    ],
  },
  {
    id: 'filled-in-end-is-not-checked',
    why: 'Checks rangeEnd only if it is configured: a rangeStart after the last address creates a range without an end.',
    misconception: 'You seem to believe that only values that a user wrote can be wrong.',
    origin: 'host-local itself',
    law: 'Usable',
    edits: [
      [
        'if (!contains(subnet, rangeEnd) || isTurned)',
        'if (!contains(subnet, rangeEnd) || (range.rangeEnd && isTurned))',
      ],
    ],
  },
  {
    id: 'the-end-is-not-in-it',
    why: 'Excludes the last address of a range.',
    misconception: 'You seem to believe that a range stops before its end.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'rangeStart.value <= ip.value && ip.value <= rangeEnd.value',
        'rangeStart.value <= ip.value && ip.value < rangeEnd.value',
      ],
    ],
  },
  {
    id: 'families-by-value',
    why: 'Treats ::1 as 0.0.0.1: an IPv6 address is in an IPv4 range.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'No IPv6 subnet has addresses with the values of IPv4 addresses.',
    edits: [['return contains(subnet, ip) && rangeStart', 'return subnet.bits >= 0 && rangeStart']],
  },
  {
    id: 'overlaps-one-way',
    why: 'Does not detect an overlap with a range that encloses another: two sets allocate the same address.',
    misconception: 'You seem to believe that an overlap looks the same from both of its ranges.',
    origin: 'common',
    law: 'Usable',
    edits: [
      [
        'return rangeContains(one, other.rangeStart) || rangeContains(other, one.rangeStart);',
        'return rangeContains(one, other.rangeStart);',
      ],
    ],
  },
  {
    id: 'overlaps-in-a-subnet',
    why: 'Two ranges of one subnet overlap, whatever their addresses: two halves of a subnet cannot be configured.',
    misconception: 'You seem to believe that a subnet has room for only one range.',
    origin: 'cnip#363',
    law: 'Finds free addresses',
    edits: [
      [
        'return rangeContains(one, other.rangeStart) || rangeContains(other, one.rangeStart);',
        'return contains(one.subnet, other.rangeStart) || contains(other.subnet, one.rangeStart);',
      ],
    ],
  },
  {
    id: 'overlaps-by-the-middle',
    why: 'Two ranges that share only their first and last address do not overlap: both allocate this address.',
    misconception: 'You seem to believe that two ranges that only touch do not overlap.',
    origin: 'common: a boundary',
    law: 'Usable',
    edits: [
      [
        'return rangeContains(one, other.rangeStart) || rangeContains(other, one.rangeStart);',
        `return (
    (rangeContains(one, other.rangeStart) && other.rangeStart.text !== one.rangeEnd.text) ||
    (rangeContains(other, one.rangeStart) && one.rangeStart.text !== other.rangeEnd.text)
  );`,
      ],
    ],
  },
  {
    id: 'lists-all-addresses',
    why: 'Creates a list of all addresses of a set first: with a /64 subnet, no pod starts.',
    misconception: 'You seem to believe that every subnet is small.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [
      [
        '  for (const { ip, range } of offers(set, await store.lastReserved(index)))\n',
        `  const sizes = set.map(({ rangeStart, rangeEnd }) => Number(rangeEnd.value - rangeStart.value) + 1);
  const all = offers(set, await store.lastReserved(index));
  const list = Array.from({ length: sizes.reduce((one, other) => one + other) }, () => all.next().value);
  for (const { ip, range } of list.filter((offer) => offer !== undefined))
`,
      ],
    ],
  },
  {
    id: 'gateway-is-given-away',
    why: "Allocates the gateway's address to a pod: all others lose their route out of the network.",
    misconception: 'You seem to believe that every address of a range is free at first.',
    origin: 'socketplane#106',
    law: 'Usable',
    edits: [['if (ip.text !== range.gateway.text) yield { ip, range };', 'yield { ip, range };']],
  },
  {
    id: 'gateway-at-the-start-only',
    why: 'Skips the first address instead of the gateway.',
    misconception: 'You seem to believe that the gateway always has the same place in its range.',
    origin: 'common',
    law: 'Usable',
    edits: [['if (ip.text !== range.gateway.text) yield', 'if (ip.text !== range.rangeStart.text) yield']],
  },
  {
    id: 'lowest-first',
    why: 'Allocates the lowest free address: the next pod gets the address of the pod that was just deleted.',
    misconception:
      'You seem to believe that an address that was released a moment ago is as good as any other.',
    origin: 'cni#194, k#24953',
    law: 'Round robin',
    edits: [
      [
        'for (const { ip, range } of offers(set, await store.lastReserved(index)))',
        'for (const { ip, range } of offers(set))',
      ],
    ],
  },
  {
    id: 'begins-with-the-last',
    why: 'Starts at the last allocated address itself, not at the next one.',
    misconception:
      'Your container has just released the last allocated address. Which address does your next ADD try first?',
    origin: 'common: off by one',
    law: 'Round robin',
    edits: [
      [
        'if (last.value < current.rangeEnd.value) yield* between(current, plus(last, 1), current.rangeEnd);',
        'yield* between(current, last, current.rangeEnd);',
      ],
    ],
  },
  {
    id: 'does-not-wrap',
    why: 'Stops at the end of the range: the range is full once the last address has been allocated.',
    misconception: 'You seem to believe that a range is used up once its last address was allocated.',
    origin: 'moby/libnetwork#2106',
    law: 'Finds free addresses',
    edits: [
      [
        '  // The last allocated address comes last.\n  yield* between(current, current.rangeStart, last);\n',
        '',
      ],
    ],
  },
  {
    id: 'wraps-in-its-range',
    why: 'Wraps around within one range, and never reaches the next range of the set.',
    misconception: 'You seem to believe that a set has only one range.',
    origin: 'common',
    law: 'Finds free addresses',
    edits: [['[...set.slice(at + 1), ...set.slice(0, at)]', '[] as RangeSet']],
  },
  {
    id: 'first-range-after-the-last',
    why: 'Continues with the first range after any other: the ranges in between are used only when it is full.',
    misconception: 'You seem to believe that a set has at most two ranges.',
    origin: 'common',
    law: 'Round robin',
    edits: [['[...set.slice(at + 1), ...set.slice(0, at)]', '[...set.slice(0, at), ...set.slice(at + 1)]']],
  },
  {
    id: 'octets-only',
    why: 'Increments only the last octet, and continues after .255 at .0 of the same network.',
    misconception: 'You seem to believe that two neighbouring addresses differ only in their last octet.',
    origin: 'common: arithmetic on text',
    law: 'Finds free addresses',
    edits: [
      [
        'for (let ip = first; ; ip = plus(ip, 1)) {',
        'for (let ip = first; ; ip = ip.value % 256n === 255n && ip.family === 4 ? plus(ip, -255) : plus(ip, 1)) {\n    if (ip.value < first.value) return;',
      ],
    ],
  },
  {
    id: 'host-bits-are-told-first',
    why: 'Reports the host bits of 10.1.2.1/31, not that it is too small: a user who fixes the one error gets the other.',
    misconception: 'You seem to believe that it does not matter which of two errors a user reads first.',
    origin: 'found in a trial of this kata',
    law: 'Usable',
    edits: [
      [
        'if (last.value - network.value < 3n)',
        'if (last.value - network.value < 3n && subnet.ip.text === network.text)',
      ],
    ],
  },
  {
    id: 'end-is-told-first',
    why: 'For a range completely outside the subnet, it reports rangeEnd but not rangeStart.',
    misconception:
      'You seem to believe that either end explains equally well why a range is outside its subnet.',
    origin: 'found in a trial of this kata',
    law: 'Usable',
    edits: [
      [
        'if (!contains(subnet, rangeStart) ||',
        'if ((!contains(subnet, rangeStart) && contains(subnet, rangeEnd)) ||',
      ],
    ],
  },
];
