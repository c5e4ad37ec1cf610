import type { Packet } from '../stack/packet.ts';
import type { Hook, Rule, RuleContext, Target } from './rule.ts';

/** The tables: `nat` decides the destination of a connection, `filter` whether a packet passes. */
export type TableName = 'nat' | 'filter';

/**
 * A list of rules. The kernel evaluates the built-in chains, which are named like hooks; their rules jump to other
 * chains.
 */
export interface Chain {
  /** The fate of a packet that no rule decides on. Only built-in chains have a policy. */
  policy: 'ACCEPT' | 'DROP' | undefined;
  rules: Rule[];
}

const newChain = (policy: Chain['policy']): Chain => ({ policy, rules: [] });

/** A table's decision about a packet. */
export interface Decision {
  readonly kind: 'accept' | 'drop' | Exclude<Target['kind'], 'verdict' | 'jump' | 'mark'>;
  /** The packet with the mark that rules have set. */
  readonly packet: Packet;
  /** The rule that decided, its chain, and the chains that led there. Without a rule, the policy decided. */
  readonly by: { readonly chain: string; readonly rule?: Rule; readonly through?: readonly string[] };
}

const builtIn: Readonly<Record<TableName, readonly Hook[]>> = {
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
};

/** One table of a namespace. */
export class Table {
  readonly name: TableName;
  readonly #chains: Map<string, Chain>;
  /** The chains that no other table shares. */
  readonly #own = new Set<Chain>();
  #revision = 0;
  /**
   * The chains that rules jump to, computed at most once per {@link change}: a command that deletes many chains checks
   * each.
   */
  #jumpedTo: ReadonlySet<string> | undefined;

  /** @param chains its chains, which another table shares. @defaultValue the built-in chains, without rules */
  constructor(name: TableName, chains?: ReadonlyMap<string, Chain>) {
    this.name = name;
    this.#chains = new Map(chains ?? builtIn[name].map((hook) => [hook, newChain('ACCEPT')]));
  }

  /** The chains, oldest first. */
  get chains(): ReadonlyMap<string, Readonly<Chain>> {
    return this.#chains;
  }

  /** Returns an independent table with the same rules. Both tables share each chain until one of them changes it. */
  copy(): Table {
    this.#own.clear();
    const copy = new Table(this.name, this.#chains);
    copy.#revision = this.#revision;
    return copy;
  }

  /** Returns a chain for a change; undefined if it does not exist. */
  change(name: string): Chain | undefined {
    this.#jumpedTo = undefined;
    this.#revision++;
    const chain = this.#chains.get(name);
    if (!chain || this.#own.has(chain)) return chain;
    return this.#set(name, { ...chain, rules: [...chain.rules] });
  }

  /** Creates a chain without rules. */
  add(name: string): void {
    this.#revision++;
    this.#set(name, newChain(undefined));
  }

  /** Deletes a chain without rules, to which no rule jumps. */
  delete(name: string): void {
    this.#revision++;
    this.#chains.delete(name);
  }

  #set(name: string, chain: Chain): Chain {
    this.#chains.set(name, chain);
    this.#own.add(chain);
    return chain;
  }

  /** A number that changes with each change of the rules. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether a rule of any chain jumps to this one. */
  isJumpedTo(chain: string): boolean {
    this.#jumpedTo ??= new Set(
      [...this.chains.values()].flatMap(({ rules }) =>
        rules.flatMap(({ target }) => (target?.kind === 'jump' ? [target.chain] : [])),
      ),
    );
    return this.#jumpedTo.has(chain);
  }

  /** Whether the kernel evaluates this table at this hook. */
  has(hook: Hook): boolean {
    return builtIn[this.name].includes(hook);
  }

  /** Whether this table can affect any packet. */
  get hasRules(): boolean {
    return builtIn[this.name].some((hook) => {
      const { rules, policy } = this.chains.get(hook) as Chain;
      return rules.length > 0 || policy === 'DROP';
    });
  }

  /** Returns the decision of a built-in chain without rules; undefined if it has rules. */
  withoutRules(hook: Hook, packet: Packet): Decision | undefined {
    const { rules, policy } = this.chains.get(hook) as Chain;
    if (rules.length > 0) return undefined;
    return { kind: policy === 'DROP' ? 'drop' : 'accept', packet, by: { chain: hook } };
  }

  /** Evaluates the rules of a built-in chain, and of the chains that they jump to, until one decides. */
  decide(context: RuleContext): Decision {
    const { hook } = context;
    let seen = context;
    const through: string[] = [];
    const ask = (name: string): Decision | 'return' | undefined => {
      const { rules } = this.chains.get(name) as Chain;
      for (const rule of rules) {
        if (!meets(seen, rule)) continue;
        const { target } = rule;
        if (!target) continue;
        if (target.kind === 'mark') {
          const { packet } = seen;
          seen = { ...seen, packet: { ...packet, mark: target.apply(packet.mark) } };
        } else if (target.kind === 'jump') {
          through.push(name);
          const decision = ask(target.chain);
          if (decision && decision !== 'return') return decision;
          through.pop();
          if (target.goto) return 'return';
        } else if (target.kind !== 'verdict') {
          return { kind: target.kind, packet: seen.packet, by: { chain: name, rule, through } };
        } else if (target.verdict === 'RETURN') {
          return 'return';
        } else {
          const kind = target.verdict === 'ACCEPT' ? 'accept' : 'drop';
          return { kind, packet: seen.packet, by: { chain: name, rule, through } };
        }
      }
      return undefined;
    };
    const decision = ask(hook);
    if (decision && decision !== 'return') return decision;
    const { policy } = this.chains.get(hook) as Chain;
    return { kind: policy === 'DROP' ? 'drop' : 'accept', packet: seen.packet, by: { chain: hook } };
  }
}

/** Whether a packet meets all conditions. A loop, because it runs for each rule of each chain. */
function meets(context: RuleContext, { matches }: Rule): boolean {
  for (const match of matches) if (!match.test(context)) return false;
  return true;
}
