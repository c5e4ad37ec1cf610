import type { IpamConfiguration } from '../../../node/cni/ipam-configuration.ts';

/** A range set, and its addresses in the order of their allocation. */
export interface SetPlan {
  /** As the configuration contains them. */
  readonly ranges: readonly Readonly<Record<string, string>>[];
  /** As results contain them: with prefix. */
  readonly addresses: readonly string[];
  /** The gateway of each address. */
  readonly gateways: readonly string[];
  /** As the error of a full set names them. */
  readonly said: string;
  /** Some addresses of its subnets, or gateways, that are in none of its ranges. */
  readonly outside?: readonly string[];
}

/** A network, with its addresses written out by hand: the laws calculate none. */
export interface NetworkPlan {
  readonly name: string;
  readonly sets: readonly SetPlan[];
  /** @defaultValue {@link ROUTES} */
  readonly routes?: IpamConfiguration['routes'];
  /** If the configuration is invalid: the error. */
  readonly refused?: string;
  /** Whether there is a file where its directory should be. @defaultValue false */
  readonly blocked?: boolean;
}

const small: SetPlan = {
  ranges: [{ subnet: '10.1.2.0/29' }],
  addresses: ['10.1.2.2/29', '10.1.2.3/29', '10.1.2.4/29', '10.1.2.5/29', '10.1.2.6/29'],
  gateways: ['10.1.2.1', '10.1.2.1', '10.1.2.1', '10.1.2.1', '10.1.2.1'],
  said: '10.1.2.1-10.1.2.6',
  outside: ['10.1.2.7'],
};

/** The upper half of {@link small}. */
const upper: SetPlan = {
  ranges: [{ subnet: '10.1.2.0/29', rangeStart: '10.1.2.4' }],
  addresses: ['10.1.2.4/29', '10.1.2.5/29', '10.1.2.6/29'],
  gateways: ['10.1.2.1', '10.1.2.1', '10.1.2.1'],
  said: '10.1.2.4-10.1.2.6',
};

const single: SetPlan = {
  ranges: [{ subnet: '10.1.3.0/30' }],
  addresses: ['10.1.3.2/30'],
  gateways: ['10.1.3.1'],
  said: '10.1.3.1-10.1.3.2',
};

const part: SetPlan = {
  ranges: [{ subnet: '10.1.4.0/24', rangeStart: '10.1.4.10', rangeEnd: '10.1.4.13' }],
  addresses: ['10.1.4.10/24', '10.1.4.11/24', '10.1.4.12/24', '10.1.4.13/24'],
  gateways: ['10.1.4.1', '10.1.4.1', '10.1.4.1', '10.1.4.1'],
  said: '10.1.4.10-10.1.4.13',
  outside: ['10.1.4.1', '10.1.4.5', '10.1.4.14'],
};

const gatewayInside: SetPlan = {
  ranges: [{ subnet: '10.1.5.0/29', gateway: '10.1.5.4' }],
  addresses: ['10.1.5.1/29', '10.1.5.2/29', '10.1.5.3/29', '10.1.5.5/29', '10.1.5.6/29'],
  gateways: ['10.1.5.4', '10.1.5.4', '10.1.5.4', '10.1.5.4', '10.1.5.4'],
  said: '10.1.5.1-10.1.5.6',
};

const gatewayLast: SetPlan = {
  ranges: [{ subnet: '10.1.9.0/29', gateway: '10.1.9.6' }],
  addresses: ['10.1.9.1/29', '10.1.9.2/29', '10.1.9.3/29', '10.1.9.4/29', '10.1.9.5/29'],
  gateways: ['10.1.9.6', '10.1.9.6', '10.1.9.6', '10.1.9.6', '10.1.9.6'],
  said: '10.1.9.1-10.1.9.6',
};

const overAnOctet: SetPlan = {
  ranges: [{ subnet: '10.1.8.0/22', rangeStart: '10.1.9.254', rangeEnd: '10.1.10.1' }],
  addresses: ['10.1.9.254/22', '10.1.9.255/22', '10.1.10.0/22', '10.1.10.1/22'],
  gateways: ['10.1.8.1', '10.1.8.1', '10.1.8.1', '10.1.8.1'],
  said: '10.1.9.254-10.1.10.1',
  outside: ['10.1.8.1', '10.1.9.253', '10.1.10.2'],
};

