import { formatIP, parsePrefix } from '../../../api/ip-prefix.ts';
import type { FileSystem } from '../../../contracts/node/host.ts';
import { type CniRequest, pluginMain } from '../../../node/cni/skel.ts';
import type { PodNetworkScenario } from '../scenario/index.ts';

/**
 * Directory of the reservations: a file with the name of each address. Upstream: containernetworking/plugins@v1.9.1
 * plugins/ipam/host-local/backend/disk
 */
const DIRECTORY = '/var/lib/cni/networks';

/**
 * The part of `host-local` that its callers can observe. It allocates the lowest free address, so that the next pod
 * gets a released address at once, and missing clean-up shows soon. Unlike `host-local` it collects garbage.
 */
export const scriptedIpam = pluginMain({
  async add(request) {
    const { subnet, routes, gives } = ipamOf(request);
    const held = await reservations(request.process.files, request.config.name);
    if (held.some(([, owner]) => owner === ownerOf(request))) {
      throw new Error(`failed to allocate for range 0: duplicate allocation is not allowed`);
    }
    const { ip, bits } = parsePrefix(subnet);
    const gateway = formatIP(4, ip.value + 1n).text;
    const taken = new Set(held.map(([address]) => address));
    for (let i = 2; i < 2 ** (32 - bits) - 1; i++) {
      const address = formatIP(4, ip.value + BigInt(i)).text;
      if (taken.has(address)) continue;
      const directory = `${DIRECTORY}/${request.config.name}`;
      await request.process.files.mkdirAll(directory);
      await request.process.files.writeFile(`${directory}/${address}`, ownerOf(request));
      return {
        cniVersion: request.config.cniVersion,
        interfaces: [],
        ips: [{ address: `${address}/${bits}`, ...(gives !== 'no gateway' && { gateway }) }],
        routes: [...routes, ...defaultRoutes(gives, gateway)],
      };
    }
    throw new Error('failed to allocate for range 0: no IP addresses available');
  },

  async del(request) {
    await release(request, (owner) => owner === ownerOf(request));
  },

  async check(request) {
    const held = await reservations(request.process.files, request.config.name);
    if (held.some(([, owner]) => owner === ownerOf(request))) return;
    throw new Error(`host-local: Failed to find address added by container ${request.containerID}`);
  },

  async gc(request) {
    const valid = (request.config['cni.dev/valid-attachments'] ?? []).map(ownerOf);
    await release(request, (owner) => !valid.includes(owner));
  },
});

/** Returns the reservations of a network: addresses and their owners. */
export async function reservations(
  files: FileSystem,
  network: string,
): Promise<readonly (readonly [address: string, owner: string])[]> {
  const directory = `${DIRECTORY}/${network}`;
  const names = await files.readdir(directory).catch(() => []);
  return Promise.all(
    names.map(async (name) => [name, await files.readFile(`${directory}/${name}`)] as const),
  );
}

/** Content of a reservation that a user has changed. The address stays reserved, because its pod still has it. */
export const UNKNOWN_OWNER = 'unknown';

/** Overwrites the owner in the reservations of an attachment, as a user. */
export async function spoilReservations(files: FileSystem, network: string, owner: string): Promise<void> {
  for (const [address, held] of await reservations(files, network))
    if (held === owner) await files.writeFile(`${DIRECTORY}/${network}/${address}`, UNKNOWN_OWNER);
}

/** Renders an attachment for its reservation. */
export function ownerOf({ containerID, ifname }: Pick<CniRequest, 'containerID' | 'ifname'>): string {
  return `${containerID} ${ifname}`;
}

async function release({ process, config }: CniRequest, goes: (owner: string) => boolean): Promise<void> {
  for (const [address, owner] of await reservations(process.files, config.name))
    if (goes(owner)) await process.files.removeAll(`${DIRECTORY}/${config.name}/${address}`);
}

function defaultRoutes(gives: PodNetworkScenario['alone']['gives'] | undefined, gw: string) {
  if (gives === 'a default route') return [{ dst: '0.0.0.0/0', gw }];
  return gives === 'a bare default route' ? [{ dst: '0.0.0.0/0' }] : [];
}

function ipamOf({ config }: CniRequest) {
  const {
    ranges = [],
    routes = [],
    gives,
  } = config.ipam as unknown as {
    readonly ranges?: readonly (readonly { readonly subnet: string }[])[];
    readonly routes?: readonly { readonly dst: string }[];
    readonly gives?: PodNetworkScenario['alone']['gives'];
  };
  return { subnet: ranges[0]?.[0]?.subnet ?? '', routes, gives };
}
