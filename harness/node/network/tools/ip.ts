import type { NetworkNamespace } from '../stack/namespace.ts';
import { ipAddress } from './ip-address.ts';
import { ipLink } from './ip-link.ts';
import { ipNeighbour } from './ip-neighbour.ts';
import { ipRoute } from './ip-route.ts';
import { formatShown } from './ip-text.ts';
import type { Namespaces } from './namespaces.ts';
import { Refusal, Words } from './words.ts';

/** The commands with output. */
const SHOWS: ReadonlySet<string> = new Set(['show', 'list', 'get']);

/**
 * Runs `ip` of iproute2.
 *
 * Differs: the output has no counters and settings that the simulation does not model.
 *
 * @param argv - without the program's name
 * @param from - the namespace that the command runs in
 * @returns the output of the command
 * @throws Refusal when the command fails
 */
export function ip(argv: readonly string[], from: NetworkNamespace, namespaces: Namespaces): string {
  const words = new Words(argv);
  let at = from;
  let isJson = false;
  let isDetailed = false;
  let family: 4 | 6 = 4;
  while (words.peek?.startsWith('-')) {
    const option = words.next() as string;
    if (option === '-n' || option === '-netns') at = namespaces.called(words.after(option));
    else if (option === '-j' || option === '-json') isJson = true;
    else if (option === '-6') family = 6;
    else if (option === '-d' || option === '-details') isDetailed = true;
    else if (!['-4', '-o', '-oneline', '-p'].includes(option)) {
      throw new Refusal(`Option "${option}" is unknown, try "ip -help".`, 255);
    }
  }
  const object = words.after('ip');
  const command = words.next() ?? 'show';
  const result = onObject(object, { command, words, at, family, isDetailed, namespaces });
  if (!SHOWS.has(command)) return '';
  if (isJson) return `${JSON.stringify(result)}\n`;
  return formatShown(object, command, result as Parameters<typeof formatShown>[2]);
}

interface Run {
  readonly command: string;
  readonly words: Words;
  readonly at: NetworkNamespace;
  readonly family: 4 | 6;
  readonly isDetailed: boolean;
  readonly namespaces: Namespaces;
}

function onObject(object: string, { command, words, at, family, isDetailed, namespaces }: Run): unknown {
  switch (object) {
    case 'link':
      return ipLink(command, words, { at, namespaces, isDetailed });
    case 'addr':
    case 'address':
    case 'a':
      return ipAddress(command, words, at, namespaces);
    case 'route':
    case 'r':
      return ipRoute(command, words, at, family);
    case 'neigh':
    case 'neighbour':
    case 'n':
      return ipNeighbour(command, words, at, namespaces);
    case 'netns':
      return ipNetns(command, words, namespaces);
    default:
      throw new Refusal(`Object "${object}" is unknown, try "ip help".`);
  }
}

function ipNetns(command: string, words: Words, namespaces: Namespaces): unknown {
  if (command === 'add') return void namespaces.add(words.after(command));
  if (command === 'del' || command === 'delete') return namespaces.remove(words.after(command));
  return [...namespaces.named.keys()].map((name) => ({ name }));
}
