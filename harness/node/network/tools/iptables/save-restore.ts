import type { Rule } from '../../netfilter/rule.ts';
import type { Chain, Table, TableName } from '../../netfilter/table.ts';
import type { NetworkNamespace } from '../../stack/namespace.ts';
import { Refusal, Words } from '../words.ts';
import { append, run, tableCalled } from './iptables.ts';

/**
 * Runs `iptables-save`: prints all rules of one table, or of all tables, in the format of {@link iptablesRestore}. It
 * prints no dates and no counters.
 *
 * @param argv - without the program's name
 */
export function iptablesSave(argv: readonly string[], at: NetworkNamespace, family: 4 | 6): string {
  const words = new Words(argv);
  const asked = words.takes('-t') ? [words.after('-t')] : ['filter', 'nat'];
  return asked.map((name) => save(tableCalled(at, name, family))).join('');
}

/** The printed rules of each table, until its next change. */
const saved = new WeakMap<Table, { readonly revision: number; readonly text: string }>();

function save(table: Table): string {
  const known = saved.get(table);
  if (known?.revision === table.revision) return known.text;
  const text = format(table);
  saved.set(table, { revision: table.revision, text });
  return text;
}

function format({ name, chains: all }: Table): string {
  const chains = inOrder(all);
  const lines = [
    `*${name}`,
    ...chains.map(([chain, { policy = '-' }]) => `:${chain} ${policy} [0:0]`),
    ...chains.flatMap(([chain, { rules }]) => rules.map(({ text }) => `-A ${chain} ${text}`.trimEnd())),
    'COMMIT',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Sorts the built-in chains first, then the other chains by name. */
function inOrder(chains: ReadonlyMap<string, Chain>): readonly (readonly [string, Chain])[] {
  const [own, others] = [true, false].map((isOwn) =>
    [...chains].filter(([, { policy }]) => (policy !== undefined) === isOwn),
  ) as [[string, Chain][], [string, Chain][]];
  return [...own, ...others.sort(([a], [b]) => (a < b ? -1 : 1))];
}

/**
 * Runs `iptables-restore`: each table in the input replaces the current one atomically at its `COMMIT`. With
 * `--noflush` only the chains in the input are flushed. If a line is wrong, its table stays unchanged.
 *
 * @param argv - without the program's name
 * @param stdin - rules in the format of {@link iptablesSave}
 * @throws Refusal with the number of the wrong line
 */
export function iptablesRestore(
  argv: readonly string[],
  stdin: string,
  { at, family }: { readonly at: NetworkNamespace; readonly family: 4 | 6 },
): string {
  const noflush = argv.includes('--noflush') || argv.includes('-n');
  const { tables } = at.netfilter[family];
  let open: Table | undefined;
  for (const [i, line] of stdin.split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    try {
      if (text.startsWith('*')) open = begin(tableCalled(at, text.slice(1), family), noflush);
      else if (!open) throw new Refusal('no table is open');
      else if (text === 'COMMIT') {
        tables[open.name as TableName] = open;
        open = undefined;
      } else if (text.startsWith(':')) declare(open, text);
      else restore(open, text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(
        `iptables-restore v1.8.9: ${error.message.replace(/^iptables v1.8.9 \(nf_tables\): /, '').split('\nTry')[0]}\nError occurred at line: ${i + 1}`,
        2,
      );
    }
  }
  if (open) throw new Refusal(`iptables-restore: COMMIT expected at line ${stdin.split('\n').length}`, 2);
  return '';
}

function begin(table: Table, noflush: boolean): Table {
  const copy = table.copy();
  if (noflush) return copy;
  for (const [name, { policy }] of copy.chains) {
    const chain = copy.change(name);
    if (policy === undefined) copy.delete(name);
    else if (chain) chain.rules = [];
  }
  return copy;
}

/** Creates or flushes a chain: `:KUBE-SERVICES - [0:0]`. */
function declare(table: Table, text: string): void {
  const [name = '', policy = '-'] = text.slice(1).split(/\s+/);
  const chain = table.change(name);
  if (chain) chain.rules = [];
  else table.add(name);
  if (chain?.policy !== undefined && (policy === 'ACCEPT' || policy === 'DROP')) chain.policy = policy;
}

function restore(table: Table, text: string): void {
  const key = `${table.name} ${text}`;
  const known = appended.get(key);
  if (known) {
    append(known.rule, { table, chain: known.chain });
    return;
  }
  const [command = '', ...rest] = wordsOf(text);
  run(command, new Words(rest), table);
  const [chain = ''] = rest;
  const rule = table.chains.get(chain)?.rules.at(-1);
  if (command !== '-A' || !rule) return;
  if (appended.size >= APPENDED_MAX) appended.clear();
  appended.set(key, { chain, rule });
}

/** The rules that lines append, because the same lines are restored again and again, on each node. */
const appended = new Map<string, { readonly chain: string; readonly rule: Rule }>();
const APPENDED_MAX = 100_000;

/** Splits a line at spaces outside quotes. */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) {
    words.push(plain ?? (quoted as string).replace(/\\(.)/g, '$1'));
  }
  return words;
}
