import { bitsOf, contains, firstOf, formatPrefix, type IPPrefix, parsePrefix, plus } from '#harness';

/**
 * An address range, divided into blocks of one size, with the holders of each block. A block without a holder is free.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodeipam/ipam/cidrset/cidr_set.go CidrSet
 *
 * Differs: it records which nodes hold a block. Upstream has one bit for each block, so if two nodes hold a block, it
 * becomes free when one of them is deleted.
 */
export class CidrSet {
  readonly #range: IPPrefix;
  readonly #blockBits: number;
  /** By the block's number. None of the sets is empty. */
  readonly #holders = new Map<number, Set<string>>();
  /** The blocks of each holder: the inverse of {@link #holders}. */
  readonly #held = new Map<string, readonly number[]>();
  #next = 0;

  /**
   * @param range - the address range: `10.244.0.0/16`
   * @param blockBits - the prefix length of a block: 24
   */
  constructor(range: string, blockBits: number) {
    this.#range = parsePrefix(range);
    this.#blockBits = blockBits;
  }

  /** The number of blocks. */
  get size(): number {
    return 2 ** (this.#blockBits - this.#range.bits);
  }

  /** Returns the nodes that hold at least one block. */
  holders(): readonly string[] {
    return [...this.#held.keys()];
  }

  /**
   * Allocates a block in round-robin order: the first free one after the last allocated one. A released block is
   * therefore allocated last, so that packets to its previous holder do not reach the next one.
   *
   * @returns the block, `10.244.3.0/24`; the holder's existing block, if it has one; undefined if none is free
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
   * Replaces the blocks of the holder by those that overlap with a network, whether or not they are free.
   *
   * @throws Error when the network is outside the range
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

  /** Releases the blocks of the holder. */
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