const threeRanges: SetPlan = {
  ranges: [
    { subnet: '10.1.6.0/30' },
    { subnet: '10.1.7.0/29', rangeEnd: '10.1.7.3' },
    { subnet: '10.1.13.0/30' },
  ],
  addresses: ['10.1.6.2/30', '10.1.7.2/29', '10.1.7.3/29', '10.1.13.2/30'],
  gateways: ['10.1.6.1', '10.1.7.1', '10.1.7.1', '10.1.13.1'],
  said: '10.1.6.1-10.1.6.2,10.1.7.1-10.1.7.3,10.1.13.1-10.1.13.2',
  outside: ['10.1.7.4'],
};

/** Two ranges of one subnet, with a gap. The second one continues over the last octet. */
const parted: SetPlan = {
  ranges: [
    { subnet: '10.1.12.0/22', rangeStart: '10.1.12.10', rangeEnd: '10.1.12.11' },
    { subnet: '10.1.12.0/22', rangeStart: '10.1.13.254', rangeEnd: '10.1.14.0' },
  ],
  addresses: ['10.1.12.10/22', '10.1.12.11/22', '10.1.13.254/22', '10.1.13.255/22', '10.1.14.0/22'],
  gateways: ['10.1.12.1', '10.1.12.1', '10.1.12.1', '10.1.12.1', '10.1.12.1'],
  said: '10.1.12.10-10.1.12.11,10.1.13.254-10.1.14.0',
  outside: ['10.1.12.1', '10.1.12.12', '10.1.13.253', '10.1.14.1'],
};

/** The range of the same subnet that begins right after the one of {@link part}. */
const nextPart: SetPlan = {
  ranges: [{ subnet: '10.1.4.0/24', rangeStart: '10.1.4.14', rangeEnd: '10.1.4.16' }],
  addresses: ['10.1.4.14/24', '10.1.4.15/24', '10.1.4.16/24'],
  gateways: ['10.1.4.1', '10.1.4.1', '10.1.4.1'],
  said: '10.1.4.14-10.1.4.16',
  outside: ['10.1.4.1', '10.1.4.17'],
};

/** More addresses than any program can list. Only the first ones stand here: few ADDs reach no others. */
const endless: SetPlan = {
  ranges: [{ subnet: '2001:db8:2::/64' }],
  addresses: Array.from({ length: 8 }, (_, i) => `2001:db8:2::${i + 2}/64`),
  gateways: Array.from({ length: 8 }, () => '2001:db8:2::1'),
  said: '2001:db8:2::1-2001:db8:2::ffff:ffff:ffff:ffff',
};

const sixth: SetPlan = {
  ranges: [{ subnet: '2001:db8:1::/126' }],
  addresses: ['2001:db8:1::2/126', '2001:db8:1::3/126'],
  gateways: ['2001:db8:1::1', '2001:db8:1::1'],
  said: '2001:db8:1::1-2001:db8:1::3',
};

const network = <S extends readonly SetPlan[]>(name: string, ...sets: S) => ({ name, sets });

/** Networks with one set. */
export const plainNetworks = [
  network('cbr0', small),
  network('cbr0', gatewayInside),
  network('cbr0', part),
  network('cbr0', threeRanges),
  network('cbr0', single),
  network('cbr0', gatewayLast),
  network('cbr0', overAnOctet),
  network('cbr0', parted),
] as const;

/** Networks of one set whose order is not that of the last octet. */
export const windingNetworks = [
  network('cbr0', threeRanges),
  network('cbr0', overAnOctet),
  network('cbr0', parted),
] as const;

/** Networks with several sets; the second has fewer addresses than the first. */
export const widerNetworks = [
  network('dual', small, sixth),
  network('pair', part, single),
  network('three', threeRanges, sixth, single),
  network('neighbours', part, nextPart),
] as const;

/** A network of both families, as clusters have it. */
export const vastNetwork = network('vast', small, endless);

/** Networks whose configuration changes from the first to the second. The directory remains. */
export const changedNetworks: readonly (readonly [NetworkPlan, NetworkPlan])[] = [
  [network('cbr0', small), network('cbr0', upper)],
  [network('cbr0', upper), network('cbr0', small)],
  [network('cbr0', small), network('cbr0', part)],
  [network('cbr0', small), network('cbr0', small, sixth)],
  [network('cbr0', small, sixth), network('cbr0', small)],
];

/**
 * Networks whose ranges change to others without a common address. The new addresses are longer, so that a full disk
 * can have room for the reservation, and not for the last address.
 */
export const movedNetworks: readonly (readonly [NetworkPlan, NetworkPlan])[] = [
  [network('cbr0', small), network('cbr0', part)],
  [network('cbr0', part), network('cbr0', parted)],
];

