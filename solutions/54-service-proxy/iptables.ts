import { type NetworkTools, type Shell, shell, ToolError } from '#harness';
import { CANARY, type Jump, type Table } from './base-rules.ts';
import { isServiceChain } from './chain-names.ts';

const TABLES: readonly Table[] = ['nat', 'filter'];

/** The exit code of iptables when a chain or rule does not exist, or exists already. */
const NOT_SO = 1;

/** The iptables commands of a service proxy. Each call can be repeated, and rejects with the error of iptables. */
export class IPTables {
  readonly #tools: NetworkTools;
  readonly #$: Shell;

  constructor(tools: NetworkTools) {
    this.#tools = tools;
    this.#$ = shell(tools);
  }

  /** Creates a chain if it does not exist. An existing chain keeps its rules. */
  async ensureChain(table: Table, chain: string): Promise<void> {
    await this.#holds(this.#$`iptables -w -t ${table} -N ${chain}`);
  }

  /** Inserts a jump from one of the kernel's chains to one of ours at the top, if it does not exist. */
  async ensureJump({ table, from, to, comment, onlyNew }: Jump): Promise<void> {
    await this.ensureChain(table, to);
    const isNew = onlyNew ? ['-m', 'conntrack', '--ctstate', 'NEW'] : [];
    const why = comment === '' ? [] : ['-m', 'comment', '--comment', comment];
    const rule = [...isNew, ...why, '-j', to];
    if (await this.#holds(this.#$`iptables -w -t ${table} -C ${from} ${rule}`)) return;
    await this.#$`iptables -w -t ${table} -I ${from} ${rule}`;
  }

  /** Creates the canary chain in each table. */
  async ensureCanary(): Promise<void> {
    for (const table of TABLES) await this.ensureChain(table, CANARY);
  }

  /** Reports whether the canary still exists. If not, some program has flushed all rules. */
  async hasCanary(): Promise<boolean> {
    for (const table of TABLES) {
      if (!(await this.#holds(this.#$`iptables -w -t ${table} -S ${CANARY} 1`))) return false;
    }
    return true;
  }

  /** Returns the existing chains of services, used or not. */
  async serviceChains(): Promise<readonly string[]> {
    const saved = await this.#$`iptables-save -t nat`;
    return [...saved.matchAll(/^:(\S+) /gm)].map(([, name = '']) => name).filter(isServiceChain);
  }

  /** Replaces the chains that the text names, and leaves all others unchanged. */
  async restore(text: string): Promise<void> {
    await this.#tools.run(['iptables-restore', '-w', '5', '--noflush', '--counters'], text);
  }

  /** @returns true on success; false if the chain or rule does not exist, or exists already */
  async #holds(command: Promise<string>): Promise<boolean> {
    try {
      await command;
      return true;
    } catch (error) {
      if (error instanceof ToolError && error.exitCode === NOT_SO) return false;
      throw error;
    }
  }
}
