import type { Rule } from '../../netfilter/rule.ts';
import type { Chain, Table, TableName } from '../../netfilter/table.ts';
import type { NetworkNamespace } from '../../stack/namespace.ts';
import { Refusal, Words } from '../words.ts';
import { failed, misused } from './refusals.ts';
import { readRule } from './rule.ts';

/** The table and the chain that a command works on. */
interface Target {
  readonly table: Table;
  readonly chain: string;
}

const LONG: Readonly<Record<string, string>> = {
  '--append': '-A',
  '--check': '-C',
  '--delete': '-D',
  '--insert': '-I',
  '--new-chain': '-N',
  '--new': '-N',
  '--delete-chain': '-X',
  '--flush': '-F',
  '--policy': '-P',
  '--list-rules': '-S',
  '--table': '-t',
};

/**
 * Runs one command of `iptables` or `ip6tables`.
 *
 * @param argv - without the program's name
 * @returns the output: the rules for `-S`, otherwise empty
 * @throws Refusal when the command fails
 */
export function iptables(argv: readonly string[], at: NetworkNamespace, family: 4 | 6): string {
  const words = new Words(argv);
  let name: string = 'filter';
  let command: string | undefined;
  const rest: string[] = [];
  while (!words.atEnd) {
    const word = words.next() as string;
    const option = LONG[word] ?? word;
    if (option === '-t') name = words.after(option);
    else if (option === '-w' || option === '--wait') words.takes('5');
    else if (command === undefined && /^-[ACDINXFPS]$/.test(option)) command = option;
    else rest.push(word);
  }
  if (command === undefined) throw misused('no command specified');
  const table = tableCalled(at, name, family);
  const asked = new Words(rest);
  return run(command, asked, table);
}

/** @throws Refusal when no table has this name */
export function tableCalled(at: NetworkNamespace, name: string, family: 4 | 6): Table {
  const table = at.netfilter[family].tables[name as TableName];
  if (table) return table;
  throw new Refusal(
    `iptables v1.8.9 (nf_tables): table '${name}' does not exist\nPerhaps iptables or your kernel needs to be upgraded.`,
    3,
  );
}

/** Runs one command on a table; `iptables-restore` runs many. */
export function run(command: string, words: Words, table: Table): string {
  const chain = words.peek === undefined || words.peek.startsWith('-') ? '' : (words.next() as string);
  const on: Target = { table, chain };
  switch (command) {
    case '-N':
      return newChain(on);
    case '-X':
      return deleteChain(on);
    case '-F':
      return flush(on);
    case '-P':
      return policy(on, words.after('-P'));
    case '-S':
      return list(on);
    default:
      return onRule(command, on, words);
  }
}

function onRule(command: string, { table, chain }: Target, words: Words): string {
  const found = command === '-C' ? chainCalled(table, chain) : changed({ table, chain });
  const isNumber = /^\d+$/.test(words.peek ?? '');
  const number = isNumber && command !== '-A' ? Number(words.next()) : undefined;
  if (command === '-D' && number !== undefined) {
    if (number > found.rules.length) throw new Refusal('iptables: Index of deletion too big.');
    found.rules.splice(number - 1, 1);
    return '';
  }
  const rule = readRule(words, table.name);
  if (rule.target?.kind === 'jump') jumpsTo(table, rule.target.chain);
  if (command === '-A') found.rules.push(rule);
  else if (command === '-I') insert(found, rule, number ?? 1);
  else remove(command, found, rule);
  return '';
}

/** Appends a rule that was read before. @throws Refusal when its chain, or the chain that it jumps to, does not exist */
export function append(rule: Rule, on: Target): void {
  const { rules } = changed(on);
  if (rule.target?.kind === 'jump') jumpsTo(on.table, rule.target.chain);
  rules.push(rule);
}

function insert({ rules }: Chain, rule: Rule, number: number): void {
  if (number > rules.length + 1) throw new Refusal('iptables: Index of insertion too big.');
  rules.splice(number - 1, 0, rule);
}

function remove(command: string, { rules }: Chain, { text }: Rule): void {
  const i = rules.findIndex((each) => each.text === text);
  if (i < 0) throw new Refusal(`iptables: Bad rule (does a matching rule exist in that chain?).`);
  if (command === '-D') rules.splice(i, 1);
}

/** @throws Refusal when no chain has this name */
function chainCalled(table: Table, name: string): Chain {
  return table.chains.get(name) ?? noChain();
}

/** Returns a chain for a change. @throws Refusal when no chain has this name */
function changed({ table, chain }: Target): Chain {
  return table.change(chain) ?? noChain();
}

function noChain(): never {
  throw new Refusal('iptables: No chain/target/match by that name.');
}

function jumpsTo(table: Table, name: string): void {
  const chain = table.chains.get(name);
  if (chain && chain.policy === undefined) return;
  throw misused(`Chain '${name}' does not exist`);
}

function newChain({ table, chain }: Target): string {
  if (table.chains.has(chain)) throw new Refusal('iptables: Chain already exists.');
  table.add(chain);
  return '';
}

function deleteChain({ table, chain }: Target): string {
  const names =
    chain === '' ? [...table.chains].flatMap(([name, { policy }]) => (policy ? [] : [name])) : [chain];
  for (const name of names) {
    const { rules, policy } = chainCalled(table, name);
    if (policy) throw new Refusal("iptables: Invalid argument. Run `dmesg' for more information.");
    if (rules.length > 0 || table.isJumpedTo(name)) {
      throw failed('CHAIN_DEL', 'Device or resource busy', `chain ${name}`);
    }
    table.delete(name);
  }
  return '';
}

function flush({ table, chain }: Target): string {
  const names = chain === '' ? [...table.chains.keys()] : [chain];
  for (const name of names) changed({ table, chain: name }).rules = [];
  return '';
}

const NOT_FOR_FILTERING =
  '\nThe "nat" table is not intended for filtering, the use of DROP is therefore inhibited.\n\n';

function policy({ table, chain }: Target, verdict: string): string {
  if (verdict === 'DROP' && table.name === 'nat') throw misused(NOT_FOR_FILTERING);
  const found = changed({ table, chain });
  if (found.policy === undefined) throw new Refusal('iptables: Bad built-in chain name.');
  if (verdict !== 'ACCEPT' && verdict !== 'DROP')
    throw new Refusal("iptables: Bad policy name. Run `dmesg' for more information.");
  found.policy = verdict;
  return '';
}

function list({ table, chain }: Target): string {
  const chains = chain === '' ? [...table.chains] : [[chain, chainCalled(table, chain)] as const];
  const lines = [
    ...chains.map(([name, { policy }]) => (policy ? `-P ${name} ${policy}` : `-N ${name}`)),
    ...chains.flatMap(([name, { rules }]) => rules.map(({ text }) => `-A ${name} ${text}`.trimEnd())),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
