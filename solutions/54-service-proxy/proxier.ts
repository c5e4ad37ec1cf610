import { type Clock, type NetworkTools, type Shell, shell } from '#harness';
import { jumps } from './base-rules.ts';
import { FULL_SYNC_PERIOD_MS, LARGE_CLUSTER_ENDPOINTS } from './configuration.ts';
import { forgetStaleFlows } from './conntrack.ts';
import { IPTables } from './iptables.ts';
import { type Circumstances, type Entry, RuleBook, type Sources } from './rule-book.ts';

/** What a proxier is made with. */
export interface ProxierOptions extends Sources {
  /** The services that there are: `default/web`. */
  readonly keys: () => Iterable<string>;
  readonly tools: NetworkTools;
  readonly clock: Clock;
  /** On what rules depend besides services; asked at each sync. */
  readonly circumstances: () => Omit<Circumstances, 'hasComments'>;
  /** Told of all service ports when their rules have been applied. */
  readonly onApplied: (entries: readonly Entry[]) => void;
  readonly log: (message: string) => void;
}

/**
 * Makes the rules of a node what services and endpoints say. What has changed it keeps in mind until that is applied.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/iptables/proxier.go Proxier
 */
export class Proxier {
  readonly #options: ProxierOptions;
  readonly #$: Shell;
  readonly #iptables: IPTables;
  readonly #book: RuleBook;
  /** Services that are to be looked at. */
  readonly #pending = new Set<string>();
  /** Whether all is to be written: at first, and when it is not known what has been. */
  #needsAll = true;
  /** Whether it is so long since all was written that in a cluster which is not large it is to be written again. */
  #isOld = false;
  #needsFlowsForgotten = true;
  /** Whether old chains were looked for just now. */
  #isClean = false;
  /** Whether old chains could not be looked for. */
  #mayBeUntidy = false;
  #isLarge = false;

  constructor(options: ProxierOptions) {
    this.#options = options;
    this.#$ = shell(options.tools);
    this.#iptables = new IPTables(options.tools);
    this.#book = new RuleBook(options);
  }

  /** Something about a service, or its endpoints, has changed. */
  changed(key: string): void {
    this.#pending.add(key);
  }

  /** Something has changed on which the rules of all services depend. */
  allChanged(): void {
    this.#needsAll = true;
  }

  /** Whether there is anything to do. */
  get isDue(): boolean {
    return this.#isFull || this.#needsFlowsForgotten || this.#mayBeUntidy || this.#pending.size > 0;
  }

  /** Notices if something has thrown all rules away. @throws ToolError */
  async watchCanary(): Promise<void> {
    if (!(await this.#iptables.hasCanary())) this.#needsAll = true;
  }

  /** Applies what has changed. @throws ToolError when that fails. Then it is not known what was applied, and the next time all of it is */
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
    // It stays to be done until it is done: what is forgotten too late has gone to the wrong endpoint for so long.
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
   * Chains of services that are used no more. To list them takes long in a large cluster, and they harm nothing: there, that can wait.
   *
   * Differs: where they cannot be listed, that is tried again. Upstream leaves them until it writes rules again, for up to an hour.
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
