import { type NetworkTools, type Shell, shell, ToolError } from '#harness';
import { CANARY, type Jump, type Table } from './base-rules.ts';
import { isServiceChain } from './chain-names.ts';

const TABLES: readonly Table[] = ['nat', 'filter'];

/** What iptables exits with when what it was asked for is not there, or is there already. */
const NOT_SO = 1;

/** What a service proxy asks of iptables. Each call can be repeated, and rejects with what iptables says. */
export class IPTables {
  readonly #tools: NetworkTools;
  readonly #$: Shell;

  constructor(tools: NetworkTools) {
    this.#tools = tools;
    this.#$ = shell(tools);
  }

  /** Makes sure that a chain is there. One that is keeps its rules. */
  async ensureChain(table: Table, chain: string): Promise<void> {
    await this.#holds(this.#$`iptables -w -t ${table} -N ${chain}`);
  }

  /** Makes sure that one of the kernel's chains asks one of ours, before anything else that is there now. */
  async ensureJump({ table, from, to, comment, onlyNew }: Jump): Promise<void> {
    await this.ensureChain(table, to);
    const isNew = onlyNew ? ['-m', 'conntrack', '--ctstate', 'NEW'] : [];
    const why = comment === '' ? [] : ['-m', 'comment', '--comment', comment];
    const rule = [...isNew, ...why, '-j', to];
    if (await this.#holds(this.#$`iptables -w -t ${table} -C ${from} ${rule}`)) return;
    await this.#$`iptables -w -t ${table} -I ${from} ${rule}`;
  }

  /** Hangs up the canary in each table. */
  async ensureCanary(): Promise<void> {
    for (const table of TABLES) await this.ensureChain(table, CANARY);
  }

  /** Whether it is still there. If not, something has thrown away all rules. */
  async hasCanary(): Promise<boolean> {
    for (const table of TABLES) {
      if (!(await this.#holds(this.#$`iptables -w -t ${table} -S ${CANARY} 1`))) return false;
    }
    return true;
  }

  /** The chains of services that there are, used or not. */
  async serviceChains(): Promise<readonly string[]> {
    const saved = await this.#$`iptables-save -t nat`;
    return [...saved.matchAll(/^:(\S+) /gm)].map(([, name = '']) => name).filter(isServiceChain);
  }

  /** Writes the chains that the text names, each as a whole, and leaves all others as they are. */
  async restore(text: string): Promise<void> {
    await this.#tools.run(['iptables-restore', '-w', '5', '--noflush', '--counters'], text);
  }

  /** @returns whether a command did what it was asked for; false if it found otherwise */
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
