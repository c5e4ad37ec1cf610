import {
  type CniAddress,
  type CniRequest,
  type CniResult,
  type FileSystem,
  formatPrefix,
  type IP,
  type IpamConfiguration,
  pluginMain,
  type Range,
  type RangeConfiguration,
  type RangeSet,
  readIpamConfiguration,
  readRangeSets,
  todo,
} from '#harness';

const KATA = '51-ipam';

// Level 1 · A range

/**
 * Fills in what a range lacks, and refuses one that cannot be. The gateway is the first address after the network's own, if none is
 * given. The range begins with that first address, whichever is the gateway, and ends with the last address that a container may have.
 * In IPv4 that is the one before the broadcast address; IPv6 has no broadcast address.
 *
 * @example
 * `{ subnet: 10.1.2.0/24 }` has the gateway 10.1.2.1, begins with 10.1.2.1 and ends with 10.1.2.254.
 *
 * @returns the range with all four parts
 * @throws Error in these words, the first that fits, in this order; `S` is the subnet as it is written, `X` the address:
 * - `Network S too small to allocate from`: a prefix that leaves fewer than two bits (/31, /32; in IPv6 /127, /128)
 * - `Network has host bits set. For a subnet mask of length 24 the network address is X`: 10.1.2.3/24 is no network
 * - `RangeStart X not in network S`: outside the subnet, or of the other family; or after `rangeEnd`, if both were given
 * - `RangeEnd X not in network S`: outside the subnet, or before the start, also where one of the two was filled in: a range that starts
 *   with the broadcast address and has no end of its own. (host-local checks only ends that were given.)
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Canonicalize
 */
export function canonicalRange(range: RangeConfiguration): Range {
  return todo(KATA, 'canonicalRange', 'Level 1');
}

/**
 * Whether an address is in a range: not before its start, not after its end. The gateway is, if it lies between them.
 *
 * @param ip of either family
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Contains
 */
export function rangeContains(range: Range, ip: IP): boolean {
  return todo(KATA, 'rangeContains', 'Level 1');
}

/**
 * Whether any address is in both. Ranges of two families have none in common.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/range.go Range.Overlaps
 */
export function rangesOverlap(one: Range, other: Range): boolean {
  return todo(KATA, 'rangesOverlap', 'Level 1');
}

// Level 2 · The next address

/** An address, and the range that it is of. */
export interface Offer {
  readonly ip: IP;
  readonly range: Range;
}

/**
 * All addresses of a set, each once, in the order in which they are tried: the one after `last`, and on to the end of its range; then the
 * ranges that follow, and after the last range the first; in the end what comes before `last` in its range, and `last` itself. Never the
 * gateway of the range that the address is of; host-local gives away what is the gateway of another range of the set, and you
 * may or may not. Without `last`, or with one that is in no range: from the start of the first range.
 *
 * A subnet of IPv6 has more addresses than fit into a list: make it a generator, `function*`, which goes on only as long as it is asked.
 *
 * @example
 * 192.168.1.0/29, last 192.168.1.3: .4, .5, .6, .2, .3.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go IPAllocator.GetIter,
 * RangeIter.Next
 */
export function offers(set: RangeSet, last?: IP): Iterable<Offer> {
  return todo(KATA, 'offers', 'Level 2');
}

// Levels 3, 4 and 6 · The store

/** The attachment that an address belongs to. */
export type Owner = Pick<CniRequest, 'containerID' | 'ifname'>;

/** What stands in the file of an address. `pluginMain` lets no ID with blanks through; host-local trims it. Written already. */
export function textOf({ containerID, ifname }: Owner): string {
  return `${containerID.trim()}\r\n${ifname}`;
}

/**
 * The reservations of one network, in one directory. There is a file for each address, which is called like it and says whose it is
 * ({@link textOf}); `last_reserved_ip.0` says which address of the first set was given away last, `last_reserved_ip.1` of the
 * second; and `lock` is there to be locked. New files have the mode 0o600; one that is there already may keep its own.
 *
 * A file that you need for a while may have any other name that is no address and does not begin with `last_reserved_ip`. The process
 * that made it removes it, also when it fails.
 * One that died has left it there: it must not stop another process, the next one may remove it, and GC does.
 *
 * A process may die, or the power be cut, between any two calls of the kernel. `files.writeFile` is two of them: one that makes an
 * empty file, or empties it, and one that writes. So an address may have an empty file, and the real host-local leaves such files,
 * too. An empty file has no owner: its address is free.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/disk/backend.go Store
 */
