/**
 * The reference host-local: ranges, the order of allocation, reservations on disk, and the plugin.
 *
 * Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local
 */
import {
  cniCodes,
  formatRangeSet,
  type IpamConfiguration,
  type Range,
  type RangeConfiguration,
  type RangeSet,
  readIpamConfiguration,
  readRangeSets,
} from '#given/51-ipam';
import {
  type CniAddress,
  CniError,
  type CniRequest,
  type CniResult,
  contains,
  type FileSystem,
  firstOf,
  formatPrefix,
  type IP,
  lastOf,
  parseIP,
  pluginMain,
  plus,
} from '#harness';

// Level 1 · A range

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Canonicalize */
export function canonicalRange(range: RangeConfiguration): Range {
  const { subnet } = range;
  const said = formatPrefix(subnet);
  const [network, last] = [firstOf(subnet), lastOf(subnet)];
  if (last.value - network.value < 3n) throw new Error(`Network ${said} too small to allocate from`);
  if (subnet.ip.text !== network.text) {
    throw new Error(
      `Network has host bits set. For a subnet mask of length ${subnet.bits} the network address is ${network.text}`,
    );
  }
  const first = plus(network, 1);
  const { gateway = first, rangeStart = first } = range;
  // IPv6 has no broadcast address.
  const { rangeEnd = subnet.ip.family === 4 ? plus(last, -1) : last } = range;
  const isTurned = rangeEnd.value < rangeStart.value;
  if (!contains(subnet, rangeStart) || (range.rangeStart && range.rangeEnd && isTurned))
    throw new Error(`RangeStart ${rangeStart.text} not in network ${said}`);
  if (!contains(subnet, rangeEnd) || isTurned)
    throw new Error(`RangeEnd ${rangeEnd.text} not in network ${said}`);
  return { subnet, gateway, rangeStart, rangeEnd };
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Contains */
export function rangeContains({ subnet, rangeStart, rangeEnd }: Range, ip: IP): boolean {
  return contains(subnet, ip) && rangeStart.value <= ip.value && ip.value <= rangeEnd.value;
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Overlaps */
export function rangesOverlap(one: Range, other: Range): boolean {
  return rangeContains(one, other.rangeStart) || rangeContains(other, one.rangeStart);
}

// Level 2 · The next address

/** An address and its range. */
export interface Offer {
  readonly ip: IP;
  readonly range: Range;
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go RangeIter.Next */
export function* offers(set: RangeSet, last?: IP): Generator<Offer> {
  const at = last ? set.findIndex((range) => rangeContains(range, last)) : -1;
  const current = set[at];
  if (!last || !current) {
    for (const range of set) yield* between(range, range.rangeStart, range.rangeEnd);
    return;
  }
  if (last.value < current.rangeEnd.value) yield* between(current, plus(last, 1), current.rangeEnd);
  for (const range of [...set.slice(at + 1), ...set.slice(0, at)])
    yield* between(range, range.rangeStart, range.rangeEnd);
  // The last allocated address comes last.
  yield* between(current, current.rangeStart, last);
}

function* between(range: Range, first: IP, last: IP): Generator<Offer> {
  for (let ip = first; ; ip = plus(ip, 1)) {
    if (ip.text !== range.gateway.text) yield { ip, range };
    if (ip.value === last.value) return;
  }
}

// Levels 3, 4 and 6 · The store

/** The attachment that owns an address. */
export type Owner = Pick<CniRequest, 'containerID' | 'ifname'>;

/** Returns the content of an address's file. Given. */
export function textOf({ containerID, ifname }: Owner): string {
  return `${containerID.trim()}\r\n${ifname}`;
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/disk/backend.go Store */
export class Store {
  readonly #files: FileSystem;
  readonly #directory: string;

  constructor(files: FileSystem, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  async withLock<T>(act: () => Promise<T>): Promise<T> {
    await this.#files.mkdirAll(this.#directory);
    const unlock = await this.#files.flock(this.#path('lock'));
    try {
      return await act();
    } finally {
      await unlock();
    }
  }

  async reserve(ip: IP, owner: Owner, set: number): Promise<boolean> {
    if (await this.isReserved(ip)) return false;
    await this.#put(ip.text, textOf(owner));
    try {
      await this.#files.writeFile(this.#path(`${LAST}${set}`), ip.text, { mode: 0o600 });
    } catch (error) {
      await this.#files.removeAll(this.#path(ip.text));
      throw error;
    }
    return true;
  }

  async isReserved(ip: IP): Promise<boolean> {
    // An empty file has no owner: host-local crashed there.
    return ((await this.#files.lstat(this.#path(ip.text)))?.sizeBytes ?? 0) > 0;
  }

  /**
   * Creates a file with its whole content or not at all: it writes a draft under another name, and renames it. First,
   * it removes the draft of a crashed process.
   */
  async #put(name: string, text: string): Promise<void> {
    const draft = this.#path(DRAFT);
    await this.#files.removeAll(draft);
    try {
      await this.#files.writeFile(draft, text, { mode: 0o600, exclusive: true });
      await this.#files.fsync(draft);
      await this.#files.rename(draft, this.#path(name));
    } catch (error) {
      await this.#files.removeAll(draft);
      throw error;
    }
  }

  async lastReserved(set: number): Promise<IP | undefined> {
    const path = this.#path(`${LAST}${set}`);
    // If the file is missing, or truncated by a crash, the round robin starts over.
    return (await this.#files.stat(path)) && readIP(await this.#files.readFile(path));
  }

  async addressesOf(owner: Owner): Promise<readonly IP[]> {
    const names = await this.#namesWhere((text) => text === textOf(owner));
    return names.flatMap((name) => readIP(name) ?? []);
  }

  async release(owner: Owner, kept: readonly IP[] = []): Promise<void> {
    const names = new Set(kept.map(({ text }) => text));
    await this.#removeWhere((text, name) => text === textOf(owner) && !names.has(name));
  }

  /** Releases all addresses except those of these owners, including addresses without an owner, and drafts. */
  async releaseAllBut(owners: readonly Owner[]): Promise<void> {
    const valid = new Set(owners.map(textOf));
    await this.#removeWhere((text, name) => name === DRAFT || !valid.has(text));
  }

  async #removeWhere(matches: (text: string, name: string) => boolean): Promise<void> {
    for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));
  }

  async #namesWhere(matches: (text: string, name: string) => boolean): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of await this.#files.readdir(this.#directory)) {
      if (name === 'lock' || name.startsWith(LAST)) continue;
      if (matches((await this.#files.readFile(this.#path(name))).trim(), name)) found.push(name);
    }
    return found;
  }

  #path(name: string): string {
    return `${this.#directory}/${name}`;
  }
}

const LAST = 'last_reserved_ip.';
const DRAFT = 'draft';

/** Parses an address; undefined if the text is not an address. */
function readIP(text: string): IP | undefined {
  try {
    return parseIP(text);
  } catch {
    return undefined;
  }
}

// Level 5 · ADD, DEL and CHECK

/** The input of {@link allocate}. */
export interface Allocation {
  readonly set: RangeSet;
  /** The index of the set. */
  readonly index: number;
  readonly owner: Owner;
  /** The requested address, ★. @defaultValue any */
  readonly requested?: IP | undefined;
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go IPAllocator.Get */
export async function allocate(store: Store, allocation: Allocation): Promise<CniAddress> {
  const { set, index, owner, requested } = allocation;
  if (requested) return allocateRequested(store, { ...allocation, requested });
  const held = (await store.addressesOf(owner)).find((ip) => set.some((range) => rangeContains(range, ip)));
  if (held) {
    const { containerID } = owner;
    throw new Error(`${held.text} has been allocated to ${containerID}, duplicate allocation is not allowed`);
  }
  for (const { ip, range } of offers(set, await store.lastReserved(index)))
    if (await store.reserve(ip, owner, index)) return addressIn(range, ip);
  throw new Error(`no IP addresses available in range set: ${formatRangeSet(set)}`);
}

/** Formats an address for a result. Given. */
export function addressIn({ subnet, gateway }: Range, ip: IP): CniAddress {
  return { address: formatPrefix({ ip, bits: subnet.bits }), gateway: gateway.text };
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdAdd */
export async function add(request: CniRequest): Promise<CniResult> {
  const { store, sets, configuration } = open(request);
  const { routes, cniVersion, requested } = configuration;
  const left = [...requested];
  return store.withLock(async () => {
    const before = await store.addressesOf(request);
    const ips: CniAddress[] = [];
    try {
      for (const [index, set] of sets.entries()) {
        const wanted = left.findIndex((ip) => set.some((range) => rangeContains(range, ip)));
        const [ip] = wanted < 0 ? [] : left.splice(wanted, 1);
        const allocation = { set, index, owner: request, requested: ip };
        ips.push(await allocate(store, allocation).catch(failed(`failed to allocate for range ${index}`)));
      }
      if (left.length > 0)
        throw new Error(`failed to allocate all requested IPs: ${left.map(({ text }) => text).join(' ')}`);
      return { cniVersion, interfaces: [], ips, routes };
    } catch (error) {
      await store.release(request, before);
      throw error;
    }
  });
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdDel */
export async function del(request: CniRequest): Promise<void> {
  const { store } = open(request);
  await store.withLock(() => store.release(request));
}

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdCheck */
export async function check(request: CniRequest): Promise<void> {
  const { store } = open(request);
  const held = await store.withLock(() => store.addressesOf(request));
  if (held.length === 0)
    throw new Error(`host-local: Failed to find address added by container ${request.containerID}`);
}

/** Reads the configuration of a command. Given. @throws Error when the configuration is invalid */
export function open(request: CniRequest): {
  readonly configuration: IpamConfiguration;
  readonly sets: readonly RangeSet[];
  readonly store: Store;
} {
  const configuration = readIpamConfiguration(request);
  const sets = readRangeSets(configuration, { canonicalRange, rangesOverlap });
  return { configuration, sets, store: new Store(request.process.files, configuration.directory) };
}

/** Returns a handler that adds the failed operation to an error's message. Given. */
export function failed(what: string): (error: Error) => never {
  return ({ message }) => {
    throw new Error(`${what}: ${message}`);
  };
}

// Level 6 · GC

/** Differs: upstream does not implement GC, and reports success. */
export async function gc(request: CniRequest): Promise<void> {
  const valid = request.config['cni.dev/valid-attachments'];
  // Without a list, no attachment is known to be stale.
  if (!valid) throw new CniError(cniCodes.invalidNetworkConfig, 'cni.dev/valid-attachments is missing');
  const { store } = open(request);
  await store.withLock(() => store.releaseAllBut(valid));
}

// Level 7 ★ · An address that is asked for

/** Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go IPAllocator.Get */
export async function allocateRequested(
  store: Store,
  { set, index, owner, requested }: Allocation & { readonly requested: IP },
): Promise<CniAddress> {
  const range = set.find((each) => rangeContains(each, requested));
  if (!range) throw new Error(`${requested.text} not in range set ${formatRangeSet(set)}`);
  if (requested.text === range.gateway.text)
    throw new Error(`requested ip ${requested.text} is subnet's gateway`);
  if (await store.reserve(requested, owner, index)) return addressIn(range, requested);
  throw new Error(
    `requested IP address ${requested.text} is not available in range set ${formatRangeSet(set)}`,
  );
}

// Level 8 ★ · STATUS

/** Differs: upstream does not implement STATUS, and reports success. */
export async function status(request: CniRequest): Promise<void> {
  try {
    const { store, sets } = open(request);
    await store.withLock(async () => {
      for (const set of sets)
        if (await isFull(store, set))
          throw new Error(`no IP addresses available in range set: ${formatRangeSet(set)}`);
    });
  } catch (error) {
    throw new CniError(cniCodes.pluginNotAvailable, (error as Error).message);
  }
}

async function isFull(store: Store, set: RangeSet): Promise<boolean> {
  for (const { ip } of offers(set)) if (!(await store.isReserved(ip))) return false;
  return true;
}

/** The plugin, which a cluster uses. Given. */
export const hostLocal = pluginMain({ add, del, check, gc, status });
