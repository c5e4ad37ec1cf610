/**
 * An address manager without the functions of the levels. It decides for all sets before it writes, and creates
 * reservations in place. An empty file of a crashed process counts as free.
 */
import { formatRangeSet, type RangeRules, readIpamConfiguration, readRangeSets } from '#given/51-ipam';
import {
  CniError,
  type CniRequest,
  type FileSystem,
  firstOf,
  formatPrefix,
  type IP,
  lastOf,
  parseIP,
  pluginMain,
  plus,
} from '#harness';

interface Pool {
  readonly name: string;
  readonly blocks: readonly { from: IP; to: IP; gateway: IP; bits: number }[];
}

const rules: RangeRules = {
  canonicalRange({ subnet, rangeStart, rangeEnd, gateway }) {
    const said = formatPrefix(subnet);
    const [first, last] = [firstOf(subnet), lastOf(subnet)];
    if (first.value + 3n > last.value) throw new Error(`Network ${said} too small to allocate from`);
    if (first.value !== subnet.ip.value)
      throw new Error(
        `Network has host bits set. For a subnet mask of length ${subnet.bits} the network address is ${first.text}`,
      );
    const start = rangeStart ?? plus(first, 1);
    const end = rangeEnd ?? (subnet.ip.family === 4 ? plus(last, -1) : last);
    const isWithin = (ip: IP) =>
      ip.family === first.family && ip.value >= first.value && ip.value <= last.value;
    if (!isWithin(start) || (rangeEnd && rangeStart && rangeEnd.value < start.value))
      throw new Error(`RangeStart ${start.text} not in network ${said}`);
    if (!isWithin(end) || end.value < start.value)
      throw new Error(`RangeEnd ${end.text} not in network ${said}`);
    return { subnet, rangeStart: start, rangeEnd: end, gateway: gateway ?? plus(first, 1) };
  },
  rangesOverlap: (one, other) =>
    one.subnet.ip.family === other.subnet.ip.family &&
    one.rangeStart.value <= other.rangeEnd.value &&
    other.rangeStart.value <= one.rangeEnd.value,
};

function poolsOf(request: CniRequest): readonly Pool[] {
  return readRangeSets(readIpamConfiguration(request), rules).map((set) => ({
    name: formatRangeSet(set),
    blocks: set.map(({ rangeStart, rangeEnd, gateway, subnet }) => ({
      from: rangeStart,
      to: rangeEnd,
      gateway,
      bits: subnet.bits,
    })),
  }));
}

const nameOf = ({ containerID, ifname }: { containerID: string; ifname: string }) =>
  `${containerID}\r\n${ifname}`;

/** All reservations of a network with an owner, read at once while the lock is held. */
class Table {
  readonly #files: FileSystem;
  readonly #directory: string;
  readonly owners = new Map<string, string>();
  readonly odd: string[] = [];