export class Store {
  readonly #files: FileSystem;
  readonly #directory: string;

  /** @param directory of the network, which need not be there yet: `/var/lib/cni/networks/cbr0` */
  constructor(files: FileSystem, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /**
   * Does something while no other process does: it waits for the lock, and gives it up whatever comes of `act`. It makes the directory
   * if that is not there. All other methods are called within it.
   *
   * @returns what `act` resolves with
   * @throws what `act` rejects with
   */
  async withLock<T>(act: () => Promise<T>): Promise<T> {
    return todo(KATA, 'Store.withLock', 'Level 3');
  }

  /** Whether an address has an owner. With an empty file it has none. */
  async isReserved(ip: IP): Promise<boolean> {
    return todo(KATA, 'Store.isReserved', 'Level 3');
  }

  /**
   * Gives an address to an owner, if it has none, and notes that it was the last of its set; which of the two comes first is left to you.
   * When that fails, or the process dies, or the power is cut, then afterwards the address is free, or it is the owner's:
   * {@link release} finds it.
   *
   * @param set index of the range set
   * @returns whether it was free
   * @throws FileError when the disk is full, say; then nothing is reserved, also where only the last could not be noted
   */
  async reserve(ip: IP, owner: Owner, set: number): Promise<boolean> {
    return todo(KATA, 'Store.reserve', 'Level 3');
  }

  /**
   * The address of this set that was given away last, whether it was released since or not.
   *
   * @returns undefined when none was, or when its file says no address: then the round begins anew. A process that died, a power cut or a
   * full disk may have left it empty or cut; another host-local's process, too, which writes it in its place
   */
  async lastReserved(set: number): Promise<IP | undefined> {
    return todo(KATA, 'Store.lastReserved', 'Level 3');
  }

  /** The addresses that belong to an owner. */
  async addressesOf(owner: Owner): Promise<readonly IP[]> {
    return todo(KATA, 'Store.addressesOf', 'Level 4');
  }

  /**
   * Takes the addresses back that belong to an owner; if there are none, that is well.
   *
   * @param kept those that it keeps. @defaultValue none
   */
  async release(owner: Owner, kept: readonly IP[] = []): Promise<void> {
    todo(KATA, 'Store.release', 'Level 4');
  }

  /**
   * Takes back what does not belong to one of these owners: addresses of others, addresses whose file is empty, and files
   * that a process left that died. What remains are addresses with their owners, `lock`, and the files that say what was last
   * (an empty one of these may stay or go).
   */
  async releaseAllBut(owners: readonly Owner[]): Promise<void> {
    todo(KATA, 'Store.releaseAllBut', 'Level 6');
  }
}

// Level 5 · ADD, DEL and CHECK

/** What {@link allocate} needs to know. */
export interface Allocation {
  readonly set: RangeSet;
  /** Which of the sets it is. */
  readonly index: number;
  readonly owner: Owner;
  /** The address that is asked for, ★: one of this set. @defaultValue any */
  readonly requested?: IP | undefined;
}

/**
 * Reserves one address of a set: the first that is free, in the order of {@link offers}. It is called within
 * {@link Store.withLock}. If `requested` is given, all of this is left to `allocateRequested` (Level 7 ★): what the owner has is not
 * asked then.
 *
 * @returns what {@link addressIn} makes of it
 * @throws Error `10.1.2.2 has been allocated to ID, duplicate allocation is not allowed`, if the owner has an address of this set
 * already (of several it names any; one of a range that the set had before, and has no more, does not count);
 * `no IP addresses available in range set: 10.1.2.1-10.1.2.6`, if none is free (`formatRangeSet`, of `#harness`)
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go IPAllocator.Get
 */
export async function allocate(store: Store, allocation: Allocation): Promise<CniAddress> {
  return todo(KATA, 'allocate', 'Level 5');
}

/** An address as a result has it. Written already. */
export function addressIn({ subnet, gateway }: Range, ip: IP): CniAddress {
  return { address: formatPrefix({ ip, bits: subnet.bits }), gateway: gateway.text };
}

/**
 * Gives a container an address of each set. It gets all of them or none: if a set has none, what was reserved from the sets before is
 * released. What the container had before this call, it keeps. `last_reserved_ip` of the sets before may have moved on, as with
 * host-local, or not.
 *
 * ★ Each address of `configuration.requested` goes to the first set that it is in and that has not got one yet; the others get
 * any address, as {@link allocate} gives it: where the container has one of that set already, that is an error. If some are left over,
 * the call fails. If a set fails as well, host-local tells that first; any of the two errors is right. An address that is asked for twice
 * is in `requested` once. An ADD that died may have left its container an address: then the next ADD is a second one, until the DEL.
 *
 * @returns the addresses in the order of the sets, `configuration.cniVersion` (`pluginMain` prints that of the
 * configuration, whichever it is) and `configuration.routes`, and no interfaces: `[]`
 * @throws Error `failed to allocate for range 0: ` and what {@link allocate} says, with the index of the set ({@link failed});
 * ★ `failed to allocate all requested IPs: 10.9.9.9 10.9.9.8`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdAdd
 */
export async function add(request: CniRequest): Promise<CniResult> {
  return todo(KATA, 'add', 'Level 5');
}

/**
 * Takes back what a container has: this interface of it. Succeeds if it has nothing. With a configuration that is wrong host-local fails;
 * to take back all the same is right, too.
 *
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdDel
 */
export async function del(request: CniRequest): Promise<void> {
  todo(KATA, 'del', 'Level 5');
}

/**
 * Says whether a container has an address, this interface of it, and whichever address: one is enough, also of a range that is no longer
 * configured, and where an ADD died after the first of two sets. It changes nothing.
 *
 * @throws Error `host-local: Failed to find address added by container ID` if it has none
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/main.go cmdCheck
 */
export async function check(request: CniRequest): Promise<void> {
  todo(KATA, 'check', 'Level 5');
}

/**
 * What a command works with. Written already.
 *
 * @throws Error when the configuration is wrong: the sets are checked with your functions of Level 1
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

/** Says of an error what it kept from happening: `await act().catch(failed('failed to act'))`. Written already. */
export function failed(what: string): (error: Error) => never {
  return ({ message }) => {
    throw new Error(`${what}: ${message}`);
  };
}

// Level 6 · GC

/**
 * Takes back whatever does not belong to a valid attachment, as the specification has it; host-local does nothing. The valid ones are
 * `request.config['cni.dev/valid-attachments']`, each with its `containerID` and `ifname`.
 * Which ranges are configured is nothing to it; where they are wrong it may fail, or collect all the same. Of what
 * is there and is no list, or of a list whose items lack something, it may say what you like.
 *
 * @throws CniError with the code `cniCodes.invalidNetworkConfig` and words of your own, if there is no such list: then nothing is
 * taken back
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md, GC
 */
export async function gc(request: CniRequest): Promise<void> {
  todo(KATA, 'gc', 'Level 6');
}

// Level 7 ★ · An address that is asked for

/**
 * Reserves the address that is asked for. It is called within {@link Store.withLock}. Whether the owner has another one is not asked: it
 * may have two of one set then. The one that it has is not available to itself, either.
 *
 * @throws Error `10.1.3.9 not in range set 10.1.2.1-10.1.2.6`; if it is the gateway of its own range, `requested ip 10.1.2.1 is subnet's
 * gateway`; `requested IP address 10.1.2.5 is not available in range set 10.1.2.1-10.1.2.6`
 * @see Upstream: containernetworking/plugins@v1.9.1 plugins/ipam/host-local/backend/allocator/allocator.go IPAllocator.Get
 */
export async function allocateRequested(
  store: Store,
  allocation: Allocation & { readonly requested: IP },
): Promise<CniAddress> {
  return todo(KATA, 'allocateRequested', 'Level 7');
}

// Level 8 ★ · STATUS

/**
 * Says whether an `ADD` could be served now; host-local does not say it. It may make the directory and `lock`, leaves no file of its own,
 * and changes none. An address whose file is empty is free. A full disk it need not notice: for that it would have to write.
 *
 * @throws CniError with the code `cniCodes.pluginNotAvailable`: `no IP addresses available in range set: 10.1.2.1-10.1.2.6` if a set
 * has no free address (of several full sets any); what the kernel said, if the directory cannot be used; what is wrong with the
 * configuration
 * @see Upstream: containernetworking/cni@v1.3.0 SPEC.md, STATUS
 */
export async function status(request: CniRequest): Promise<void> {
  todo(KATA, 'status', 'Level 8');
}

/** The plugin: what a cluster knows of this kata. Written already. */
export const hostLocal = pluginMain({ add, del, check, gc, status });
