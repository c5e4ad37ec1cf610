import type { Match, Rule, Target } from '../../netfilter/rule.ts';
import type { TableName } from '../../netfilter/table.ts';
import type { Words } from '../words.ts';
import { type Extension, extension, linkMatch, type Option, prefixMatch, protocolMatch } from './matches.ts';
import { misused } from './refusals.ts';
import { readTarget } from './targets.ts';

/** The short names of long options. */
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

/** The order in which `iptables-save` prints matches without an extension. */
const ORDER = ['-s', '-d', '-i', '-o', '-p'];

/**
 * Parses the matches and the target of a rule.
 *
 * @throws Refusal with iptables' error message
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
  /** Returns the extension of a port option. A port needs no `-m`, because the protocol implies its extension. */
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
