import { contains, firstOf, formatPrefix, type IPPrefix } from '../../../../api/ip-prefix.ts';
import type { Match, RuleContext } from '../../netfilter/rule.ts';
import { readPrefix } from '../ip-address.ts';
import type { Words } from '../words.ts';
import { misused } from './refusals.ts';

/** An option of a match. `!` before the option negates it. */
export interface Option {
  readonly name: string;
  readonly isNot: boolean;
  readonly words: Words;
}

/** An extension that `-m NAME` loads. It parses its own options. */
export interface Extension {
  readonly name: string;
  /** @returns whether it knows the option and has read the option's words */
  take(option: Option): boolean;
  /** Returns the match of all its options. @throws Refusal when an option is missing */
  match(): Match;
}

/** Creates an extension for one rule. @throws Refusal when no extension has this name */
export function extension(name: string): Extension {
  const make = extensions[name];
  if (make) return make();
  throw misused(`Couldn't load match \`${name}':No such file or directory\n`);
}

const not = (isNot: boolean): string => (isNot ? '! ' : '');

/** Parses `-s 10.244.1.0/24`. */
export function prefixMatch(option: '-s' | '-d', { isNot, words }: Option): Match {
  const prefix = readPrefix(words.after(option));
  const network: IPPrefix = { ip: firstOf(prefix), bits: prefix.bits };
  const end = option === '-s' ? 'src' : 'dst';
  return {
    text: network.bits === 0 && !isNot ? '' : `${not(isNot)}${option} ${formatPrefix(network)}`,
    test: ({ packet }) => contains(network, packet[end]) !== isNot,
  };
}

/** Parses `-i cni0`. A `+` at the end matches any suffix. */
export function linkMatch(option: '-i' | '-o', { isNot, words }: Option): Match {
  const name = words.after(option);
  const isThis = (link: string): boolean =>
    name.endsWith('+') ? link.startsWith(name.slice(0, -1)) : link === name;
  return {
    text: `${not(isNot)}${option} ${name}`,
    test: (context) => isThis((option === '-i' ? context.in : context.out)?.name ?? '') !== isNot,
  };
}

/** Parses `-p tcp`. */
export function protocolMatch({ isNot, words }: Option): {
  readonly match: Match;
  readonly protocol: string;
} {
  const asked = words.after('-p').toLowerCase();
  const protocol = protocols[asked] ?? asked;
  return {
    protocol,
    match: {
      text: protocol === 'all' ? '' : `${not(isNot)}-p ${protocol}`,
      test: ({ packet }) => protocol === 'all' || (packet.protocol === protocol) !== isNot,
    },
  };
}

const protocols: Readonly<Record<string, string>> = { '1': 'icmp', '6': 'tcp', '17': 'udp' };

interface Range {
  readonly min: number;
  readonly max: number;
}

function range(text: string, between = ':'): Range {
  const [min = '', max = min] = text.split(between);
  const bounds = { min: Number(min || 0), max: Number(max === '' ? 65_535 : max) };
  if (Number.isInteger(bounds.min) && Number.isInteger(bounds.max)) return bounds;
  throw misused(`invalid port/service \`${text}' specified`);
}

function formatRange({ min, max }: Range): string {
  return min === max ? `${min}` : `${min}:${max}`;
}

const isIn = (value: number, { min, max }: Range): boolean => value >= min && value <= max;

/** Creates an extension whose options add texts and tests. */
function collecting(
  name: string,
  take: (option: Option, add: (text: string, test: Match['test']) => void) => boolean,
  isWhole: (texts: readonly string[]) => boolean = (texts) => texts.length > 0,
): Extension {
  const texts: string[] = [];
  const tests: Match['test'][] = [];
  return {
    name,
    take: (option) =>
      take(option, (text, test) => {
        texts.push(`${not(option.isNot)}${text}`);
        tests.push(option.isNot ? (context) => !test(context) : test);
      }),
    match() {
      if (!isWhole(texts)) throw misused(`${name}: at least one option is required`);
      return {
        text: `-m ${[name, ...texts].join(' ')}`,
        test: (context) => tests.every((test) => test(context)),
      };
    },
  };
}

function ports(name: 'tcp' | 'udp' | 'sctp'): Extension {
  return collecting(
    name,
    ({ name: option, words }, add) => {
      if (option !== '--dport' && option !== '--sport') return false;
      const asked = range(words.after(option));
      const end = option === '--dport' ? 'dport' : 'sport';
      add(
        `${option} ${formatRange(asked)}`,
        ({ packet }) => packet.protocol === name && isIn(packet[end], asked),
      );
      return true;
    },
    () => true,
  );
}

const STATES = ['INVALID', 'NEW', 'RELATED', 'ESTABLISHED', 'UNTRACKED', 'SNAT', 'DNAT'];

function hasState(state: string, { tracked }: RuleContext): boolean {
  if (!('connection' in tracked) || state === 'INVALID') return tracked.state === state;
  const { connection } = tracked;
  const { original, reply } = connection;
  if (state === 'DNAT') return reply.src.text !== original.dst.text || reply.sport !== original.dport;
  if (state === 'SNAT') return reply.dst.text !== original.src.text || reply.dport !== original.sport;
  return tracked.state === state;
}

