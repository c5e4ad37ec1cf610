import { type IP, type IPPrefix, parseIP, parsePrefix } from '../../api/ip-prefix.ts';
import type { CniConfiguration } from '../../contracts/node/cni-plugin.ts';
import type { CniResult } from '../../contracts/node/network-plugin.ts';
import { NotImplemented } from '../../contracts/todo.ts';
import { CNI_VERSIONS, type CniRequest } from './skel.ts';

/** Where the reservations of all networks are, if nothing else is said. */
export const IPAM_DIRECTORY = '/var/lib/cni/networks';

/** A range as a configuration has it: a subnet, and perhaps which part of it. */
export interface RangeConfiguration {
  readonly subnet: IPPrefix;
  /** The first address that may be given away. */
  readonly rangeStart?: IP;
  /** The last address that may be given away. */
  readonly rangeEnd?: IP;
  readonly gateway?: IP;
}

/** A range that lacks nothing. */
export type Range = Required<RangeConfiguration>;

/** Ranges of one family. A container gets one address of each set. */
export type RangeSet = readonly Range[];

/** What host-local reads from the configuration of a network. */
export interface IpamConfiguration {
  readonly cniVersion: string;
  /** Where the reservations of this network are: `/var/lib/cni/networks/cbr0`. */
  readonly directory: string;
  /** The sets, one after the other, as they are written. */
  readonly ranges: readonly (readonly RangeConfiguration[])[];
  readonly routes: CniResult['routes'];
  /** The addresses that are asked for by name, each once. */
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
 * Reads the configuration of host-local. Ranges stand in this order: those of the runtime, the single one, the others; requested
 * addresses in this: `IP=` of `CNI_ARGS`, `args.cni.ips`, those of the runtime.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/config.go LoadIPAMConfig
 *
 * Differs: `resolvConf` is not read.
 *
 * @throws Error when there is no range, or what should be an address is none
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

/** As an error says it: `10.1.2.1-10.1.2.254,10.2.2.1-10.2.2.254`. */
export function formatRangeSet(set: RangeSet): string {
  return set.map(({ rangeStart, rangeEnd }) => `${rangeStart.text}-${rangeEnd.text}`).join(',');
}

/** How {@link readRangeSets} makes ranges complete and compares them. */
export interface RangeRules {
  /** Fills in what is missing. @throws Error that says what is wrong */
  canonicalRange(range: RangeConfiguration): Range;
  /** Whether an address is in both. */
  rangesOverlap(one: Range, other: Range): boolean;
}

/**
 * The range sets of a configuration, complete and checked: each of one family, and no address twice.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/config.go LoadIPAMConfig, range_set.go
 * RangeSet.Canonicalize
 *
 * @throws Error that says which set is wrong
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
