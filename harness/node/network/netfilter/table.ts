import type { Packet } from '../stack/packet.ts';
import type { Hook, Rule, RuleContext, Target } from './rule.ts';

/** The tables that there are: `nat` decides where a connection goes, `filter` whether a packet may pass. */
export type TableName = 'nat' | 'filter';

/** A list of rules. The kernel asks the built-in ones, which are named like hooks; those jump to others. */
export interface Chain {
  /** What becomes of a packet that no rule decides on. Built-in chains have one. */
  policy: 'ACCEPT' | 'DROP' | undefined;
  rules: Rule[];
}

/** What a table says of a packet. */
export interface Decision {
  readonly kind: 'accept' | 'drop' | Exclude<Target['kind'], 'verdict' | 'jump' | 'mark'>;
  /** With the mark that rules have put on it. */
  readonly packet: Packet;
  /** The rule that decided, its chain, and those that led there; without a rule, it was the policy. */
  readonly by: { readonly chain: string; readonly rule?: Rule; readonly through?: readonly string[] };
}

const builtIn: Readonly<Record<TableName, readonly Hook[]>> = {
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
};

/** One table of a namespace. */
export class Table {
  readonly name: TableName;
  readonly chains: Map<string, Chain>;
  #revision = 0;
  /** The chains that rules jump to, since the last {@link touch}: what removes many chains asks for each. */
  #jumpedTo: ReadonlySet<string> | undefined;

  constructor(name: TableName) {
    this.name = name;
    this.chains = new Map(builtIn[name].map((hook) => [hook, { policy: 'ACCEPT', rules: [] }]));
  }

  /** A table with the same rules: what is done to one is not done to the other. */
  copy(): Table {
    const copy = new Table(this.name);
    copy.#revision = this.#revision;
    for (const [name, { policy, rules }] of this.chains) copy.chains.set(name, { policy, rules: [...rules] });
    return copy;
  }

  /** To be called whenever rules have changed. */
  touch(): void {
    this.#jumpedTo = undefined;
    this.#revision++;
  }

  /** Another one after each change of its rules. */
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

  /** Whether the kernel asks it at this point. */
  has(hook: Hook): boolean {
    return builtIn[this.name].includes(hook);
  }

  /** Whether any packet can fare otherwise than without it. */
  get hasRules(): boolean {
    return builtIn[this.name].some((hook) => {
      const { rules, policy } = this.chains.get(hook) as Chain;
      return rules.length > 0 || policy === 'DROP';
    });
  }

  /** What a built-in chain without rules decides; undefined if it has some. */
  withoutRules(hook: Hook, packet: Packet): Decision | undefined {
    const { rules, policy } = this.chains.get(hook) as Chain;
    if (rules.length > 0) return undefined;
    return { kind: policy === 'DROP' ? 'drop' : 'accept', packet, by: { chain: hook } };
  }

  /** Asks the rules of a built-in chain, and those that they jump to, until one decides. */
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

/** Asked for each rule of each chain: a loop, for its speed. */
function meets(context: RuleContext, { matches }: Rule): boolean {
  for (const match of matches) if (!match.test(context)) return false;
  return true;
}