/** Parses a number and the mask of its relevant bits: `0x4000/0x4000`. */
export function maskedNumber(text: string): { readonly value: number; readonly mask: number } {
  const [value = '', mask] = text.split('/');
  return { value: Number(value), mask: mask === undefined ? 0xffffffff : Number(mask) };
}

/** Formats a number as hexadecimal: `0x4000`. */
export function hex(number: number): string {
  return `0x${(number >>> 0).toString(16)}`;
}

const extensions: Readonly<Record<string, () => Extension>> = {
  tcp: () => ports('tcp'),
  udp: () => ports('udp'),
  sctp: () => ports('sctp'),
  multiport: () =>
    collecting('multiport', ({ name, words }, add) => {
      const option = name === '--destination-ports' ? '--dports' : name;
      if (option !== '--dports' && option !== '--sports') return false;
      const asked = words.after(option);
      const ranges = asked.split(',').map((each) => range(each));
      const end = option === '--dports' ? 'dport' : 'sport';
      add(`${option} ${asked}`, ({ packet }) => ranges.some((each) => isIn(packet[end], each)));
      return true;
    }),
  comment: () =>
    collecting('comment', ({ name, words }, add) => {
      if (name !== '--comment') return false;
      add(`--comment ${quoted(words.after(name))}`, () => true);
      return true;
    }),
  conntrack: () =>
    collecting('conntrack', ({ name, words }, add) => {
      if (name !== '--ctstate') return false;
      const asked = words.after(name).split(',');
      const states = STATES.filter((state) => asked.includes(state));
      add(`--ctstate ${states.join(',')}`, (context) => states.some((state) => hasState(state, context)));
      return true;
    }),
  mark: () =>
    collecting('mark', ({ name, words }, add) => {
      if (name !== '--mark') return false;
      const { value, mask } = maskedNumber(words.after(name));
      const text = mask >>> 0 === 0xffffffff ? hex(value) : `${hex(value)}/${hex(mask)}`;
      add(`--mark ${text}`, ({ packet }) => (packet.mark & mask) >>> 0 === value >>> 0);
      return true;
    }),
  addrtype: () =>
    collecting('addrtype', ({ name, words }, add) => {
      if (name !== '--dst-type' && name !== '--src-type') return false;
      const type = words.after(name);
      const end = name === '--dst-type' ? 'dst' : 'src';
      add(`${name} ${type}`, ({ packet, around }) => (type === 'LOCAL') === around.isLocal(packet[end]));
      return true;
    }),
  statistic,
  recent,
};

/** The kernel stores probabilities in units of 2^-31. */
const CERTAIN = 0x80000000;

function statistic(): Extension {
  return collecting(
    'statistic',
    ({ name, words }, add) => {
      if (name === '--mode') {
        const mode = words.after(name);
        if (mode !== 'random') throw misused(`Bad mode "${mode}"`);
        add('--mode random', () => true);
        return true;
      }
      if (name !== '--probability') return false;
      const parts = Math.round(Number(words.after(name)) * CERTAIN);
      const probability = parts / CERTAIN;
      add(`--probability ${probability.toFixed(11)}`, ({ random }) => random.float() < probability);
      return true;
    },
    (texts) => texts.length === 2,
  );
}

/** Upstream: torvalds/linux@v6.12 net/netfilter/xt_recent.c recent_mt */
function recent(): Extension {
  let list = 'DEFAULT';
  let seconds: number | undefined;
  let reap = false;
  let verb: '--set' | '--rcheck' | '--update' | '--remove' | undefined;
  let isNot = false;
  const known = (context: RuleContext): Map<string, number> => {
    const entries = context.recent.get(list) ?? new Map<string, number>();
    context.recent.set(list, entries);
    return entries;
  };
  return {
    name: 'recent',
    take({ name, words, isNot: turned }) {
      if (name === '--name') list = words.after(name);
      else if (name === '--seconds') seconds = Number(words.after(name));
      else if (name === '--reap') reap = true;
      else if (name === '--mask') words.after(name);
      else if (name === '--rsource') return true;
      else if (name === '--set' || name === '--rcheck' || name === '--update' || name === '--remove') {
        verb = name;
        isNot = turned;
      } else return false;
      return true;
    },
    match() {
      if (!verb)
        throw misused("recent: you must specify one of `--set', `--rcheck' `--update' or `--remove'");
      const age = seconds === undefined ? '' : ` --seconds ${seconds}`;
      return {
        text: `-m recent ${not(isNot)}${verb}${age}${reap ? ' --reap' : ''} --name ${list} --mask 255.255.255.255 --rsource`,
        test: (context) => {
          const entries = known(context);
          const key = context.packet.src.text;
          const atMs = entries.get(key);
          const isKnown =
            atMs !== undefined && (seconds === undefined || context.nowMs - atMs <= seconds * 1_000);
          if (reap && atMs !== undefined && !isKnown) entries.delete(key);
          if (verb === '--set') entries.set(key, context.nowMs);
          if (verb === '--update' && isKnown) entries.set(key, context.nowMs);
          if (verb === '--remove' && isKnown) entries.delete(key);
          return (verb === '--set' || isKnown) !== isNot;
        },
      };
    },
  };
}

/**
 * Formats a text as `iptables-save` prints it: in quotes if it contains other characters than letters, digits, `_` and
 * `-`.
 *
 * Upstream: iptables 1.8.9, libxtables/xtables.c xtables_save_string
 */
function quoted(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `"${text.replace(/(["'\\])/g, '\\$1')}"`;
}
