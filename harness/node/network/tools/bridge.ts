import type { Link } from '../stack/link.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { linkCalled } from './ip-link.ts';
import type { Namespaces } from './namespaces.ts';
import { Refusal, Words } from './words.ts';

/**
 * Runs `bridge` of iproute2, which shows and sets the ports of bridges and their learned addresses.
 *
 * @param argv - without the program's name
 * @param from - the namespace that the command runs in
 * @throws Refusal when the command fails
 */
export function bridge(argv: readonly string[], from: NetworkNamespace, namespaces: Namespaces): string {
  const words = new Words(argv);
  let at = from;
  while (words.peek?.startsWith('-')) {
    const option = words.next() as string;
    if (option === '-n' || option === '-netns') at = namespaces.called(words.after(option));
  }
  const object = words.after('bridge');
  const command = words.next() ?? 'show';
  if (object === 'link' && command === 'set') return set(words, at);
  if (object === 'link') return print(portsOf(at).filter(isNamed(words)).map(describePort));
  if (object === 'fdb') return print(portsOf(at).flatMap(learnedBehind));
  throw new Refusal(`Object "${object}" is unknown, try "bridge help".`, 255);
}

function set(words: Words, at: NetworkNamespace): string {
  let port: Link | undefined;
  while (!words.atEnd) {
    const word = words.next() as string;
    const value = words.after(word);
    if (word === 'dev') port = linkCalled(at, value);
    else if (!port?.master) throw new Refusal('RTNETLINK answers: Operation not supported', 255);
    else if (word === 'hairpin') port.hairpin = isOn(word, value);
    else if (word === 'isolated') port.isolated = isOn(word, value);
    else throw new Refusal(`bridge: command "${word}" is unknown, try "bridge link help".`, 255);
  }
  return '';
}

function isOn(word: string, value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Refusal(`Error: argument of "${word}" must be one of "off", "on", not "${value}"`, 234);
}

function portsOf({ links }: NetworkNamespace): readonly Link[] {
  return [...links.values()].filter(({ master }) => master !== undefined);
}

function isNamed(words: Words): (link: Link) => boolean {
  words.takes('show');
  words.takes('dev');
  const name = words.next();
  return (link) => name === undefined || link.name === name;
}

function describePort({ index, name, master, mtu, hairpin, isolated }: Link): unknown {
  return { ifindex: index, ifname: name, mtu, master: master?.name, hairpin, isolated };
}

function learnedBehind(port: Link): readonly unknown[] {
  const learned = [...(port.master?.bridge?.learned ?? [])];
  return learned
    .filter(([, { link }]) => link === port)
    .map(([mac]) => ({ mac, ifname: port.name, master: port.master?.name }));
}

function print(shown: unknown): string {
  return `${JSON.stringify(shown)}\n`;
}