/** A network whose directory cannot be created: a file has its name. */
export const blockedNetwork: NetworkPlan = { ...network('cbr0', small), blocked: true };

/** Returns the plan of an invalid network with one range set. */
const wrong = (refused: string, ...ranges: SetPlan['ranges']) => ({ refused, ranges: [ranges] });

/** Networks with an invalid configuration. */
export const wrongNetworks: readonly NetworkPlan[] = [
  wrong('Network 10.1.2.0/31 too small to allocate from', { subnet: '10.1.2.0/31' }),
  wrong('Network 2001:db8::/127 too small to allocate from', { subnet: '2001:db8::/127' }),
  wrong('Network has host bits set. For a subnet mask of length 29 the network address is 10.1.2.0', {
    subnet: '10.1.2.3/29',
  }),
  // Two faults: the error reports the first.
  wrong('Network 10.1.2.1/31 too small to allocate from', { subnet: '10.1.2.1/31' }),
  wrong('Network has host bits set. For a subnet mask of length 29 the network address is 10.1.2.0', {
    subnet: '10.1.2.3/29',
    rangeStart: '10.1.3.1',
  }),
  wrong('RangeStart 10.1.3.1 not in network 10.1.2.0/29', {
    subnet: '10.1.2.0/29',
    rangeStart: '10.1.3.1',
    rangeEnd: '10.1.3.2',
  }),
  wrong('RangeStart 10.1.2.5 not in network 10.1.2.0/29', {
    subnet: '10.1.2.0/29',
    rangeStart: '10.1.2.5',
    rangeEnd: '10.1.1.9',
  }),
  wrong('RangeStart 10.1.3.1 not in network 10.1.2.0/29', { subnet: '10.1.2.0/29', rangeStart: '10.1.3.1' }),
  wrong('RangeStart 10.1.2.5 not in network 10.1.2.0/29', {
    subnet: '10.1.2.0/29',
    rangeStart: '10.1.2.5',
    rangeEnd: '10.1.2.4',
  }),
  wrong('RangeEnd 10.1.2.9 not in network 10.1.2.0/29', { subnet: '10.1.2.0/29', rangeEnd: '10.1.2.9' }),
  wrong('RangeEnd 10.1.2.0 not in network 10.1.2.0/29', { subnet: '10.1.2.0/29', rangeEnd: '10.1.2.0' }),
  wrong('RangeEnd 10.1.2.6 not in network 10.1.2.0/29', { subnet: '10.1.2.0/29', rangeStart: '10.1.2.7' }),
  wrong('overlap', { subnet: '10.1.2.0/29' }, { subnet: '10.1.0.0/16' }),
  { refused: 'overlap', ranges: [[{ subnet: '10.1.2.0/29' }], [{ subnet: '10.1.0.0/16' }]] },
  // They share one address.
  wrong(
    'overlap',
    { subnet: '10.1.2.0/29', rangeEnd: '10.1.2.4' },
    { subnet: '10.1.2.0/29', rangeStart: '10.1.2.4' },
  ),
].map(({ refused, ranges }, i) => ({
  name: `wrong-${i}`,
  refused,
  sets: ranges.map((each) => ({ ranges: each, addresses: [], gateways: [], said: '' })),
}));

/** Returns a network with the same addresses under another name. */
export function twin({ name, sets }: NetworkPlan): NetworkPlan {
  return { name: `${name}-twin`, sets };
}

/** The routes of every network of a scenario. */
export const ROUTES: IpamConfiguration['routes'] = [
  { dst: '0.0.0.0/0' },
  { dst: '10.8.0.0/16', gw: '10.1.2.1' },
];

/** Returns the configuration that the plugin reads from standard input. */
export function configurationOf({ name, sets }: NetworkPlan): Readonly<Record<string, unknown>> {
  const ipam = { type: 'host-local', ranges: sets.map(({ ranges }) => ranges), routes: ROUTES };
  return { cniVersion: '1.1.0', name, type: 'bridge', ipam };
}

/** Renders the ranges as the configuration contains them. */
export function rangesOf({ sets }: NetworkPlan): string {
  return sets.map(({ ranges }) => JSON.stringify(ranges)).join(' and ');
}

/** Returns the directory of a network's reservations. */
export function directoryOf({ name }: Pick<NetworkPlan, 'name'>): string {
  return `/var/lib/cni/networks/${name}`;
}

/** Returns an address without its prefix: the name of its file. */
export function fileOf(address: string): string {
  return address.slice(0, address.indexOf('/'));
}
