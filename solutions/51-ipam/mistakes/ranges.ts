import type { Mistake } from '#harness/testing';

/** Levels 1 and 2 · A range, and the next address */
export const ranges: readonly Mistake[] = [
  {
    id: 'broadcast-is-an-address',
    why: 'Gives the broadcast address away: what the pod sends to itself reaches every pod.',
    origin: 'common',
    law: 'Usable',
    edits: [['subnet.ip.family === 4 ? plus(last, -1) : last', 'last']],
  },
  {
    id: 'broadcast-in-ipv6',
    why: 'Leaves out the last address of an IPv6 subnet, which has no broadcast address.',
    origin: 'common',
    law: 'Level 1',
    edits: [['subnet.ip.family === 4 ? plus(last, -1) : last', 'plus(last, -1)']],
  },
  {
    id: 'network-is-an-address',
    why: 'Begins with the address of the network.',
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
    why: 'Takes the last address for the gateway, as some routers do.',
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
    why: 'Accepts a subnet of two addresses, and then has a range that ends before it begins.',
    origin: 'socketplane#106, cnip',
    law: 'Usable',
    edits: [['if (last.value - network.value < 3n)', 'if (last.value - network.value < 1n)']],
  },
  {
    id: 'host-bits-are-ignored',
    why: 'Takes 10.1.2.3/24 for 10.1.2.0/24: the configuration is wrong, and no error says so.',
    origin: 'common',
    law: 'Usable',
    edits: [['if (subnet.ip.text !== network.text) {', 'if (subnet.ip.family !== network.family) {']],
  },
  {
    id: 'start-is-not-checked',
    why: 'Begins where the configuration says, wherever that is: pods get addresses of another network.',
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
    why: 'Checks the end only if it was given: a start after the last address makes a range that has no end.',
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
    why: 'Takes the last address of a range for the first behind it.',
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
    why: 'Takes ::1 for 0.0.0.1: an IPv6 address is in an IPv4 range.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'No subnet of IPv6 has addresses with the values of IPv4.',
    edits: [['return contains(subnet, ip) && rangeStart', 'return subnet.bits >= 0 && rangeStart']],
  },
  {
    id: 'overlaps-one-way',
    why: 'Finds no overlap with a range that lies around it: two sets give the same address away.',
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
    id: 'gateway-is-given-away',
    why: "Gives a pod the gateway's address: all others lose their way out.",
    origin: 'socketplane#106',
    law: 'Usable',
    edits: [['if (ip.text !== range.gateway.text) yield { ip, range };', 'yield { ip, range };']],
  },
  {
    id: 'gateway-at-the-start-only',
    why: 'Passes over the first address instead of the gateway.',
    origin: 'common',
    law: 'Usable',
    edits: [['if (ip.text !== range.gateway.text) yield', 'if (ip.text !== range.rangeStart.text) yield']],
  },
  {
    id: 'lowest-first',
    why: 'Gives the lowest free address away: the next pod has the address of the one that has just gone.',
    origin: 'cni#194, k#24953',
    law: 'Fair',
    edits: [
      [
        'for (const { ip, range } of offers(set, await store.lastReserved(index)))',
        'for (const { ip, range } of offers(set))',
      ],
    ],
  },
  {
    id: 'begins-with-the-last',
    why: 'Begins with the last address itself, not with the one after it.',
    origin: 'common: off by one',
    law: 'Fair',
    edits: [
      [
        'if (last.value < current.rangeEnd.value) yield* between(current, plus(last, 1), current.rangeEnd);',
        'yield* between(current, last, current.rangeEnd);',
      ],
    ],
  },
  {
    id: 'does-not-wrap',
    why: 'Ends at the end of the range: it is full as soon as the last address was given away once.',
    origin: 'moby/libnetwork#2106',
    law: 'Serves',
    edits: [
      [
        '  // The last one that was given away comes last of all.\n  yield* between(current, current.rangeStart, last);\n',
        '',
      ],
    ],
  },
  {
    id: 'wraps-in-its-range',
    why: 'Goes round in one range, and never comes to the next one of the set.',
    origin: 'common',
    law: 'Serves',
    edits: [['[...set.slice(at + 1), ...set.slice(0, at)]', '[] as RangeSet']],
  },
  {
    id: 'first-range-after-the-last',
    why: 'Goes from any range to the first: those behind it have their turn only when it is full.',
    origin: 'common',
    law: 'Fair',
    edits: [['[...set.slice(at + 1), ...set.slice(0, at)]', '[...set.slice(0, at), ...set.slice(at + 1)]']],
  },
  {
    id: 'octets-only',
    why: 'Counts within the last octet, and goes from .255 to .0 of the same network.',
    origin: 'common: arithmetic on text',
    law: 'Serves',
    edits: [
      [
        'for (let ip = first; ; ip = plus(ip, 1)) {',
        'for (let ip = first; ; ip = ip.value % 256n === 255n && ip.family === 4 ? plus(ip, -255) : plus(ip, 1)) {\n    if (ip.value < first.value) return;',
      ],
    ],
  },
  {
    id: 'host-bits-are-told-first',
    why: 'Says of 10.1.2.1/31 that it has host bits, and not that it is too small: a user who corrects the one fault meets the other.',
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
    why: 'Says of a range that lies wholly outside that its end is wrong, and nothing of its start.',
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
