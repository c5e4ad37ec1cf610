import {
  type IpamConfiguration,
  type Range,
  type RangeConfiguration,
  type RangeSet,
  readIpamConfiguration,
  readRangeSets,
} from '#given/51-ipam';
import {
  type CniAddress,
  type CniRequest,
  type CniResult,
  type FileSystem,
  formatPrefix,
  type IP,
  pluginMain,
  todo,
} from '#harness';

const KATA = '51-ipam';

// Level 1 · A range

/**
 * Completes a range, or rejects an invalid one. The default gateway is the first address after the network address. The
 * default start is that first address, whichever the gateway is. The default end is the last address that a container
 * may have: in IPv4 the one before the broadcast address; IPv6 has no broadcast address.
 *
 * @example
 * `{ subnet: 10.1.2.0/24 }` has the gateway 10.1.2.1, the start 10.1.2.1 and the end 10.1.2.254.
 *
 * @returns the range with all four parts
 * @throws Error with the first of these messages that applies; `S` is the subnet of the configuration, `X` the address:
 * - `Network S too small to allocate from`: the prefix leaves fewer than two bits (/31, /32; in IPv6 /127, /128)
 * - `Network has host bits set. For a subnet mask of length 24 the network address is X`: 10.1.2.3/24, for example
 * - `RangeStart X not in network S`: outside the subnet, or of the other family; or after `rangeEnd`, if both are
 *   configured
 * - `RangeEnd X not in network S`: outside the subnet, or before the start, even if one of the two is a default: a
 *   range that starts with the broadcast address and has no configured end. (host-local checks only a configured end.)
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go
 * Range.Canonicalize
 */
export function canonicalRange(range: RangeConfiguration): Range {
  return todo(KATA, 'canonicalRange', 'Level 1');
}

/**
 * Returns whether a range contains an address: from its start to its end, including the gateway.
 *
 * @param ip - of either family
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Contains
 */
export function rangeContains(range: Range, ip: IP): boolean {
  return todo(KATA, 'rangeContains', 'Level 1');
}

/**
 * Returns whether two ranges share an address. Ranges of different families share none.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Overlaps
 */
export function rangesOverlap(one: Range, other: Range): boolean {
  return todo(KATA, 'rangesOverlap', 'Level 1');
}

// Level 2 · The next address

/** An address and its range. */
export interface Offer {
  readonly ip: IP;
  readonly range: Range;
}

/**
 * Returns all addresses of a set, each once, in the order in which `allocate` tries them: from the address after `last`
 * to the end of its range; then the following ranges, and after the last range the first; then the start of the range
 * of `last`, up to `last` itself. Without `last`, or if it is in no range: from the start of the first range.
 *
 * Never yield the gateway of a range from that range. Yielding the gateway of another range in the set is allowed;
 * host-local does it.
 *
 * An IPv6 subnet has more addresses than fit into a list: use a generator, `function*`, which computes only the
 * requested addresses.
 *
 * @example
 * 192.168.1.0/29, last 192.168.1.3: .4, .5, .6, .2, .3.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go
 * IPAllocator.GetIter,
 * RangeIter.Next
 */
export function offers(set: RangeSet, last?: IP): Iterable<Offer> {
  return todo(KATA, 'offers', 'Level 2');
}

// Levels 3, 4 and 6 · The store

/** The attachment that has an address. */
export type Owner = Pick<CniRequest, 'containerID' | 'ifname'>;

/** Returns the content of an address's file. `pluginMain` rejects IDs with blanks; host-local trims them. Given. */
export function textOf({ containerID, ifname }: Owner): string {
  return `${containerID.trim()}\r\n${ifname}`;
}

/**
 * The reservations of one network, in one directory. Each address has a file with its name and the text of its owner
 * ({@link textOf}); `last_reserved_ip.0` has the last allocated address of the first set, `last_reserved_ip.1` that of
 * the second; `lock` is the file to lock. New files have the mode 0o600; an existing file may keep its mode.
 *
 * A temporary file can have any name that is not an IP address and does not start with `last_reserved_ip`. The process
 * that created it removes it, even if it fails. A crashed process leaves its temporary file. That file must not block
 * other processes; any later process may delete it, and GC must delete it.
 *
 * A process can crash, and the power can be cut, between any two system calls. `files.writeFile` makes two: the first
 * creates an empty file, or empties an existing one, and the second writes. So an address can have an empty file; the
 * real host-local leaves such files, too. An empty file has no owner: its address is free.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/disk/backend.go Store
 */
