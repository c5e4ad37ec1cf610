import type { Match, Rule, Target } from '../../netfilter/rule.ts';
import type { TableName } from '../../netfilter/table.ts';
import type { Words } from '../words.ts';
import { type Extension, extension, linkMatch, type Option, prefixMatch, protocolMatch } from './matches.ts';
import { misused } from './refusals.ts';
import { readTarget } from './targets.ts';

/** Long names of options that have a short one. */
const short: Readonly<Record<string, string>> = {
  '--source': '-s',
  '--src': '-s',
  '--destination': '-d',
  '--dst': '-d',
  '--in-interface': '-i',
  '--out-interface': '-o',
  '--protocol': '-p',
  '--jump': '-j',
  '--goto': '-g',
  '--match': '-m',
};

/** In which order `iptables-save` prints what needs no extension. */
const ORDER = ['-s', '-d', '-i', '-o', '-p'];

/**
 * Reads the conditions and the target of a rule.
 *
 * @throws Refusal in iptables' words
 */
export function readRule(words: Words, table: TableName): Rule {
  const plain = new Map<string, Match>();
  const loaded: Extension[] = [];
  let protocol: string | undefined;
  let target: Target | undefined;
  const load = (name: string): Extension => {
    const made = extension(name);
    loaded.push(made);
    return made;
  };
  /** A port needs no `-m`: the protocol says whose it is. */
  const ownOf = (name: string): Extension | undefined => {
    const isPort = name === '--dport' || name === '--sport';
    if (!isPort || (protocol !== 'tcp' && protocol !== 'udp')) return undefined;
    return loaded.find((each) => each.name === protocol) ?? load(protocol);
  };

  while (!words.atEnd) {
    const isNot = words.takes('!');
    const word = words.next() as string;
    const name = short[word] ?? word;
    const option: Option = { name, isNot, words };
    if (name === '-s' || name === '-d') plain.set(name, prefixMatch(name, option));
    else if (name === '-i' || name === '-o') plain.set(name, linkMatch(name, option));
    else if (name === '-p') {
      const read = protocolMatch(option);
      protocol = read.protocol;
      plain.set(name, read.match);
    } else if (name === '-m') load(words.after(name));
    else if (name === '-j' || name === '-g') {
      target = readTarget(words.after(name), words, { table, goto: name === '-g' });
    } else if (!ownOf(name)?.take(option) && !loaded.findLast((each) => each.take(option))) {
      throw misused(`unknown option "${name}"`);
    }
  }
  const matches = [...ORDER.flatMap((name) => plain.get(name) ?? []), ...loaded.map((each) => each.match())];
  const text = [...matches.map((match) => match.text), target?.text ?? ''].filter(Boolean).join(' ');
  return { matches, target, text };
}
