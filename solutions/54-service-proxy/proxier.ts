import { type Clock, type NetworkTools, type Shell, shell } from '#harness';
import { jumps } from './base-rules.ts';
import { FULL_SYNC_PERIOD_MS, LARGE_CLUSTER_ENDPOINTS } from './configuration.ts';
import { forgetStaleFlows } from './conntrack.ts';
import { IPTables } from './iptables.ts';
import { type Circumstances, type Entry, RuleBook, type Sources } from './rule-book.ts';

/** Options of a proxier. */
export interface ProxierOptions extends Sources {
  /** The keys of the existing services: `default/web`. */
  readonly keys: () => Iterable<string>;
  readonly tools: NetworkTools;
  readonly clock: Clock;
  /** The inputs of the rules besides services, read at each sync. */
  readonly circumstances: () => Omit<Circumstances, 'hasComments'>;
  /** Called with all service ports after their rules have been applied. */
  readonly onApplied: (entries: readonly Entry[]) => void;
  readonly log: (message: string) => void;
}

/**
 * Writes the rules of a node to match services and endpoints. It keeps each change until it has been applied.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go Proxier
 */
export class Proxier {
  readonly #options: ProxierOptions;
  readonly #$: Shell;
  readonly #iptables: IPTables;
  readonly #book: RuleBook;
  /** Services with unapplied changes. */
  readonly #pending = new Set<string>();
  /** Whether all rules must be written: at the start, and when the state of the kernel is unknown. */
  #needsAll = true;
  /** Whether the last full write is so old that a cluster which is not large repeats it. */
  #isOld = false;
  #needsFlowsForgotten = true;
  /** Whether stale chains were removed recently. */
  #isClean = false;
  /** Whether the last attempt to list stale chains failed. */
  #mayBeUntidy = false;
  #isLarge = false;

  constructor(options: ProxierOptions) {
    this.#options = options;
    this.#$ = shell(options.tools);
    this.#iptables = new IPTables(options.tools);
    this.#book = new RuleBook(options);
  }

  /** Records a change of a service or of its endpoints. */
  changed(key: string): void {
    this.#pending.add(key);
  }

  /** Records a change that affects the rules of all services. */
  allChanged(): void {
    this.#needsAll = true;
  }

  /** Whether a sync is due. */
  get isDue(): boolean {
    return this.#isFull || this.#needsFlowsForgotten || this.#mayBeUntidy || this.#pending.size > 0;
  }

  /** Detects that some program has flushed all rules. @throws ToolError */
  async watchCanary(): Promise<void> {
    if (!(await this.#iptables.hasCanary())) this.#needsAll = true;
  }

  /**
   * Applies all changes. @throws ToolError when that fails. Then the state of the kernel is unknown, and the next sync
   * writes all rules
   */
  async sync(): Promise<void> {
    const { clock, tools, onApplied } = this.#options;
    const isFull = this.#isFull;
    this.#workOut(isFull);
    this.#needsAll = false;
    try {
      if (isFull || this.#mayBeUntidy || this.#book.hasChanged) await this.#apply(isFull);
    } catch (error) {
      this.#needsAll = true;
      throw error;
    }
    if (isFull) {
      this.#isOld = false;
      clock.after(FULL_SYNC_PERIOD_MS, () => {
        this.#isOld = true;
      });
    }
    onApplied(this.#book.entries);
    if (!this.#needsFlowsForgotten) return;
    // The flag stays set until this succeeds: meanwhile, stale flows go to the wrong endpoint.
    await forgetStaleFlows(tools, this.#book.entries);
    this.#needsFlowsForgotten = false;
  }

  get #isFull(): boolean {
    return this.#needsAll || (this.#isOld && !this.#isLarge);
  }

  #workOut(isFull: boolean): void {
    const { circumstances, keys } = this.#options;
    const there = isFull ? new Set(keys()) : new Set(this.#pending);
    this.#pending.clear();
    if (isFull) this.#book.keepOnly(there);
    const wasLarge = this.#isLarge;
    const look = { ...circumstances(), hasComments: !wasLarge };
    for (const key of there) this.#book.update(key, look);
    const endpoints = this.#book.entries.reduce((sum, { all }) => sum + all.length, 0);
    this.#isLarge = endpoints > LARGE_CLUSTER_ENDPOINTS;
    if (this.#isLarge !== wasLarge) {
      for (const key of there) this.#book.update(key, { ...look, hasComments: wasLarge });
    }
    if (isFull || this.#book.hasFlowsChanged) this.#needsFlowsForgotten = true;
  }

  async #apply(isFull: boolean): Promise<void> {
    const { configuration } = this.#options.circumstances();
    if (isFull) {
      if (configuration.localhostNodePorts) await this.#$`sysctl -w net.ipv4.conf.all.route_localnet=1`;
      for (const jump of jumps) await this.#iptables.ensureJump(jump);
      await this.#iptables.ensureCanary();
    }
    const stale = await this.#staleChains(configuration.syncPeriodMs);
    await this.#iptables.restore(this.#book.write(configuration, { isFull, stale }));
    this.#book.settle();
  }

  /**
   * Returns the chains of services that are no longer used. They are harmless, and listing them takes long, so a large
   * cluster lists them less often.
   *
   * Differs: a failed listing is retried. Upstream leaves stale chains until it writes rules again, for up to an hour.
   */
  async #staleChains(periodMs: number): Promise<readonly string[]> {
    const { clock, log } = this.#options;
    if (this.#isLarge && this.#isClean) return [];
    try {
      const there = await this.#iptables.serviceChains();
      const used = this.#book.chains;
      this.#isClean = true;
      this.#mayBeUntidy = false;
      clock.after(periodMs, () => {
        this.#isClean = false;
      });
      return there.filter((chain) => !used.has(chain));
    } catch (error) {
      this.#mayBeUntidy = true;
      log(`old chains stay for now: ${error}`);
      return [];
    }
  }
}
