import type { CniAddress, CniResult } from '../../contracts/node/network-plugin.ts';

type Route = CniResult['routes'][number];

/** One address in the format before 0.3.0, with the routes of its family. */
interface OldAddress {
  readonly ip: string;
  readonly gateway?: string;
  readonly routes?: readonly Route[];
}

const families = { 4: 'ip4', 6: 'ip6' } as const;

/**
 * Converts a result to a version of the specification, without empty lists. Until 0.4.0 each address contains its
 * family, and until 0.2.0 a result has one address of each family.
 *
 * Upstream: containernetworking/cni@v1.3.0 pkg/types/040/types.go convertTo02x; pkg/types/100/types.go convertTo04x
 *
 * @throws Error when the version requires an address and the result has none
 */
export function writtenResult(result: CniResult, cniVersion: string): unknown {
  const {
    dns = {},
    cniVersion: _,
    ips,
    routes,
    interfaces,
  } = result as CniResult & { readonly dns?: unknown };
  if (cniVersion.startsWith('0.1.') || cniVersion.startsWith('0.2.')) {
    if (ips.length === 0) throw new Error('cannot convert: no valid IP addresses');
    return { cniVersion, ...oldAddress(4, ips, routes), ...oldAddress(6, ips, routes), dns };
  }
  const isOld = cniVersion.startsWith('0.');
  return {
    cniVersion,
    ...(interfaces.length > 0 && { interfaces }),
    ...(ips.length > 0 && { ips: isOld ? ips.map((ip) => ({ version: `${familyOf(ip)}`, ...ip })) : ips }),
    ...(routes.length > 0 && { routes }),
    dns,
  };
}

/** The fields of a result in any version. */
interface Written extends Partial<CniResult> {
  readonly ip4?: OldAddress;
  readonly ip6?: OldAddress;
}

/** Parses a plugin's result of `ADD` in any version. Missing lists become empty. */
export function readResult(stdout: string): CniResult {
  const { ip4, ip6, ...result } = JSON.parse(stdout) as Written;
  const old = [ip4, ip6].flatMap((each) => each ?? []);
  const {
    cniVersion = '0.1.0',
    interfaces = [],
    ips = old.map(({ ip, gateway }) => ({ address: ip, ...(gateway !== undefined && { gateway }) })),
    routes = old.flatMap((each) => each.routes ?? []),
  } = result;
  return { ...result, cniVersion, interfaces, ips: ips.map(withoutVersion), routes };
}

function withoutVersion({ version: _, ...ip }: CniAddress & { readonly version?: string }): CniAddress {
  return ip;
}

function oldAddress(family: 4 | 6, ips: CniResult['ips'], routes: CniResult['routes']): object {
  const first = ips.find((ip) => familyOf(ip) === family);
  if (!first) return {};
  const { address, gateway } = first;
  const own = routes.filter(({ dst }) => dst.includes(':') === (family === 6));
  return {
    [families[family]]: {
      ip: address,
      ...(gateway !== undefined && { gateway }),
      ...(own.length > 0 && { routes: own }),
    },
  };
}

function familyOf({ address }: Pick<CniAddress, 'address'>): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}
