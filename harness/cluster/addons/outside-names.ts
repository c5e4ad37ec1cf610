import type { DnsMessage, DnsQuestion } from '../../contracts/dns.ts';
import type { Machine } from '../../node/machine.ts';
import type { OutsideHost } from '../../node/network/outside-host.ts';
import { DNS_PORT, decodeQuestion, encodeDns } from '../../node/programs/resolver/messages.ts';

/**
 * Makes a host outside the cluster a name server.
 *
 * @param names addresses by name: `example.com.`
 */
export function serveNames(host: OutsideHost, names: Readonly<Record<string, string>>): void {
  host.namespace.sockets.listen(
    { protocol: 'udp', port: DNS_PORT },
    {
      receive: ({ payload }) => {
        const question = decodeQuestion(payload);
        return question && encodeDns(answer(question, names));
      },
    },
  );
}

/** Makes a machine use this name server: writes its `/etc/resolv.conf`. */
export function useNameServer(machine: Machine, ip: string): Promise<void> {
  return machine.files
    .mkdirAll('/etc')
    .then(() => machine.files.writeFile('/etc/resolv.conf', `nameserver ${ip}\n`));
}

function answer(question: DnsQuestion, names: Readonly<Record<string, string>>): DnsMessage {
  const { name, type } = question;
  const address = names[name.toLowerCase()];
  return {
    question,
    rcode: address === undefined ? 'NXDOMAIN' : 'NOERROR',
    authoritative: true,
    answer: address !== undefined && type === 'A' ? [{ name, ttl: 300, type, address }] : [],
    authority: [],
    additional: [],
  };
}