export class Store {
  readonly #files: FileSystem;
  readonly #directory: string;

  /** @param directory - of the network, such as `/var/lib/cni/networks/cbr0`; it may not exist yet */
  constructor(files: FileSystem, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /**
   * Runs `act` while no other process holds the lock: waits for the lock, and releases it even if `act` fails. Creates
   * the directory if it is missing. The caller calls all other methods within `act`.
   *
   * @returns the value of `act`
   * @throws the error of `act`
   */
  async withLock<T>(act: () => Promise<T>): Promise<T> {
    return todo(KATA, 'Store.withLock', 'Level 3');
  }

  /** Returns whether an address has an owner. An address with an empty file has none. */
  async isReserved(ip: IP): Promise<boolean> {
    return todo(KATA, 'Store.isReserved', 'Level 3');
  }

  /**
   * Gives an address to an owner if it has none, and records it as the last of its set. You choose which of the two you
   * write first. After a failure, a crash or a power cut, the address is free, or the owner has it and {@link release}
   * finds it.
   *
   * @param set - index of the range set
   * @returns whether the address was free
   * @throws FileError for example if the disk is full; then nothing is reserved, even if only the last address could
   * not be recorded
   */
  async reserve(ip: IP, owner: Owner, set: number): Promise<boolean> {
    return todo(KATA, 'Store.reserve', 'Level 3');
  }

  /**
   * Returns the last allocated address of a set, even if it has been released since.
   *
   * @returns undefined without one, or if its file contains no address: then the order starts again. A crash, a power
   * cut or a full disk may have left the file empty or cut; so may another host-local, which writes it in place
   */
  async lastReserved(set: number): Promise<IP | undefined> {
    return todo(KATA, 'Store.lastReserved', 'Level 3');
  }

  /** Returns the addresses of an owner. */
  async addressesOf(owner: Owner): Promise<readonly IP[]> {
    return todo(KATA, 'Store.addressesOf', 'Level 4');
  }

  /**
   * Releases the addresses of an owner; succeeds if it has none.
   *
   * @param kept - the addresses that the owner keeps. @defaultValue none
   */
  async release(owner: Owner, kept: readonly IP[] = []): Promise<void> {
    todo(KATA, 'Store.release', 'Level 4');
  }

  /**
   * Removes everything that does not belong to one of these owners: addresses of others, empty files of addresses, and
   * temporary files of crashed processes. The addresses of these owners, `lock` and the `last_reserved_ip` files stay
   * (an empty one may stay or go).
   */
  async releaseAllBut(owners: readonly Owner[]): Promise<void> {
    todo(KATA, 'Store.releaseAllBut', 'Level 6');
  }
}

// Level 5 · ADD, DEL and CHECK

/** The input of {@link allocate}. */
export interface Allocation {
  readonly set: RangeSet;
  /** The index of the set. */
  readonly index: number;
  readonly owner: Owner;
  /** ★ The requested address, which is in this set. @defaultValue any address */
  readonly requested?: IP | undefined;
}

/**
 * Reserves the first free address of a set, in the order of {@link offers}. The caller holds the lock (
 * {@link Store.withLock}). If `requested` is set, it only calls `allocateRequested` (Level 7 ★), and does not check the other
 * addresses of the owner.
 *
 * @returns the result of {@link addressIn}
 * @throws Error `10.1.2.2 has been allocated to ID, duplicate allocation is not allowed` if the owner already has an
 * address of this set (if it has several, the error names any; an address of a range that is no longer configured does
 * not count); `no IP addresses available in range set: 10.1.2.1-10.1.2.6` if none is free (`formatRangeSet` of
 * `#harness`)
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go
 * IPAllocator.Get
 */
export async function allocate(store: Store, allocation: Allocation): Promise<CniAddress> {
  return todo(KATA, 'allocate', 'Level 5');
}

/** Returns an address as a result contains it. Given. */
export function addressIn({ subnet, gateway }: Range, ip: IP): CniAddress {
  return { address: formatPrefix({ ip, bits: subnet.bits }), gateway: gateway.text };
}

/**
 * Gives a container one address of each set. If a set has none, releases the addresses reserved from earlier sets, and
 * fails. The container keeps the addresses that it had before this call. `last_reserved_ip` of the earlier sets may or
 * may not have changed, as with host-local.
 *
 * ★ Each address of `configuration.requested` comes from the first set that contains it and has no requested address
 * yet. The other sets give any address by {@link allocate}, which fails if the container has one of that set already.
 * If a requested address remains, the call fails. If a set fails, too, host-local reports that first; either error is
 * right. `requested` has no duplicates. An ADD that crashed may have left its container an address: the next ADD is
 * then a second one, until the DEL.
 *
 * @returns the addresses in the order of the sets, `configuration.cniVersion` (`pluginMain` prints the version of the
 * configuration anyway), `configuration.routes`, and no interfaces: `[]`
 * @throws Error `failed to allocate for range 0: ` with the index of the set and the message of {@link allocate}
 * ({@link failed}); ★ `failed to allocate all requested IPs: 10.9.9.9 10.9.9.8`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdAdd
 */
export async function add(request: CniRequest): Promise<CniResult> {
  return todo(KATA, 'add', 'Level 5');
}

/**
 * Releases the addresses of one interface of a container. Succeeds if it has none. If the configuration is invalid,
 * host-local fails; releasing them is right, too.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdDel
 */
export async function del(request: CniRequest): Promise<void> {
  todo(KATA, 'del', 'Level 5');
}

/**
 * Succeeds if this interface of a container has at least one address, even of a range that is no longer configured, or
 * after an ADD that crashed after the first of two sets. Changes nothing.
 *
 * @throws Error `host-local: Failed to find address added by container ID` if it has none
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdCheck
 */
export async function check(request: CniRequest): Promise<void> {
  todo(KATA, 'check', 'Level 5');
}

/**
 * Reads the configuration, and opens the store of a request. Given.
 *
 * @throws Error if the configuration is invalid: it checks the sets with your functions of Level 1
 */
export function open(request: CniRequest): {
  readonly configuration: IpamConfiguration;
  readonly sets: readonly RangeSet[];
  readonly store: Store;
} {
  const configuration = readIpamConfiguration(request);
  const sets = readRangeSets(configuration, { canonicalRange, rangesOverlap });
  return { configuration, sets, store: new Store(request.process.files, configuration.directory) };
}

/** Returns a handler that adds its context to an error: `await act().catch(failed('failed to act'))`. Given. */
export function failed(what: string): (error: Error) => never {
  return ({ message }) => {
    throw new Error(`${what}: ${message}`);
  };
}

// Level 6 · GC

/**
 * Removes everything that does not belong to a valid attachment, as the specification says; host-local does nothing.
 * The valid attachments are `request.config['cni.dev/valid-attachments']`, each with its `containerID` and `ifname`.
 * The configured ranges do not matter; if they are invalid, it may fail or collect anyway. The result is open if the
 * list is not an array, or if its items lack a field.
 *
 * @throws CniError with the code `cniCodes.invalidNetworkConfig` and a message of your choice if the list is missing;
 * then it removes nothing
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md, GC
 */
export async function gc(request: CniRequest): Promise<void> {
  todo(KATA, 'gc', 'Level 6');
}

// Level 7 ★ · An address that is asked for

/**
 * Reserves the requested address. The caller holds the lock ({@link Store.withLock}). Other addresses of the owner do
 * not matter, so it may then have two of one set. An address that the owner itself already has is not available either.
 *
 * @throws Error `10.1.3.9 not in range set 10.1.2.1-10.1.2.6`; if it is the gateway of its own range, `requested ip
 * 10.1.2.1 is subnet's gateway`; `requested IP address 10.1.2.5 is not available in range set 10.1.2.1-10.1.2.6`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go
 * IPAllocator.Get
 */
export async function allocateRequested(
  store: Store,
  allocation: Allocation & { readonly requested: IP },
): Promise<CniAddress> {
  return todo(KATA, 'allocateRequested', 'Level 7');
}

// Level 8 ★ · STATUS

/**
 * Reports whether an `ADD` can succeed now; host-local has no STATUS. It may create the directory and `lock`, leaves no
 * temporary file, and changes no file. An address with an empty file is free. It need not notice a full disk, because
 * it would have to write.
 *
 * @throws CniError with the code `cniCodes.pluginNotAvailable` and one of these messages: `no IP addresses available in
 * range set: 10.1.2.1-10.1.2.6` if a set has no free address (any of several full sets); the kernel's message if the
 * directory is not usable; the error of an invalid configuration
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md, STATUS
 */
export async function status(request: CniRequest): Promise<void> {
  todo(KATA, 'status', 'Level 8');
}

/** The plugin that a cluster runs. Given. */
export const hostLocal = pluginMain({ add, del, check, gc, status });
