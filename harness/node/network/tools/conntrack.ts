import type { Connection, Tuple } from '../netfilter/conntrack.ts';
import type { NetworkNamespace } from '../stack/namespace.ts';
import { Refusal, Words } from './words.ts';

/**
 * Runs `conntrack`, which lists (`-L`) or deletes (`-D`) connections of a namespace. Options select connections: `-p
 * udp`, `--orig-dst`, `--orig-src`, `--orig-port-dst`, `--reply-src` (`--dst-nat`).
 *
 * @param argv - without the program's name
 * @returns one line for each connection
 * @throws Refusal when the command fails, also when `-D` finds no connection, like the real one
 */
export function conntrack(argv: readonly string[], { netfilter }: NetworkNamespace): string {
  const words = new Words(argv);
  const command = words.after('conntrack');
  const conditions: ((connection: Connection) => boolean)[] = [];
  let family: 4 | 6 = 4;
  while (!words.atEnd) {
    const word = words.next() as string;
    const value = words.after(word);
    if (word === '-f' || word === '--family') family = value === 'ipv6' ? 6 : 4;
    else {
      const chooses = options[word];
      if (!chooses) throw new Refusal(`conntrack v1.4.7 (conntrack-tools): unknown option ${word}`, 2);
      conditions.push((connection) => chooses(connection) === value);
    }
  }
  const { conntrack: table } = netfilter[family];
  const isChosen = (connection: Connection): boolean => conditions.every((holds) => holds(connection));
  if (command === '-L') return print(table.connections.filter(isChosen));
  if (command !== '-D')
    throw new Refusal(`conntrack v1.4.7 (conntrack-tools): unknown command ${command}`, 2);
  const gone = table.forget(isChosen);
  if (gone.length === 0)
    throw new Refusal('conntrack v1.4.7 (conntrack-tools): 0 flow entries have been deleted.');
  return print(gone);
}

const options: Readonly<Record<string, (connection: Connection) => string>> = {
  '-p': ({ original }) => original.protocol,
  '--proto': ({ original }) => original.protocol,
  '-s': ({ original }) => original.src.text,
  '--orig-src': ({ original }) => original.src.text,
  '-d': ({ original }) => original.dst.text,
  '--orig-dst': ({ original }) => original.dst.text,
  '--sport': ({ original }) => `${original.sport}`,
  '--orig-port-src': ({ original }) => `${original.sport}`,
  '--dport': ({ original }) => `${original.dport}`,
  '--orig-port-dst': ({ original }) => `${original.dport}`,
  '--reply-src': ({ reply }) => reply.src.text,
  '--dst-nat': ({ reply }) => reply.src.text,
  '--reply-dst': ({ reply }) => reply.dst.text,
};

function print(connections: readonly Connection[]): string {
  return connections
    .map(({ original, reply, isReplied }) => {
      const unreplied = isReplied ? '' : '[UNREPLIED] ';
      return `${original.protocol} ${ends(original)} ${unreplied}${ends(reply)}\n`;
    })
    .join('');
}

function ends({ src, dst, sport, dport }: Tuple): string {
  return `src=${src.text} dst=${dst.text} sport=${sport} dport=${dport}`;
}
