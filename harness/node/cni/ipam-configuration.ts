import { type IP, type IPPrefix, parseIP, parsePrefix } from '../../api/ip-prefix.ts';
import type { CniConfiguration } from '../../contracts/node/cni-plugin.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import { NotImplemented } from '../../contracts/todo.ts';
import { CNI_VERSIONS, type CniRequest } from './skel.ts';

/** The default directory for the reservations of all networks. */
const IPAM_DIRECTORY = '/var/lib/cni/networks';

/** A range in a configuration: a subnet, and optionally a part of it. */
export interface RangeConfiguration {
  readonly subnet: IPPrefix;
  /** The first address to allocate. */
  readonly rangeStart?: IP;
  /** The last address to allocate. */
  readonly rangeEnd?: IP;
  readonly gateway?: IP;
}

/** A range with all values. */
export type Range = Required<RangeConfiguration>;

/** Ranges of one family. A container gets one address from each set. */
export type RangeSet = readonly Range[];

/** The parsed configuration of host-local. */
export interface IpamConfiguration {
  readonly cniVersion: string;
  /** The directory for the reservations of this network: `/var/lib/cni/networks/cbr0`. */
  readonly directory: string;
  /** The range sets, in the order of the configuration. */
  readonly ranges: readonly (readonly RangeConfiguration[])[];
  readonly routes: CniResult['routes'];
  /** The requested addresses, without duplicates. */
  readonly requested: readonly IP[];
}

interface RawRange {
  readonly subnet?: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

interface RawConfiguration extends Omit<CniConfiguration, 'ipam' | 'runtimeConfig'> {
  readonly ipam?: RawRange & {
    readonly ranges?: readonly (readonly RawRange[])[];
    readonly routes?: CniResult['routes'];
    readonly dataDir?: string;
  };
  readonly args?: { readonly cni?: { readonly ips?: readonly string[] } };
  readonly runtimeConfig?: {
    readonly ips?: readonly string[];
    readonly ipRanges?: readonly (readonly RawRange[])[];
  };
}

/**
 * Parses the configuration of host-local. The order of ranges is: those of the runtime, the single range, the other
 * ranges. The order of requested addresses is: `IP=` of `CNI_ARGS`, `args.cni.ips`, those of the runtime.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/config.go LoadIPAMConfig
 *
 * Differs: it ignores `resolvConf`.
 *
 * @throws Error when it has no range, or when an address is invalid
 */
export function readIpamConfiguration({
  config,
  args,
}: Pick<CniRequest, 'config' | 'args'>): IpamConfiguration {
  const { cniVersion, name, ipam, runtimeConfig, args: given } = config as RawConfiguration;
  if (!ipam) throw new Error("IPAM config missing 'ipam' key");
  const requested = [
    ...(args.IP ? [args.IP] : []),
    ...(given?.cni?.ips ?? []),
    ...(runtimeConfig?.ips ?? []),
  ];
  const ranges = [
    ...(runtimeConfig?.ipRanges ?? []),
    ...(ipam.subnet === undefined ? [] : [[ipam]]),
    ...(ipam.ranges ?? []),
  ];
  if (ranges.length === 0) throw new Error('no IP ranges specified');
  return {
    cniVersion,
    directory: `${ipam.dataDir || IPAM_DIRECTORY}/${name}`,
    ranges: ranges.map((set) => set.map(readRange)),
    routes: ipam.routes ?? [],
    requested: [...new Map(requested.map(readRequested).map((ip) => [ip.text, ip])).values()],
  };
}

function readRequested(text: string): IP {
  return parseIP(text.split('/')[0] ?? '');
}

function readRange({ subnet = '', rangeStart, rangeEnd, gateway }: RawRange): RangeConfiguration {
  return {
    subnet: parsePrefix(subnet),
    ...(rangeStart && { rangeStart: parseIP(rangeStart) }),
    ...(rangeEnd && { rangeEnd: parseIP(rangeEnd) }),
    ...(gateway && { gateway: parseIP(gateway) }),
  };
}

/** Formats a range set for an error message: `10.1.2.1-10.1.2.254,10.2.2.1-10.2.2.254`. */
export function formatRangeSet(set: RangeSet): string {
  return set.map(({ rangeStart, rangeEnd }) => `${rangeStart.text}-${rangeEnd.text}`).join(',');
}

/** The functions of {@link readRangeSets} that complete and compare ranges. */
export interface RangeRules {
  /** Fills in missing values. @throws Error with the reason when the range is invalid */
  canonicalRange(range: RangeConfiguration): Range;
  /** Whether the ranges have a common address. */
  rangesOverlap(one: Range, other: Range): boolean;
}

/**
 * Completes and checks the range sets of a configuration: one family in each set, and no address twice.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/config.go LoadIPAMConfig, range_set.go
 * RangeSet.Canonicalize
 *
 * @throws Error with the index of the invalid set
 */
export function readRangeSets(
  { ranges, cniVersion }: Pick<IpamConfiguration, 'ranges' | 'cniVersion'>,
  rules: RangeRules,
): readonly RangeSet[] {
  const sets = ranges.map((set, i) => {
    try {
      return canonicalRangeSet(set, rules);
    } catch (error) {
      if (error instanceof NotImplemented) throw error;
      throw new Error(`invalid range set ${i}: ${(error as Error).message}`);
    }
  });
  const families = sets.map(([first]) => first?.subnet.ip.family);
  const isOld = CNI_VERSIONS.indexOf(cniVersion) < CNI_VERSIONS.indexOf('0.3.0');
  if (isOld && new Set(families).size < families.length)
    throw new Error(`CNI version ${cniVersion} does not support more than 1 address per family`);
  for (const [i, set] of sets.entries()) {
    const other = sets.findIndex(
      (each, j) => j > i && set.some((a) => each.some((b) => rules.rangesOverlap(a, b))),
    );
    if (other > i) throw new Error(`range set ${i} overlaps with ${other}`);
  }
  return sets;
}

function canonicalRangeSet(set: readonly RangeConfiguration[], rules: RangeRules): RangeSet {
  if (set.length === 0) throw new Error('empty range set');
  const ranges = set.map((range) => rules.canonicalRange(range));
  if (new Set(ranges.map(({ subnet }) => subnet.ip.family)).size > 1)
    throw new Error('mixed address families');
  for (const [i, range] of ranges.entries()) {
    const other = ranges.slice(i + 1).find((each) => rules.rangesOverlap(range, each));
    if (other) throw new Error(`subnets ${formatRangeSet([range])} and ${formatRangeSet([other])} overlap`);
  }
  return ranges;
}
