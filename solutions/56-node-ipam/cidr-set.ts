import { bitsOf, contains, firstOf, formatPrefix, type IPPrefix, parsePrefix, plus } from '#harness';

/**
 * A range of addresses, cut into blocks of one size, and the holders of each block. A block is free when it has no holder.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodeipam/ipam/cidrset/cidr_set.go CidrSet
 *
 * Differs: it knows which nodes hold a block. Upstream has one bit for each, and so frees a block that two nodes have when one of
 * them goes.
 */
export class CidrSet {
  readonly #range: IPPrefix;
  readonly #blockBits: number;
  /** By the block's number. None of the sets is empty. */
  readonly #holders = new Map<number, Set<string>>();
  /** What each holder holds: the inverse of {@link #holders}. */
  readonly #held = new Map<string, readonly number[]>();
  #next = 0;

  /**
   * @param range `10.244.0.0/16`
   * @param blockBits how many bits the blocks' networks have: 24
   */
  constructor(range: string, blockBits: number) {
    this.#range = parsePrefix(range);
    this.#blockBits = blockBits;
  }

  /** How many blocks there are. */
  get size(): number {
    return 2 ** (this.#blockBits - this.#range.bits);
  }

  /** The nodes that hold a block, or several. */
  holders(): readonly string[] {
    return [...this.#held.keys()];
  }

  /**
   * Lets the holder have the next block that is free after the last one given, and from the beginning after the end. So a
   * block that was given back comes last: packets on their way to its last owner do not meet the next.
   *
   * @returns the block, `10.244.3.0/24`; the one that it has, if it has one; undefined when none is free
   */
  allocate(holder: string): string | undefined {
    const [mine] = this.#held.get(holder) ?? [];
    if (mine !== undefined) return this.#block(mine);
    for (let tried = 0; tried < this.size; tried++) {
      const index = (this.#next + tried) % this.size;
      if (this.#holders.has(index)) continue;
      this.#next = (index + 1) % this.size;
      this.#hold(holder, [index]);
      return this.#block(index);
    }
    return undefined;
  }

  /**
   * Lets the holder have what it has already, instead of anything else: every block that the network touches.
   *
   * @throws Error when that is none
   */
  occupy(holder: string, cidr: string): void {
    const network = parsePrefix(cidr);
    const [first, last] = [firstOf(network), firstOf(this.#range)];
    if (!contains(this.#range, network.ip) && !contains(network, last)) {
      throw new Error(`cidr ${cidr} is out the range of cluster cidr ${formatPrefix(this.#range)}`);
    }
    const isWider = network.bits <= this.#range.bits;
    const from = isWider ? 0 : Number((first.value - last.value) >> this.#hostBits);
    const count = isWider ? this.size : 2 ** Math.max(0, this.#blockBits - network.bits);
    this.#hold(
      holder,
      Array.from({ length: count }, (_, i) => from + i),
    );
  }

  /** Takes back what the holder has. */
  release(holder: string): void {
    for (const index of this.#held.get(holder) ?? []) {
      const holders = this.#holders.get(index);
      holders?.delete(holder);
      if (holders?.size === 0) this.#holders.delete(index);
    }
    this.#held.delete(holder);
  }

  #hold(holder: string, indices: readonly number[]): void {
    this.release(holder);
    this.#held.set(holder, indices);
    for (const index of indices) {
      this.#holders.set(index, (this.#holders.get(index) ?? new Set()).add(holder));
    }
  }

  #block(index: number): string {
    const ip = plus(firstOf(this.#range), BigInt(index) << this.#hostBits);
    return formatPrefix({ ip, bits: this.#blockBits });
  }

  get #hostBits(): bigint {
    return BigInt(bitsOf(this.#range.ip) - this.#blockBits);
  }
}
