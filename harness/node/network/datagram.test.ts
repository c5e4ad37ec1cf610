import { describe, expect, test } from 'vitest';
import { NetworkError } from '../../contracts/node/index.ts';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { forever } from '../programs/pause.ts';
import type { Program } from '../programs/program.ts';

/** Echoes each payload with the sender's address; does not answer `silence`. */
const echo: Program = async ({ listenUdp }) => {
  listenUdp(53, ({ payload, from }) => (payload === 'silence' ? undefined : `${payload} from ${from}`));
  return forever();
};

/** `redis-server HOST PORT PAYLOAD` writes the answer to stdout. */
const ask: Program = async ({ argv, sendDatagram, stdout, clock }) => {
  const [, host = '', port = '', payload = ''] = argv;
  const beganMs = clock.now();
  try {
    stdout(`${await sendDatagram(payload, { host, port: Number(port), timeoutMs: 5_000 })}\n`);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    stdout(
      `${error.code} after ${clock.now() - beganMs}: ${error.message.replace(/:[345]\d{4}/, ':PORT')}\n`,
    );
  }
  return 0;
};

async function open() {
  const alone = machineAlone({ programs: { nginx: echo, 'redis-server': ask } });
  const { ip, sandboxId } = await alone.run('nginx:1.27', {}, sandboxConfig('server'));
  let asked = 0;
  const said = async (...words: readonly string[]) => {
    const name = `client-${asked++}`;
    const { id } = await alone.run('redis:8', { command: ['redis-server', ...words] }, sandboxConfig(name));
    await alone.sim.run({ forMs: 10_000 });
    return (await alone.log(id)).map((line) => line.replace('stdout F ', ''));
  };
  return { ...alone, ip, sandboxId, said };
}

describe('A datagram', () => {
  test('is answered by the server, which sees the source address', async () => {
    const { said, ip } = await open();
    expect(await said(ip, '53', 'hello')).toEqual(['hello from 10.244.1.3']);
  });

  test('times out if the server does not answer', async () => {
    const { said, ip } = await open();
    expect(await said(ip, '53', 'silence')).toEqual([
      `ETIMEDOUT after 5000: read udp 10.244.1.3:PORT->${ip}:53: i/o timeout`,
    ]);
  });

  test('fails at once if no process listens on the port, and later if no host has the address', async () => {
    const { said, ip } = await open();
    expect(await said(ip, '54', 'hello')).toEqual([
      `ECONNREFUSED after 0: read udp 10.244.1.3:PORT->${ip}:54: read: connection refused`,
    ]);
    expect(await said('10.244.1.99', '53', 'hello')).toEqual([
      'EHOSTUNREACH after 3000: read udp 10.244.1.4:PORT->10.244.1.99:53: read: no route to host',
    ]);
  });

  test('is lost if a rule drops it', async () => {
    const { said, ip, machine, settle } = await open();
    await settle(machine.host.tools.run('iptables -A FORWARD -p udp -j DROP'.split(' ')));
    expect(await said(ip, '53', 'hello')).toEqual([
      `ETIMEDOUT after 5000: read udp 10.244.1.3:PORT->${ip}:53: i/o timeout`,
    ]);
  });

  test('follows address translation, and so does its answer', async () => {
    const { said, ip, machine, settle } = await open();
    const rule = `-t nat -A PREROUTING -d 10.96.0.10 -p udp --dport 53 -j DNAT --to-destination ${ip}:53`;
    await settle(machine.host.tools.run(['iptables', ...rule.split(' ')]));
    expect(await said('10.96.0.10', '53', 'hello')).toEqual(['hello from 10.244.1.3']);
    const known = await settle(machine.host.tools.run(['conntrack', '-L', '-p', 'udp']));
    expect(known).toContain('dst=10.96.0.10');
  });
});
