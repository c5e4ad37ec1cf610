import { type IP, parseIP } from '../../../../api/ip-prefix.ts';
import type { Target } from '../../netfilter/rule.ts';
import type { TableName } from '../../netfilter/table.ts';
import type { Words } from '../words.ts';
import { hex, maskedNumber } from './matches.ts';
import { failed, misused } from './refusals.ts';

/** The error for each type of `--reject-with`. */
const rejections: Readonly<Record<string, Extract<Target, { kind: 'reject' }>['with']>> = {
  'icmp-port-unreachable': 'port',
  'icmp-host-unreachable': 'host',
  'icmp-net-unreachable': 'net',
  'icmp6-port-unreachable': 'port',
  'tcp-reset': 'tcp-reset',
};

/**
 * Parses the words after `-j` or `-g`: a verdict, a target with its options, or the name of a chain.
 *
 * @param table - the table of the rule; some targets are valid in one table only
 * @throws Refusal when the target is invalid
 */
export function readTarget(
  name: string,
  words: Words,
  { table, goto }: { table: TableName; goto: boolean },
): Target {
  switch (name) {
    case 'ACCEPT':
    case 'DROP':
    case 'RETURN':
      return { kind: 'verdict', text: `-j ${name}`, verdict: name };
    case 'REJECT': {
      onlyIn('filter', name, table);
      const asked = words.takes('--reject-with') ? words.after('--reject-with') : 'icmp-port-unreachable';
      const answer = rejections[asked];
      if (!answer) throw misused(`unknown reject type "${asked}"`);
      return { kind: 'reject', text: `-j REJECT --reject-with ${asked}`, with: answer };
    }
    case 'MARK':
      return readMark(words);
    case 'DNAT': {
      onlyIn('nat', name, table);
      const to = readEndpoint(option(words, '--to-destination'));
      return { kind: 'dnat', text: `-j DNAT --to-destination ${formatEndpoint(to)}${ending(words)}`, to };
    }
    case 'SNAT': {
      onlyIn('nat', name, table);
      const to = readEndpoint(option(words, '--to-source'));
      return { kind: 'snat', text: `-j SNAT --to-source ${formatEndpoint(to)}${ending(words)}`, to };
    }
    case 'MASQUERADE': {
      onlyIn('nat', name, table);
      const isRandom = words.takes('--random-fully') || words.takes('--random');
      return { kind: 'masquerade', text: `-j MASQUERADE${isRandom ? ' --random-fully' : ''}`, isRandom };
    }
    default:
      return { kind: 'jump', text: `${goto ? '-g' : '-j'} ${name}`, chain: name, goto };
  }
}

function onlyIn(table: TableName, name: string, found: TableName): void {
  if (table === found) return;
  throw failed('RULE_APPEND', 'Invalid argument', `${name} is for table ${table}`);
}

function option(words: Words, name: string): string {
  if (words.takes(name)) return words.after(name);
  throw misused(`option "${name}" must be specified`);
}

/** Parses options without an effect here: random ports and persistent mappings. */
function ending(words: Words): string {
  const random = words.takes('--random') ? ' --random' : '';
  return words.takes('--persistent') ? `${random} --persistent` : random;
}

interface Address {
  readonly ip: IP;
  readonly port?: number;
}

function readEndpoint(text: string): Address {
  const [, bracketed, plain = '', port] =
    /^(?:\[(.+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(text) ?? [];
  try {
    return { ip: parseIP(bracketed ?? plain), ...(port !== undefined && { port: Number(port) }) };
  } catch {
    throw misused(`Bad IP address "${text}"`);
  }
}

function formatEndpoint({ ip, port }: Address): string {
  if (port === undefined) return ip.text;
  return ip.family === 4 ? `${ip.text}:${port}` : `[${ip.text}]:${port}`;
}

/** Upstream: torvalds/linux@v6.12 net/netfilter/xt_mark.c mark_tg: the bits of the mask go, the value is turned in. */
function readMark(words: Words): Target {
  const verb = words.after('MARK');
  const { value, mask } = maskedNumber(words.after(verb));
  const set = {
    '--set-xmark': mask,
    '--set-mark': (mask | value) >>> 0,
    '--or-mark': value,
    '--xor-mark': 0,
  }[verb];
  if (verb === '--and-mark') return marking(0, ~value >>> 0);
  if (set === undefined) throw misused(`unknown option "${verb}"`);
  return marking(value, set >>> 0);
}

function marking(value: number, mask: number): Target {
  return {
    kind: 'mark',
    text: `-j MARK --set-xmark ${hex(value)}/${hex(mask)}`,
    apply: (mark) => ((mark & ~mask) ^ value) >>> 0,
  };
}