  constructor(files: FileSystem, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  async read(): Promise<this> {
    for (const name of await this.#files.readdir(this.#directory)) {
      if (/^lock$|^last_reserved_ip\./.test(name)) continue;
      const text = await this.#files.readFile(`${this.#directory}/${name}`);
      if (text === '' || !/^[\d.]+$|:/.test(name)) this.odd.push(name);
      else this.owners.set(name, text);
    }
    return this;
  }

  of(owner: string): string[] {
    return [...this.owners].flatMap(([name, text]) => (text === owner ? [name] : []));
  }

  async take(address: string, owner: string, pool: number): Promise<void> {
    const path = `${this.#directory}/${address}`;
    if (this.odd.includes(address)) await this.#files.removeAll(path);
    try {
      await this.#files.writeFile(path, owner, { exclusive: true, mode: 0o600 });
      await this.#files.writeFile(`${this.#directory}/last_reserved_ip.${pool}`, address, { mode: 0o600 });
    } catch (error) {
      await this.#files.removeAll(path);
      throw error;
    }
  }

  async drop(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#files.removeAll(`${this.#directory}/${name}`);
  }

  async last(pool: number): Promise<string> {
    return this.#files.readFile(`${this.#directory}/last_reserved_ip.${pool}`).catch(() => '');
  }
}

async function exclusively<T>(request: CniRequest, act: (table: Table) => Promise<T>): Promise<T> {
  const { directory } = readIpamConfiguration(request);
  const { files } = request.process;
  await files.mkdirAll(directory);
  const unlock = await files.flock(`${directory}/lock`);
  return act(await new Table(files, directory).read()).finally(unlock);
}

/** Returns the number of addresses of the first `count` blocks of a pool. */
const sizeOf = ({ blocks }: Pool, count = blocks.length): bigint =>
  blocks.slice(0, count).reduce((sum, { from, to }) => sum + to.value - from.value + 1n, 0n);

/** Parses an address; undefined for the remains of a crash. */
function parsed(text: string): IP | undefined {
  try {
    return parseIP(text);
  } catch {
    return undefined;
  }
}

/** Returns the number of an address in its pool, from 0; -1 if it is in none of the blocks. */
function numberOf(pool: Pool, text: string): bigint {
  const ip = parsed(text);
  if (!ip) return -1n;
  const at = pool.blocks.findIndex(
    ({ from, to }) => from.family === ip.family && from.value <= ip.value && ip.value <= to.value,
  );
  const block = pool.blocks[at];
  return block ? sizeOf(pool, at) + ip.value - block.from.value : -1n;
}

/** Returns the address with this number. */
function placeAt(pool: Pool, number: bigint) {
  let left = number;
  for (const { from, to, gateway, bits } of pool.blocks) {
    const size = to.value - from.value + 1n;
    if (left < size) {
      const ip = plus(from, left);
      return { ip, gateway, bits, isUsable: ip.text !== gateway.text };
    }
    left -= size;
  }
  throw new Error(`the pool has no address ${number}`);
}

function choose(table: Table, pool: Pool, last: string) {
  const size = sizeOf(pool);
  const start = numberOf(pool, last) + 1n;
  for (let i = 0n; i < size; i++) {
    const place = placeAt(pool, (start + i) % size);
    if (place.isUsable && !table.owners.has(place.ip.text)) return place;
  }
  return undefined;
}

function wanted(pools: readonly Pool[], request: CniRequest): (IP | undefined)[] {
  const left = [...readIpamConfiguration(request).requested];
  const found = pools.map(({ blocks }) => {
    const at = left.findIndex((ip) =>
      blocks.some(
        ({ from, to }) => from.family === ip.family && from.value <= ip.value && ip.value <= to.value,
      ),
    );
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  if (left.length > 0)
    throw new Error(`failed to allocate all requested IPs: ${left.map(({ text }) => text).join(' ')}`);
  return found;
}

export const hostLocal = pluginMain({
  add: (request) =>
    exclusively(request, async (table) => {
      const { cniVersion, routes } = readIpamConfiguration(request);
      const [pools, owner] = [poolsOf(request), nameOf(request)];
      const asked = wanted(pools, request);
      const fail = (pool: number, why: string) => new Error(`failed to allocate for range ${pool}: ${why}`);
      const plan = [];
      // Decides for all pools before the first write.
      for (const [i, pool] of pools.entries()) {
        const ip = asked[i];
        if (ip) {
          const place = placeAt(pool, numberOf(pool, ip.text));
          if (!place.isUsable) throw fail(i, `requested ip ${ip.text} is subnet's gateway`);
          if (table.owners.has(ip.text))
            throw fail(i, `requested IP address ${ip.text} is not available in range set ${pool.name}`);
          plan.push(place);
          continue;
        }
        const held = table.of(owner).find((name) => numberOf(pool, name) >= 0n);
        if (held)
          throw fail(
            i,
            `${held} has been allocated to ${request.containerID}, duplicate allocation is not allowed`,
          );
        const place = choose(table, pool, await table.last(i));
        if (!place) throw fail(i, `no IP addresses available in range set: ${pool.name}`);
        plan.push(place);
      }
      const taken: string[] = [];
      try {
        for (const [i, { ip }] of plan.entries()) {
          await table.take(ip.text, owner, i);
          taken.push(ip.text);
        }
      } catch (error) {
        await table.drop(taken);
        throw error;
      }
      const ips = plan.map(({ ip, bits, gateway }) => ({
        address: formatPrefix({ ip, bits }),
        gateway: gateway.text,
      }));
      return { cniVersion, interfaces: [], ips, routes };
    }),
  del: (request) => exclusively(request, (table) => table.drop(table.of(nameOf(request)))),
  check: (request) =>
    exclusively(request, async (table) => {
      if (table.of(nameOf(request)).length === 0)
        throw new Error(`host-local: Failed to find address added by container ${request.containerID}`);
    }),
  gc: (request) =>
    exclusively(request, async (table) => {
      const list = request.config['cni.dev/valid-attachments'];
      if (!list) throw new CniError(7, 'which attachments are valid?');
      const valid = list.map(nameOf);
      const stale = [...table.owners].filter(([, owner]) => !valid.includes(owner));
      await table.drop([...table.odd, ...stale.map(([name]) => name)]);
    }),
  status: (request) =>
    exclusively(request, async (table) => {
      for (const pool of poolsOf(request)) {
        if (choose(table, pool, '')) continue;
        throw new Error(`no IP addresses available in range set: ${pool.name}`);
      }
    }).catch((error: Error) => {
      throw new CniError(50, error.message);
    }),
});
